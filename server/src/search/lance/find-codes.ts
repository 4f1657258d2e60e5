import { TermFinder } from '../analysis/analysis.ts'
import type { QueryText } from '../analysis/query-text.ts'
import type { Candidate } from './rows/lance-reads.ts'

/** Codes that are looked for in another writing; a text with more of them is a list. */
const MOST_CODES = 4

/**
 * A question with its codes as the passages write them: "KX4471B" for "KX-4471-B", and the other way round. Only codes
 * are looked for of which a part occurs nowhere, and taken where a passage has all parts side by side.
 *
 * @param standsNowhere whether no passage of the statistics holds a term
 * @param candidates found with the question as it is, newer ones than the statistics know of among them
 * @returns undefined where nothing is written otherwise
 */
export async function withCodesAsWritten(
  text: QueryText,
  { standsNowhere, candidates: found }: { standsNowhere(term: string): boolean; candidates: readonly Candidate[] },
  search: (text: QueryText) => Promise<{ candidates: readonly Candidate[] }>,
): Promise<QueryText | undefined> {
  const isHeld = (terms: string[], among: readonly Candidate[]) => among.some(({ body }) => holdsInOrder(body, terms))
  const asked = text.codes
    .filter(({ terms }) => terms.some(standsNowhere) && !isHeld(terms, found))
    .slice(0, MOST_CODES)
  let written: QueryText | undefined
  for (const { terms, others } of asked)
    for (const other of others) {
      const { candidates } = await search(onlyOf(other))
      if (!isHeld(other.terms, candidates)) continue
      written = replaced(written ?? text, terms, other)
      break
    }
  return written
}

function onlyOf(code: { text: string; terms: string[] }): QueryText {
  const terms = [...new Set(code.terms)]
  return {
    searchText: code.text,
    terms,
    counts: terms.map(() => 1),
    forms: terms.map(() => []),
    formsText: '',
    partsOf: () => [],
    codes: [],
  }
}

function holdsInOrder(body: string, terms: string[]): boolean {
  const distinct = [...new Set(terms)]
  const at = new Map(new TermFinder(distinct).find(body).map(({ term, position }) => [position, distinct[term]]))
  return [...at.keys()].some((position) => terms.every((term, after) => at.get(position + after) === term))
}

function replaced(text: QueryText, terms: string[], other: { text: string; terms: string[] }): QueryText {
  const kept = text.terms.flatMap((term, place) => (terms.includes(term) ? [] : [place]))
  const added = [...new Set(other.terms)].filter((term) => !kept.some((place) => text.terms[place] === term))
  return {
    ...text,
    searchText: `${text.searchText} ${other.text}`,
    terms: [...kept.map((place) => text.terms[place]!), ...added],
    counts: [...kept.map((place) => text.counts[place]!), ...added.map(() => 1)],
    forms: [...kept.map((place) => text.forms[place]!), ...added.map(() => [])],
    codes: [],
  }
}
