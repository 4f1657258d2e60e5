import { TermFinder } from '../analysis/analysis.ts'
import type { QueryText } from '../analysis/query-text.ts'
import type { SearchQuery } from '../engine.ts'
import { mayBeMisspelt } from '../ranking/spelling.ts'
import type { TermStatistics } from '../recent/term-weights.ts'
import type { LanceSpace } from './lance-space.ts'
import type { Candidate } from './rows/lance-reads.ts'

/** Words of a question that are looked up in the index; more than that stand nowhere in a text of another language. */
const MOST_MISSPELT = 4

interface FoundByWords {
  /** The question, with the words that were meant beside those that stand nowhere. */
  text: QueryText
  candidates: Candidate[]
  statistics: TermStatistics
}

/**
 * Candidates by words, best first. A word that stands nowhere is looked for as the nearest one of the index, too: only
 * questions with such a word pay for it. It stays among the terms, because it may be right and its subject unknown.
 */
export async function findByWords(
  space: LanceSpace,
  text: QueryText,
  query: SearchQuery,
  { filter, depth }: { filter: string | undefined; depth: number },
): Promise<FoundByWords> {
  const found = await space.findByWords(text, query, filter, depth)
  const held = { ...text, forms: formsHeld(text, found.candidates) }
  const meant = await wordsMeant(space, held, found)
  if (meant.length === 0) return { text: held, ...found }
  const corrected = {
    ...held,
    searchText: [text.searchText, ...meant].join(' '),
    terms: [...text.terms, ...meant],
    counts: [...text.counts, ...meant.map(() => 1)],
    forms: [...held.forms, ...meant.map(() => [])],
  }
  return { text: corrected, ...(await space.findByWords(corrected, query, filter, depth)) }
}

/** Forms asked for that some candidate holds: the others may be no words at all. */
function formsHeld({ forms }: QueryText, candidates: readonly Candidate[]): string[][] {
  const all = [...new Set(forms.flat())]
  if (all.length === 0) return forms
  const finder = new TermFinder(all)
  const held = new Set(candidates.flatMap(({ body }) => finder.find(body).map(({ term }) => all[term])))
  return forms.map((ofTerm) => ofTerm.filter((form) => held.has(form)))
}

async function wordsMeant(
  space: LanceSpace,
  { terms, forms }: QueryText,
  { candidates, statistics }: Omit<FoundByWords, 'text'>,
): Promise<string[]> {
  const unknown = terms.filter(
    (term, at) => statistics.documentFrequencies[at] === 0 && !forms[at]?.length && mayBeMisspelt(term),
  )
  if (unknown.length === 0) return []
  // Passages that came after the last compaction are not in the frequencies.
  const finder = new TermFinder(unknown)
  const held = new Set(candidates.flatMap(({ body }) => finder.find(body).map(({ term }) => unknown[term])))
  const looked = unknown.filter((term) => !held.has(term)).slice(0, MOST_MISSPELT)
  const words = await Promise.all(looked.map((term) => space.wordFor(term)))
  return [...new Set(words)].filter((word) => word !== undefined && !terms.includes(word)) as string[]
}
