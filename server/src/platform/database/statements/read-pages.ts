export interface PageOf<Place> {
  /** The last one of the page before. */
  after: Place | undefined
  limit: number
}

/** All pages of rows, one after another. @param next reads a page, in an order of its own */
export async function* readPages<Row extends Place, Place>(
  next: (page: PageOf<Place>) => Promise<Row[]>,
  limit: number,
): AsyncGenerator<Row[]> {
  for (let after: Place | undefined; ; ) {
    const rows = await next({ after, limit })
    if (rows.length > 0) yield rows
    if (rows.length < limit) return
    after = rows.at(-1)
  }
}
