import { describe, expect, test } from 'vitest'
import { make } from '../make.ts'
import { Chart } from './chart.schema.ts'

const chartOf = (chart: unknown) => Chart.parse(chart)
const draw = async (chart: unknown): Promise<string> =>
  (await make({ kind: 'svg', chart: chartOf(chart) })).bytes.toString()
const problem = (chart: unknown): string => JSON.stringify(Chart.safeParse(chart).error?.issues ?? 'none')

const categories = ['North', 'South', 'West']
const two = [
  { name: 'Old', values: [1, 2, 3] },
  { name: 'New', values: [4, null, 6] },
]
const points = [
  {
    points: [
      [1, 2],
      [3, 4],
    ],
  },
]

describe('a chart', () => {
  for (const chart of [
    { type: 'bar', categories, series: two },
    { type: 'bar', categories, series: two, stacked: true },
    { type: 'bar', categories, series: two, horizontal: true },
    { type: 'line', categories, series: two },
    { type: 'area', categories, series: two, stacked: true },
    { type: 'pie', categories, series: [two[0]] },
    { type: 'donut', categories, series: [two[0]] },
  ]) {
    test(`of the form ${chart.type}${'stacked' in chart ? ', stacked' : ''}${'horizontal' in chart ? ', horizontal' : ''} shows its title and names`, async () => {
      const svg = await draw({ ...chart, title: 'Sales & more' })
      expect(svg).toMatch(/^<svg role="img" aria-label="Sales &amp; more" /)
      for (const name of [...categories, ...(chart.series.length > 1 ? ['Old', 'New'] : [])])
        expect(svg).toContain(name)
    })
  }

  test('names its axes, writes units, and groups digits', async () => {
    const labels = { x_label: 'Quarter', y_label: 'Revenue', unit: '€' }
    const svg = await draw({ type: 'bar', categories, series: [{ values: [1200, 3400, 5600] }], ...labels })
    expect(svg).toContain('Quarter')
    expect(svg).toContain('Revenue')
    expect(svg).toContain('5,600 €')
  })

  test('of points has numbers along both axes', async () => {
    expect(await draw({ type: 'scatter', series: points, x_label: 'Length' })).toContain('Length')
    expect(await draw({ type: 'line', series: points })).toContain('<path')
  })

  test('tells many series apart by patterns, and keeps a long legend below the drawing', async () => {
    const many = Array.from({ length: 10 }, (_, index) => ({ name: `A rather long name ${index}`, values: [1, 2, 3] }))
    const svg = await draw({ type: 'bar', categories, series: many })
    expect(svg).toContain('<pattern')
    expect(await draw({ type: 'bar', categories, series: two })).not.toContain('<pattern')
    const heightOf = (name: string) =>
      Number(new RegExp(`translate\\([\\d.]+ ([\\d.]+)\\)[^>]*>${name}<`).exec(svg)?.[1])
    expect(heightOf('A rather long name 0')).toBeGreaterThan(heightOf('North'))
  })

  test('shows names as they are, and not as markup', async () => {
    const svg = await draw({ type: 'pie', title: '<script>"', categories: ['<b>&', 'c'], series: [{ values: [1, 2] }] })
    expect(svg).not.toContain('<script>')
    expect(svg).not.toContain('<b>')
  })

  test('as PNG is twice as large, with a small picture for a preview', async () => {
    const chart = chartOf({ type: 'bar', categories, series: two, width: 600, height: 400 })
    const { bytes, picture } = await make({ kind: 'png', chart })
    expect(bytes.subarray(0, 8)).toEqual(Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]))
    expect([bytes.readUInt32BE(16), bytes.readUInt32BE(20)]).toEqual([1200, 800])
    expect(Buffer.from(picture!.bytes).readUInt32BE(16)).toBe(600)
  })

  test('as PNG has letters that run from right to left', async () => {
    const named = (name: string) =>
      make({ kind: 'png', chart: chartOf({ type: 'pie', categories: [name, 'b'], series: [{ values: [1, 2] }] }) })
    const [arabic, hebrew] = await Promise.all([named('بيروت'), named('חיפה')])
    expect(arabic.bytes).not.toEqual(hebrew.bytes)
  })

  test('as PNG is refused for letters that the fonts lack, as SVG not', async () => {
    const chart = chartOf({ type: 'pie', categories: ['東京', 'b'], series: [{ values: [1, 2] }] })
    await expect(make({ kind: 'png', chart })).rejects.toThrow(/Han.*\.svg/)
    expect((await make({ kind: 'svg', chart })).bytes.toString()).toContain('東京')
  })
})

test('data that makes no chart is refused with what is missing', () => {
  expect(problem({ type: 'bar', series: two })).toContain('needs categories')
  expect(problem({ type: 'bar', categories, series: [] })).toContain('series')
  expect(problem({ type: 'bar', categories, series: [{ values: [1] }] })).toContain('1 values for 3 categories')
  expect(problem({ type: 'bar', categories, series: [{ values: [null, null, null] }] })).toContain('no values')
  expect(problem({ type: 'pie', categories, series: two })).toContain('takes one series')
  expect(problem({ type: 'pie', categories, series: [{ values: [1, -2, 3] }] })).toContain('negative')
  expect(problem({ type: 'scatter', categories, series: two })).toContain('needs points')
  expect(problem({ type: 'line', series: two })).toContain('without categories needs points')
  expect(problem({ type: 'scatter', series: [{ points: [[1]] }] })).toContain('points')
  expect(problem({ type: 'radar', series: two })).toContain('type')
  expect(problem({ type: 'bar', categories, series: two })).toBe('"none"')
})
