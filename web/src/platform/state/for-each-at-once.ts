/** Does something for each item, so many at once, in their order. @throws what the first fails with */
export async function forEachAtOnce<T>(
  items: Iterable<T>,
  most: number,
  work: (item: T) => Promise<void>,
): Promise<void> {
  const waiting = [...items]
  async function workNext(): Promise<void> {
    while (waiting.length > 0) await work(waiting.shift()!)
  }
  await Promise.all(Array.from({ length: most }, workNext))
}
