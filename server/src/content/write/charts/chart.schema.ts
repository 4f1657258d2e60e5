import { z } from 'zod'

const MOST_VALUES = 20_000

const Label = z.string().max(200)
const Series = z.object({
  name: Label.optional().describe('Shown in the legend'),
  values: z
    .array(z.number().nullable())
    .max(5_000)
    .optional()
    .describe('One number (null: none) for each category; not for scatter'),
  points: z
    .array(z.array(z.number()).length(2))
    .max(5_000)
    .optional()
    .describe('scatter: [x, y] pairs; line and area with a numeric x axis: too'),
})

/** The data of a chart, as a model writes it. */
export const Chart = z
  .object({
    type: z.enum(['bar', 'line', 'area', 'pie', 'donut', 'scatter']),
    title: Label.optional(),
    subtitle: Label.optional(),
    categories: z
      .array(z.union([Label, z.number()]))
      .max(5_000)
      .optional()
      .describe('Names along the axis, or of the slices; not for points'),
    series: z.array(Series).min(1).max(30).describe('Several make a grouped chart; pie and donut take one'),
    stacked: z.boolean().optional().describe('bar and area: series on top of each other'),
    horizontal: z.boolean().optional().describe('bar: bars to the right, good for long names'),
    x_label: Label.optional(),
    y_label: Label.optional(),
    unit: z.string().max(20).optional().describe('Written after the numbers, for instance % or €'),
    width: z.number().int().min(300).max(2_000).optional().describe('Pixels, default 800'),
    height: z.number().int().min(200).max(2_000).optional().describe('Pixels, default 450'),
  })
  .superRefine((chart, context) => {
    for (const [index, message] of problemsOf(chart)) {
      context.addIssue({ code: 'custom', path: index === null ? [] : ['series', index], message })
    }
  })

export type Chart = z.infer<typeof Chart>

type Given = Pick<Chart, 'type' | 'categories' | 'series'>

function* problemsOf({ type, categories, series }: Given): Generator<[number | null, string]> {
  const takesPoints = type === 'scatter' || (['line', 'area'].includes(type) && !categories)
  if (!takesPoints && !categories?.length) yield [null, `A ${type} chart needs categories, one for each value.`]
  if ((type === 'pie' || type === 'donut') && series.length !== 1) {
    yield [null, `A ${type} chart takes one series; use a bar chart for several.`]
  }
  for (const [index, { values, points }] of series.entries()) {
    if (takesPoints) {
      if (!points?.length)
        yield [index, `A ${type} chart ${type === 'scatter' ? '' : 'without categories '}needs points: [[x, y], …].`]
    } else if (!values?.some((value) => value !== null)) yield [index, 'The series has no values.']
    else if (categories && values.length !== categories.length) {
      yield [
        index,
        `There are ${values.length} values for ${categories.length} categories; there must be one for each.`,
      ]
    } else if ((type === 'pie' || type === 'donut') && values.some((value) => (value ?? 0) < 0)) {
      yield [index, `A ${type} chart cannot show negative values; use a bar chart.`]
    }
  }
  const total = series.reduce((sum, { values, points }) => sum + (values?.length ?? 0) + (points?.length ?? 0), 0)
  if (total > MOST_VALUES) yield [null, `There are ${total} values, ${MOST_VALUES} at most; sum the data up first.`]
}
