import { z } from 'zod'

const Text = z.looseObject({
  plain_text: z.string().default(''),
  href: z.string().nullish(),
  annotations: z
    .looseObject({
      bold: z.boolean().optional(),
      italic: z.boolean().optional(),
      strikethrough: z.boolean().optional(),
      code: z.boolean().optional(),
    })
    .optional(),
})
export const RichText = z.array(Text)

const textsOf = (value: unknown) => RichText.safeParse(value).data ?? []

/** Rich text without its forms; empty for what is none. */
export const plainText = (value: unknown): string =>
  textsOf(value)
    .map(({ plain_text }) => plain_text)
    .join('')

/** Rich text as Markdown; empty for what is none. */
export const markdownText = (value: unknown): string =>
  textsOf(value)
    .map(({ plain_text, href, annotations = {} }) => {
      const [, before = '', text = '', after = ''] = /^(\s*)([\s\S]*?)(\s*)$/.exec(plain_text) ?? []
      if (!text) return plain_text
      let marked = annotations.code ? `\`${text}\`` : text
      if (annotations.bold) marked = `**${marked}**`
      if (annotations.italic) marked = `*${marked}*`
      if (annotations.strikethrough) marked = `~~${marked}~~`
      if (href && /^https?:/.test(href)) marked = `[${marked}](${href})`
      return before + marked + after
    })
    .join('')

/** Properties of a page that hold something, a line each; the title is left out. */
export function propertyLines(properties: Record<string, { type: string; [field: string]: unknown }>): string[] {
  const lines = Object.entries(properties).flatMap(([name, property]) => {
    const value = property.type === 'title' ? '' : wordsOf(property[property.type])
    return value ? [`${name}: ${value}`] : []
  })
  return lines.length > 0 ? [lines.map((line) => `- ${line}`).join('\n')] : []
}

/** Value of a property in words: most forms hold a text, a number, a name, or a list of them. */
function wordsOf(value: unknown, depth = 0): string {
  if (typeof value === 'string' || typeof value === 'number') return String(value)
  if (typeof value === 'boolean') return value ? 'yes' : 'no'
  if (typeof value !== 'object' || value === null || depth > 4) return ''
  if (Array.isArray(value)) {
    const isText = value.some((one) => typeof one?.plain_text === 'string')
    const parts = value.map((one) => wordsOf(one, depth + 1)).filter(Boolean)
    return isText ? plainText(value) : parts.join(', ')
  }
  const fields = value as Record<string, unknown>
  if (typeof fields.start === 'string')
    return typeof fields.end === 'string' ? `${fields.start} – ${fields.end}` : fields.start
  if (typeof fields.name === 'string') return fields.name
  if (typeof fields.type === 'string') return wordsOf(fields[fields.type], depth + 1)
  return ''
}
