import { Readable } from 'node:stream'
import { invalidField } from '../../platform/errors.ts'
import { CreateCase, MOST_CASES } from './sets.schemas.ts'

const COLUMNS = [
  'question',
  'expected_answers',
  'reference_answer',
  'expected_files',
  'passages',
  'tags',
  'answerable',
] as const
type Column = (typeof COLUMNS)[number]

const isColumn = (name: string): name is Column => (COLUMNS as readonly string[]).includes(name)

/** One line of the file, with the number at which an editor or a spreadsheet shows it. */
interface Line {
  record: string[]
  info: { lines: number }
}

/**
 * Reads cases from comma-separated values with a head line. `expected_answers`, `expected_files`, `passages` and `tags`
 * hold several texts divided by `|`; a file is an id, a path that begins with `/`, or else an external id.
 * @returns the cases, with the line that each stands in
 * @throws ValidationError that names the line and the column; nothing is read in part
 */
export async function readCsv(csv: string): Promise<{ cases: CreateCase[]; lines: number[] }> {
  const lines = await readLines(csv)
  const [head, ...rows] = lines
  if (!head) throw invalidField('csv', 'holds no line')
  const columns = head.record.map((name) => name.trim().toLowerCase())
  const unknown = columns.find((name) => !isColumn(name))
  if (unknown !== undefined)
    throw invalidField('csv', `line 1: there is no column "${unknown}"; there are ${COLUMNS.join(', ')}`)
  if (!columns.includes('question')) throw invalidField('csv', 'line 1: the column question is missing')
  if (new Set(columns).size < columns.length) throw invalidField('csv', 'line 1: a column stands there twice')
  if (rows.length === 0) throw invalidField('csv', 'holds no line below the names of the columns')
  if (rows.length > MOST_CASES) throw invalidField('csv', `holds more than ${MOST_CASES} cases`)
  return {
    cases: rows.map((row) => toCase(row, columns as Column[])),
    lines: rows.map(({ info }) => info.lines),
  }
}

async function readLines(csv: string): Promise<Line[]> {
  const { CsvError, parse } = await import('csv-parse')
  const parser = Readable.from([csv]).pipe(
    parse({ bom: true, info: true, skip_empty_lines: true, relax_column_count: true }),
  )
  const lines: Line[] = []
  try {
    for await (const line of parser) lines.push(line as Line)
  } catch (error) {
    if (!(error instanceof CsvError)) throw error
    throw invalidField(
      'csv',
      `line ${error.lines ?? lines.length + 1}: cannot be read; a quotation mark is missing or too many`,
    )
  }
  return lines
}

function toCase({ record, info }: Line, columns: Column[]): CreateCase {
  const wrong = (message: string) => invalidField('csv', `line ${info.lines}: ${message}`)
  if (record.length !== columns.length)
    throw wrong(`has ${record.length} fields instead of ${columns.length}; texts with commas need quotation marks`)
  const row = Object.fromEntries(columns.map((column, index) => [column, record[index]!.trim()])) as Partial<
    Record<Column, string>
  >
  const files = listOf(row.expected_files)
  const passages = listOf(row.passages)
  if (passages.length > 0 && passages.length !== files.length)
    throw wrong(`passages has ${passages.length} texts, and expected_files ${files.length}: one for each file`)
  const answerable = flagOf(row.answerable)
  if (answerable === undefined) throw wrong('answerable must be true or false')
  const parsed = CreateCase.safeParse({
    question: row.question,
    expected_answers: listOf(row.expected_answers),
    reference_answer: row.reference_answer || null,
    expected_files: files.map((file, index) => ({ ...nameOf(file), passage: passages[index] ?? null })),
    tags: listOf(row.tags),
    answerable,
  })
  if (parsed.success) return parsed.data
  const { path, message } = parsed.error.issues[0]!
  throw wrong(`${String(path[0] ?? 'case')}: ${message}`)
}

const listOf = (text = ''): string[] =>
  text
    .split('|')
    .map((part) => part.trim())
    .filter(Boolean)

const nameOf = (file: string) =>
  file.startsWith('/') ? { path: file } : /^[0-9a-f]{24}$/.test(file) ? { data_source_id: file } : { external_id: file }

function flagOf(text = ''): boolean | undefined {
  if (text === '' || /^(true|yes|1)$/i.test(text)) return true
  return /^(false|no|0)$/i.test(text) ? false : undefined
}
