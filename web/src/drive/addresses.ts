import type { Location } from '@docent/sdk'

// What the addresses of the drive say. The router reads them before the drive itself is loaded.

/** What is looked for in a folder: by name, or (`test`, empty at first) as agents would. */
export interface LookedFor {
  q?: string
  test?: string
}

export const lookedFor = ({ q, test }: Record<string, unknown>): LookedFor => ({
  ...(q !== undefined && q !== '' && { q: String(q) }),
  ...(test !== undefined && { test: String(test) }),
})

/** Where in a file somebody wants to go. */
export interface PlaceInFile {
  page?: number
  /** Place of a passage among those of the file. */
  at?: number
  /** Words with which a passage begins. */
  quote?: string
}

const QUOTE_CHARS = 400

/** What an address says of a place; anything else in it is not ours. */
export function placeFrom(search: Record<string, unknown>): PlaceInFile {
  const page = Number(search.page)
  const at = search.at === undefined ? Number.NaN : Number(search.at)
  const quote = search.quote === undefined ? '' : String(search.quote)
  return {
    ...(Number.isSafeInteger(page) && page > 0 && { page }),
    ...(Number.isSafeInteger(at) && at >= 0 && { at }),
    ...(quote !== '' && { quote: quote.slice(0, QUOTE_CHARS) }),
  }
}

/** The place of a citation: which passage of its file it is, it does not say. */
export const placeOfCitation = ({ location, text }: { location: Location; text: string }): PlaceInFile =>
  placeFrom({ page: location.page ?? location.slide, quote: text.trim().slice(0, QUOTE_CHARS) })
