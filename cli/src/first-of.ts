/** First items of a list, at most `limit` of them; all without one. */
export async function firstOf<T>(list: AsyncIterable<T>, limit = Number.POSITIVE_INFINITY): Promise<T[]> {
  const items: T[] = []
  for await (const item of list) {
    items.push(item)
    if (items.length === limit) break
  }
  return items
}
