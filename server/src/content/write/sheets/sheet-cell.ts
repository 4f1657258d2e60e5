import { MakeFailure } from '../failure.ts'

export interface StyledCell {
  value: string | number | boolean | Date
  isFormula?: boolean
  /** Number format of spreadsheets: `#,##0.00`, `yyyy-mm-dd`. */
  format?: string
}

export type SheetCell = string | number | boolean | null | StyledCell

type Scalar = string | number | boolean | null

/** Excel's limit for the text of a cell. */
const MOST_CHARACTERS = 32_767

/** Text stays text in JSON, but for dates; a formula is one only where it says so. */
export function jsonCell(
  given: Scalar | { formula: string; format?: string } | { value: Scalar; format?: string },
  isHeader: boolean,
): SheetCell {
  if (given === null || typeof given !== 'object') return typeof given === 'string' ? textCell(given, isHeader) : given
  if ('formula' in given) return { value: formulaOf(given.formula), isFormula: true, format: given.format }
  const cell = jsonCell(given.value, isHeader)
  if (cell === null || !given.format) return cell
  return typeof cell === 'object' ? { ...cell, format: given.format } : { value: cell, format: given.format }
}

/** Formulas that reach out of the workbook: what an agent has read may have talked it into sending that away. */
const REACHES_OUT =
  /\b(WEBSERVICE|FILTERXML|HYPERLINK|IMAGE|RTD|CALL|REGISTER(\.ID)?|EXEC|DDE|SQL\.REQUEST|IMPORT\w+)\s*\(|\||\[|\/\//i

/** Formula as files store it, without the equals sign. */
function formulaOf(formula: string): string {
  if (REACHES_OUT.test(formula)) {
    throw new MakeFailure(
      `The formula ${formula.slice(0, 100)} reaches out of the workbook, which is not allowed; write the value instead.`,
    )
  }
  return formula.slice(1)
}

const NUMBER = /^-?(0|[1-9]\d*)(\.\d+)?$/
const PERCENT = /^(-?(?:0|[1-9]\d*)(?:\.(\d+))?)\s?%$/
/** Limit on digits: a spreadsheet's numbers lose more. */
const MOST_DIGITS = 15

/** CSV has no types: numbers, percentages and true/false are seen by their looks. `007` and `+49…` stay text. */
export function csvCell(text: string, isHeader: boolean): SheetCell {
  if (text === '') return null
  if (isHeader) return textCell(text, true)
  const trimmed = text.trim()
  if (NUMBER.test(trimmed) && trimmed.replaceAll(/\D/g, '').length <= MOST_DIGITS) return Number(trimmed)
  const percent = PERCENT.exec(trimmed)
  if (percent)
    return { value: Number(percent[1]) / 100, format: percent[2] ? `0.${'0'.repeat(percent[2].length)}%` : '0%' }
  if (/^(true|false)$/i.test(trimmed)) return trimmed.toLowerCase() === 'true'
  return textCell(text, false)
}

function textCell(text: string, isHeader: boolean): SheetCell {
  if (text.length > MOST_CHARACTERS) {
    throw new MakeFailure(
      `A cell has ${text.length} characters, ${MOST_CHARACTERS} at most; write a .csv or .md file instead.`,
    )
  }
  return (!isHeader && dateCell(text)) || text
}

const DATE = /^(\d{4})-(\d{2})-(\d{2})(?:[T ](\d{2}):(\d{2})(?::(\d{2})(?:\.\d+)?)?(?:Z|[+-]\d{2}:?\d{2})?)?$/
/** Spreadsheets count days from here, but for an error in the first two months. */
const FIRST_YEAR = 1901

/** An ISO date or time becomes a real one, with the clock as it is written: spreadsheets know no time zones. */
function dateCell(text: string): StyledCell | undefined {
  const match = DATE.exec(text.trim())
  if (!match) return undefined
  const [year, month, day, hour = 0, minute = 0, second = 0] = match
    .slice(1)
    .map((part) => (part === undefined ? undefined : Number(part)))
  const value = new Date(Date.UTC(year!, month! - 1, day!, hour, minute, second))
  const isReal =
    value.getUTCMonth() === month! - 1 && value.getUTCDate() === day && hour < 24 && minute < 60 && second < 60
  if (!isReal || year! < FIRST_YEAR) return undefined
  const time = match[4] === undefined ? '' : match[6] === undefined ? ' hh:mm' : ' hh:mm:ss'
  return { value, format: `yyyy-mm-dd${time}` }
}

/** Text of a cell, close to what a spreadsheet shows. */
export function shown(cell: SheetCell): string {
  if (cell === null) return ''
  if (typeof cell !== 'object') return String(cell).split('\n', 1)[0]!
  const { value, format = '', isFormula } = cell
  if (isFormula) return `=${value}`
  if (value instanceof Date) return value.toISOString().replace('T', ' ').slice(0, format.length)
  if (typeof value === 'number' && format.endsWith('%')) return `${Number((value * 100).toFixed(10))}%`
  return String(value)
}
