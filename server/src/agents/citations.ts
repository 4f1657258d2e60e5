import type { Location } from '../retrieval/document.ts'

/** A passage that an answer refers to as `[index]`. */
export interface Citation {
  index: number
  data_source_id: string
  title: string
  location: Location
  text: string
}

export interface CitationBook {
  /** The number of a passage in this run: the same again when it was found before. */
  indexOf(passage: Omit<Citation, 'index'> & { key: string }): number
  /** Those whose number the text names, by number. */
  citedIn(text: string): Citation[]
}

/** Longest text that a citation carries: enough to recognise the passage by. */
const TEXT_LENGTH = 2000

export function createCitationBook(): CitationBook {
  const byKey = new Map<string, Citation>()
  return {
    indexOf({ key, ...passage }) {
      const known = byKey.get(key)
      if (known) return known.index
      const index = byKey.size + 1
      byKey.set(key, { index, ...passage, text: passage.text.slice(0, TEXT_LENGTH) })
      return index
    },
    citedIn(text) {
      const named = new Set<number>()
      for (const [, list] of text.matchAll(/\[(\d{1,4}(?:\s*,\s*\d{1,4})*)\]/g)) {
        for (const number of list!.split(',')) named.add(Number(number))
      }
      return [...byKey.values()].filter(({ index }) => named.has(index))
    },
  }
}
