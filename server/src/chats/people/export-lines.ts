import { Readable } from 'node:stream'
import type { MadeZipEntry } from '../../drive/drive.ts'
import { type PageOf, readPages } from '../../platform/database/statements/read-pages.ts'

/** Messages may hold texts of several hundred kilobytes. */
const ROWS_AT_ONCE = 20

/** Reads a page of rows, in an order of its own. */
export type Next<Row extends Place, Place> = (page: PageOf<Place>) => Promise<Row[]>
export type Show<Row> = (rows: Row[]) => unknown[] | Promise<unknown[]>

/** A line of JSON for each row. */
export async function* writeLines<Row extends Place, Place>(
  next: Next<Row, Place>,
  show: Show<Row>,
): AsyncGenerator<string> {
  for await (const rows of readPages(next, ROWS_AT_ONCE))
    for (const row of await show(rows)) yield `${JSON.stringify(row)}\n`
}

/** File of an archive with texts that are made while it is read. */
export const made = (
  name: string,
  content: Iterable<string> | AsyncIterable<string>,
  modifiedAt: string,
): MadeZipEntry => ({
  name,
  mediaType: 'application/json',
  modifiedAt,
  content: () => Readable.from(encode(content), { objectMode: false }),
})

async function* encode(texts: Iterable<string> | AsyncIterable<string>): AsyncGenerator<Buffer> {
  for await (const text of texts) yield Buffer.from(text)
}
