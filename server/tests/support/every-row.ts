import { inspect } from 'node:util'

type ValuesOf<Row extends readonly unknown[]> = Row extends readonly [...infer Values] ? Values : never[]

/**
 * Checks each row of a table in one test; a row that is a list gives several arguments, as with `test.each`.
 * @throws the first failure once all rows were checked; its message names every row that failed
 */
export function everyRow<Row extends readonly any[] | readonly [any]>(
  rows: readonly Row[],
  check: (...row: ValuesOf<Row>) => unknown,
): Promise<void>
export function everyRow<Row>(rows: readonly Row[], check: (row: Row) => unknown): Promise<void>
export async function everyRow(rows: readonly unknown[], check: (...row: any[]) => unknown): Promise<void> {
  if (rows.length === 0) throw new Error('a table without rows checks nothing')
  const failures: Error[] = []
  for (const row of rows) {
    try {
      await check(...(Array.isArray(row) ? row : [row]))
    } catch (error) {
      const failure = error instanceof Error ? error : new Error(String(error))
      failure.message = `${nameOf(row)}: ${failure.message}`
      failures.push(failure)
    }
  }
  const [first] = failures
  if (!first) return
  first.message = failures.map(({ message }) => message).join('\n')
  throw first
}

const nameOf = (row: unknown): string => inspect(row, { breakLength: Infinity, maxStringLength: 60 }).slice(0, 200)
