import type { Location } from '../../content/read/parsed-document.ts'

/** A passage that an answer refers to as `[index]`. */
export interface Citation {
  index: number
  data_source_id: string
  title: string
  /** Address of the document in the web. */
  url?: string | undefined
  location: Location
  text: string
}

/** A passage with the fields that identify it. */
export type KeyedCitation = Citation & { key: string }

export interface CitationBook {
  /** The number of a passage in this run: the same again when it was found before. */
  indexOf(passage: Omit<KeyedCitation, 'index'>): number
  /** Citations whose number the text names, by number. */
  citedIn(text: string): Citation[]
}

/** Longest text that a citation carries: enough to recognise the passage by. */
const TEXT_LENGTH = 2000

/** @param entries what the run found so far; found passages are added to it */
export function createCitationBook(entries: KeyedCitation[] = []): CitationBook {
  const byKey = new Map(entries.map((entry) => [entry.key, entry]))
  return {
    indexOf(passage) {
      const known = byKey.get(passage.key)
      if (known) return known.index
      const index = entries.length + 1
      const entry = { index, ...passage, text: passage.text.slice(0, TEXT_LENGTH) }
      entries.push(entry)
      byKey.set(entry.key, entry)
      return index
    },
    citedIn(text) {
      const named = new Set<number>()
      for (const [, list] of text.matchAll(/\[(\d{1,4}(?:\s*,\s*\d{1,4})*)\]/g)) {
        for (const number of list!.split(',')) named.add(Number(number))
      }
      return entries.filter(({ index }) => named.has(index)).map(({ key: _, ...citation }) => citation)
    },
  }
}
