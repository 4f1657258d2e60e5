import type { Location } from '@docent/sdk'

// Search parameters of the drive's URLs. The router validates them before the drive is loaded.

/** Search in a folder: by name (`q`), or by meaning as agents do (`test`, empty at first). */
export interface FolderSearch {
  q?: string
  test?: string
}

export const folderSearch = ({ q, test }: Record<string, unknown>): FolderSearch => ({
  ...(q !== undefined && q !== '' && { q: String(q) }),
  ...(test !== undefined && { test: String(test) }),
})

/** Position in a file. */
export interface FilePosition {
  page?: number
  /** Ordinal of a passage in the file. */
  at?: number
  /** First words of a passage. */
  quote?: string
  /** Rows of the passage that are meant, as it has them, one a line. */
  rows?: string
}

const QUOTE_CHARS = 400
const ROWS_CHARS = 1_000

/** Reads a position from search parameters; anything else in them is ignored. */
export function readPosition(search: Record<string, unknown>): FilePosition {
  const page = Number(search.page)
  const at = search.at === undefined ? Number.NaN : Number(search.at)
  const quote = search.quote === undefined ? '' : String(search.quote)
  const rows = search.rows === undefined ? '' : String(search.rows)
  return {
    ...(Number.isSafeInteger(page) && page > 0 && { page }),
    ...(Number.isSafeInteger(at) && at >= 0 && { at }),
    ...(quote !== '' && { quote: quote.slice(0, QUOTE_CHARS) }),
    ...(rows !== '' && { rows: rows.slice(0, ROWS_CHARS) }),
  }
}

/**
 * Position of a citation, by page and quote: citations have no ordinal.
 * @param rows numbers of the rows of a table's passage that are meant; none for all of it
 */
export const citationPosition = (
  { location, text }: { location: Location; text: string },
  rows: number[] = [],
): FilePosition => {
  const lines = text.trim().split('\n')
  const meant = rows.length > 0 && { rows: rows.map((row) => lines[row]).join('\n') }
  return readPosition({ page: location.page ?? location.slide, quote: text.trim().slice(0, QUOTE_CHARS), ...meant })
}
