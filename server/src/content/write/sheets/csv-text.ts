import type { MadeFile } from '../make-request.ts'

/** Separators that a spreadsheet may go by: which of them depends on the country it is set to. */
const SEPARATORS = [',', ';', '\t']
/** Characters at which a spreadsheet begins to calculate, also in the wide forms of East Asian keyboards. */
const FORMULA = /^(?: *[=@＝＠]|[+\-＋－\t\r])/
/** Formulas that reach beyond their own cell, as no text is likely to begin: a function, or a call of a program. */
const REACHING = /^(?: *[=@＝＠]|[+\-＋－].*?(?:\w\(|\|.*!))/s
const MAY_HOLD_ONE = /(?:^|[,;\t\r\n"] *)[=@＝＠+\-＋－\t\r]/
/** Numbers, dates, telephone numbers: nothing that a spreadsheet could send anywhere. */
const PLAIN_NUMBER = /^(?:[\d\s.,+\-%()/:€$£']*|[+-]?(?:\d+\.?\d*|\.\d+)e[+-]?\d+)$/i
/** Long enough for a number. */
const LONGEST_NUMBER = 60
/** No spreadsheet takes longer ones. */
const LONGEST_FORMULA = 8_192

/**
 * Text of a CSV or TSV file with an apostrophe in front of each cell that a spreadsheet would take for a formula: an
 * agent may have been talked into one that sends the cells around it away. All else stays as it is.
 */
export function withoutFormulas(text: string): { text: string; cells: number } {
  if (!MAY_HOLD_ONE.test(text)) return { text, cells: 0 }
  const own = separatorOf(text)
  const places = new Set(
    SEPARATORS.flatMap((separator) => formulasIn(text, separator, separator === own ? FORMULA : REACHING)),
  )
  let result = ''
  let done = 0
  for (const at of [...places].sort((a, b) => a - b)) {
    result += `${text.slice(done, at)}'`
    done = at
  }
  return { text: result + text.slice(done), cells: places.size }
}

/** A CSV or TSV file, with a note for the model if it is not as it was given. */
export function makeCsv(content: string): MadeFile {
  const { text, cells } = withoutFormulas(content)
  const [what, as] = cells === 1 ? ['1 cell', 'a formula'] : [`${cells} cells`, 'formulas']
  const note = `A spreadsheet would take ${what} for ${as}: an apostrophe was put in front. For formulas make an .xlsx file.`
  return { bytes: Buffer.from(text), notes: cells > 0 ? [note] : [] }
}

/** Places at which cells begin that are formulas, after their quotation mark if they have one. */
function formulasIn(text: string, separator: string, formula: RegExp): number[] {
  const places: number[] = []
  const ends = separator.charCodeAt(0)
  let isQuoted = false
  let isInQuotes = false
  let start = 0
  for (let at = 0; at <= text.length; at++) {
    const code = text.charCodeAt(at)
    if (code === QUOTE) {
      if (at === start) isQuoted = true
      if (isQuoted) isInQuotes = !isInQuotes
    } else if (at === text.length || (!isInQuotes && (code === ends || code === LF || code === CR))) {
      const [from, to] = isQuoted ? [start + 1, at - 1] : [start, at]
      if (isFormula(text, from, to, formula)) places.push(from)
      start = at + 1
      isQuoted = false
      isInQuotes = false
    }
  }
  return places
}

const [QUOTE, LF, CR] = [34, 10, 13]

/** The one that the first line has most of. */
function separatorOf(text: string): string {
  const [line = ''] = /^.*/.exec(text) ?? []
  const count = (separator: string) => line.split(separator).length
  return SEPARATORS.reduce((best, next) => (count(next) > count(best) ? next : best))
}

function isFormula(text: string, from: number, to: number, formula: RegExp): boolean {
  const first = text.charCodeAt(from)
  // Letters and digits, as most cells begin.
  if ((first > 64 && first < 0xff00) || (first > 47 && first < 58)) return false
  if (!formula.test(text.slice(from, Math.min(to, from + LONGEST_FORMULA)))) return false
  return to - from > LONGEST_NUMBER || !PLAIN_NUMBER.test(text.slice(from, to))
}
