import { hasUnspaced, termOf } from './analysis.ts'
import { forEachSpan } from './spans.ts'

/** Position of a term in a text: offsets in UTF-16 units, the end not included. */
export interface TermOccurrence {
  term: string
  start: number
  end: number
}

/** Finds every occurrence of these terms in a text, in order: whole words, in every form. */
export function findTermOccurrences(text: string, terms: readonly string[]): TermOccurrence[] {
  const spaced = new Set(terms.filter((term) => !hasUnspaced(term)))
  const unspaced = terms.filter(hasUnspaced)
  const found: TermOccurrence[] = []
  forEachSpan(text, (start, end, isUnspaced) => {
    const run = text.slice(start, end)
    if (!isUnspaced) {
      const term = termOf(run)
      if (spaced.has(term)) found.push({ term, start, end })
      return
    }
    for (const term of unspaced)
      for (let at = run.indexOf(term); at >= 0; at = run.indexOf(term, at + term.length))
        found.push({ term, start: start + at, end: start + at + term.length })
  })
  return found.sort((a, b) => a.start - b.start || b.end - a.end)
}
