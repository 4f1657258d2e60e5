/** Characters overlooked between letters; few of them, so that a text full of them takes no time. */
const GAP = String.raw`[\s\p{Cf}\p{Mn}]{0,5}`
/** `<passage` and `</passage`, also as they are written to be missed: with gaps, or other signs for `<` and `/`. */
const MARK = new RegExp(
  String.raw`(?:[<＜﹤〈]|&(?:lt|#0{0,5}60|#x0{0,5}3c);?)(?=${GAP}[/／\\]{0,2}${GAP}${[...'passage'].join(GAP)})`,
  'giu',
)
const LONGEST_ATTRIBUTE = 300

/** Keeps quoted material from closing the section that marks it as such, or from beginning another one. */
export const quoted = (text: string): string => text.replaceAll(MARK, '‹')

/**
 * The one form in which the model is shown what others wrote: documents, pages, results of tools. What is in it is
 * material and not a word of ours, whatever it says; the system prompt tells so. Attributes without a value are left
 * out; their values may come from others, too.
 */
export function dataSection(attributes: Record<string, string | number | undefined>, text: string): string {
  const written = Object.entries(attributes)
    .filter(([, value]) => value !== undefined && value !== '')
    .map(([name, value]) => ` ${name}="${attribute(String(value))}"`)
  return `<passage${written.join('')}>\n${quoted(text)}\n</passage>`
}

/** Puts a text on one line, without a sign that could end the quotation. */
const attribute = (text: string): string =>
  text
    .replaceAll(/[\s\p{Cc}\p{Cf}]+/gu, ' ')
    .replaceAll('"', "'")
    .replaceAll(/[<＜]/g, '‹')
    .replaceAll(/[>＞]/g, '›')
    .slice(0, LONGEST_ATTRIBUTE)
    .toWellFormed()
    .trim()
