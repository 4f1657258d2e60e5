import type { Session } from './session.ts'

/** First items of a list, at most `limit` of them; all without one. */
export async function firstOf<T>(list: AsyncIterable<T>, limit = Number.POSITIVE_INFINITY): Promise<T[]> {
  const items: T[] = []
  for await (const item of list) {
    items.push(item)
    if (items.length === limit) break
  }
  return items
}

/** First items of a list, and how many it has; where there are more, people are told. */
export async function firstAndTotal<T>(
  list: AsyncIterable<T> & PromiseLike<{ total: number } | { pagination: { total_count: number } }>,
  limit: number,
  { tell }: Pick<Session, 'tell'>,
): Promise<{ items: T[]; total: number }> {
  const page = await list
  const total = 'total' in page ? page.total : page.pagination.total_count
  const items = await firstOf(list, limit)
  if (items.length < total) tell(`${items.length} of ${total}: --limit says how many are listed`)
  return { items, total }
}
