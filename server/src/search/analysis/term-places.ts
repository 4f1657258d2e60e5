import { hasUnspaced, termOf } from './analysis.ts'
import { forEachRun } from './runs.ts'

/** Position of a term in a text: offsets in UTF-16 units, the end not included. */
export interface TermPlace {
  term: string
  start: number
  end: number
}

/** Every place of these terms in a text, in order: whole words, whatever their form. */
export function termPlaces(text: string, terms: readonly string[]): TermPlace[] {
  const spaced = new Set(terms.filter((term) => !hasUnspaced(term)))
  const unspaced = terms.filter(hasUnspaced)
  const places: TermPlace[] = []
  forEachRun(text, (start, end, isUnspaced) => {
    const run = text.slice(start, end)
    if (!isUnspaced) {
      const term = termOf(run)
      if (spaced.has(term)) places.push({ term, start, end })
      return
    }
    for (const term of unspaced)
      for (let at = run.indexOf(term); at >= 0; at = run.indexOf(term, at + term.length))
        places.push({ term, start: start + at, end: start + at + term.length })
  })
  return places.sort((a, b) => a.start - b.start || b.end - a.end)
}
