import type { Chunk } from '../../content/read/parsed-document.ts'

export interface ReadFrom {
  /** Ordinal of the first passage. */
  start: number
  /** Selects only passages of this page or slide, or up to `lastPage`. */
  page?: number
  lastPage?: number
  maxWords: number
}

export interface ReadPassages {
  passages: Chunk[]
  /** Position to continue from; undefined at the end. */
  next: number | undefined
  /** The highest page that was seen: of all the file, where nothing was found. */
  pages: number
}

/** Passages of a document in order, at least one if there is any, up to a number of words. */
export async function readPassages(
  batches: AsyncIterable<Chunk[]> | Iterable<Chunk[]>,
  { start, page, lastPage = page, maxWords }: ReadFrom,
  signal: AbortSignal,
): Promise<ReadPassages> {
  const passages: Chunk[] = []
  let words = 0
  let pages = 0
  for await (const batch of batches) {
    signal.throwIfAborted()
    for (const passage of batch) {
      const at = passage.location.page ?? passage.location.slide ?? 0
      pages = Math.max(pages, at)
      if (passage.ordinal < start || (page && (at < page || at > lastPage!))) continue
      words += passage.text.split(/\s+/).length
      if (words > maxWords && passages.length > 0) return { passages, next: passage.ordinal, pages }
      passages.push(passage)
    }
  }
  return { passages, next: undefined, pages }
}
