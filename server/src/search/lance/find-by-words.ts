import { TermFinder } from '../analysis/analysis.ts'
import type { QueryText } from '../analysis/query-text.ts'
import type { SearchQuery } from '../engine.ts'
import { mayBeMisspelt } from '../ranking/spelling.ts'
import type { TermStatistics } from '../recent/term-weights.ts'
import { withCodesAsWritten } from './find-codes.ts'
import type { LanceSpace } from './lance-space.ts'
import type { Candidate } from './rows/lance-reads.ts'

/** Words of a question that are looked up in the index; more than that occur nowhere in a text of another language. */
const MOST_MISSPELT = 4

interface FoundByWords {
  /** The question, with the words that were meant beside those that occur nowhere. */
  text: QueryText
  candidates: Candidate[]
  statistics: TermStatistics
}

/** Passages that a search is about. */
interface Among {
  query: SearchQuery
  filter: string | undefined
  depth: number
}

/**
 * Candidates by words, best first. A word that occurs nowhere is looked for as the nearest one of what is searched, too:
 * only questions with such a word pay for it. It stays among the terms, because it may be right and its subject unknown.
 */
export async function findByWords(
  space: LanceSpace,
  text: QueryText,
  query: SearchQuery,
  { filter, depth }: Omit<Among, 'query'>,
): Promise<FoundByWords> {
  const found = await space.findByWords(text, query, filter, depth)
  const standsNowhere = (term: string) => found.statistics.documentFrequencies[text.terms.indexOf(term)] === 0
  const written = await withCodesAsWritten(text, { ...found, standsNowhere }, (code) =>
    space.findByWords(code, query, filter, depth),
  )
  if (written) return findByWords(space, written, query, { filter, depth })
  const held = { ...text, forms: formsHeld(text, found.candidates) }
  const meant = await findMeantWords(space, held, found, { query, filter, depth })
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

/** Words meant by those that occur nowhere: what a compound is made of, or else the nearest word of what is searched. */
async function findMeantWords(
  space: LanceSpace,
  { terms, forms, partsOf }: QueryText,
  { candidates, statistics }: Omit<FoundByWords, 'text'>,
  among: Among,
): Promise<string[]> {
  const unknown = terms.filter(
    (term, at) => statistics.documentFrequencies[at] === 0 && !forms[at]?.length && mayBeMisspelt(term),
  )
  if (unknown.length === 0) return []
  // Passages that came after the last compaction are not in the frequencies.
  const finder = new TermFinder(unknown)
  const held = new Set(candidates.flatMap(({ body }) => finder.find(body).map(({ term }) => unknown[term])))
  const looked = unknown.filter((term) => !held.has(term)).slice(0, MOST_MISSPELT)
  const words = await Promise.all(
    looked.map(async (term) => {
      const found = await partsOfCompound(space, term, partsOf(term), among)
      return found ?? [await space.wordFor(term, among.filter)]
    }),
  )
  return [...new Set(words.flat())].filter((word) => word !== undefined && !terms.includes(word)) as string[]
}

/** Pair of words that a compound is made of: of those it may be, the one that the best passage with both says. */
async function partsOfCompound(
  space: LanceSpace,
  compound: string,
  pairs: readonly [string, string][],
  { query, filter, depth }: Among,
): Promise<[string, string] | undefined> {
  const words = [...new Set(pairs.flat())].filter(Boolean)
  if (words.length === 0) return undefined
  const text = { searchText: compound, terms: [compound], counts: [1], forms: [words], formsText: words.join(' ') }
  const { candidates } = await space.findByWords({ ...text, partsOf: () => [], codes: [] }, query, filter, depth)
  const finder = new TermFinder(words)
  for (const { body } of candidates) {
    const held = new Set(finder.find(body).map(({ term }) => words[term]))
    const pair = pairs.find(([first, second]) => first !== second && held.has(first) && held.has(second))
    if (pair) return pair
  }
  return undefined
}
