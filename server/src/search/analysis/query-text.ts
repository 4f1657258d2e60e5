import { QUERY_MAX_TERMS } from '../engine.ts'
import { termOf } from './analysis.ts'
import { forEachSpan } from './spans.ts'

/** A pasted document is not analysed to its end. */
const QUERY_MAX_CHARACTERS = 8_000

export interface QueryText {
  /** Query for the engine: words only, so that nothing in it can be taken for syntax, each term once. */
  searchText: string
  /** The terms, each once. */
  terms: string[]
}

/**
 * Understands a question as the index understood its passages.
 * @param segment the engine's own tokenizer, for scripts without spaces
 */
export async function readQueryText(text: string, segment: (run: string) => Promise<string[]>): Promise<QueryText> {
  const runs: { text: string; unspaced: boolean }[] = []
  const whole = text.slice(0, QUERY_MAX_CHARACTERS).normalize('NFC')
  forEachSpan(whole, (start, end, unspaced) => runs.push({ text: whole.slice(start, end), unspaced }))

  const terms = new Set<string>()
  const words: string[] = []
  for (const run of runs) {
    if (terms.size >= QUERY_MAX_TERMS) break
    const found = (run.unspaced ? await segment(run.text) : [termOf(run.text)]).filter(
      (term) => term && !terms.has(term),
    )
    if (found.length === 0) continue
    words.push(run.text)
    for (const term of found) terms.add(term)
  }
  return { searchText: words.join(' '), terms: [...terms].slice(0, QUERY_MAX_TERMS) }
}
