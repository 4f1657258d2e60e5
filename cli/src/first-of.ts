/** First items of a list, as many as are wanted at most. */
export async function firstOf<T>(list: AsyncIterable<T>, limit: number): Promise<T[]> {
  const items: T[] = []
  for await (const item of list) {
    items.push(item)
    if (items.length === limit) break
  }
  return items
}
