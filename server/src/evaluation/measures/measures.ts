/** Measures of one answer; null where the case says nothing that it could be held against. */
export interface Measures {
  recall_at_5: number | null
  recall_at_10: number | null
  ndcg_at_10: number | null
  quoted: boolean | null
  cited_expected: boolean | null
  declined: boolean | null
  declined_right: boolean | null
  judge_score: number | null
}

/** A file that is expected, with words of the passage, or null for any of its passages. */
export interface Expectation {
  id: string
  passage: string | null
}

/** A passage that a run found, in the order of its ranks. */
export interface RankedPassage {
  data_source_id: string
  text: string
}

/** Characters of an expected passage that are looked for: what was found may have been cut where chunks end. */
const COMPARED = 120

/** Words of a text in lower case, single spaces between them: marks, quotes and line breaks do not matter. */
const plain = (text: string): string =>
  text
    .normalize('NFKC')
    .replaceAll(/\[\d{1,4}(?:\s*,\s*\d{1,4})*\]/g, ' ')
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N}\p{M}]+/gu, ' ')
    .trim()

/** Whether a text has another one in it, word by word. */
export const holds = (text: string, part: string): boolean => {
  const words = plain(part)
  return words !== '' && ` ${plain(text)} `.includes(` ${words} `)
}

const matches = (passage: RankedPassage, { id, passage: words }: Expectation): boolean =>
  passage.data_source_id === id && (words === null || holds(passage.text, words) || overlaps(passage.text, words))

/** Whether the beginning of a long passage is in a text. */
function overlaps(text: string, words: string): boolean {
  const beginning = plain(words).slice(0, COMPARED)
  return beginning.length === COMPARED && plain(text).includes(beginning)
}

/** Rank of the first passage that meets each expectation, from 1; undefined where none does. */
export const ranksOf = (found: readonly RankedPassage[], expected: readonly Expectation[]): (number | undefined)[] =>
  expected.map((one) => {
    const index = found.findIndex((passage) => matches(passage, one))
    return index < 0 ? undefined : index + 1
  })

/**
 * Recall at k: how much of what is expected is among the first k passages.
 * Source: Manning, Raghavan, Schütze, Introduction to Information Retrieval (2008), 8.3 and 8.4.
 * @returns null where nothing is expected
 */
export function recallAt(k: number, ranks: readonly (number | undefined)[]): number | null {
  if (ranks.length === 0) return null
  return ranks.filter((rank) => rank !== undefined && rank <= k).length / ranks.length
}

/**
 * Normalised discounted cumulative gain at k with gains of 0 and 1: the sum of 1 / log2(rank + 1) over what was found
 * among the first k, divided by that sum for the best order. Two expectations that one passage meets count at its rank
 * once, and the second at the next.
 * Source: Järvelin, Kekäläinen, Cumulated gain-based evaluation of IR techniques, ACM TOIS 20(4), 2002.
 * @returns null where nothing is expected
 */
export function ndcgAt(k: number, ranks: readonly (number | undefined)[]): number | null {
  if (ranks.length === 0) return null
  const found = ranks.filter((rank) => rank !== undefined).sort((a, b) => a - b)
  let last = 0
  let gain = 0
  for (const rank of found) {
    last = Math.max(rank, last + 1)
    if (last <= k) gain += discount(last)
  }
  let best = 0
  for (let rank = 1; rank <= Math.min(k, ranks.length); rank++) best += discount(rank)
  return gain / best
}

const discount = (rank: number): number => 1 / Math.log2(rank + 1)

export interface Answered {
  text: string
  /** Passages that the run found, best first. */
  found: readonly RankedPassage[]
  /** Files that the answer cites. */
  citedIds: readonly string[]
  /** Whether the agent has documents at all. */
  hasDocuments: boolean
  judged?: { score: number; declined: boolean } | undefined
}

export interface Asked {
  expectedAnswers: readonly string[]
  expected: readonly Expectation[]
  isAnswerable: boolean
}

/**
 * Measures an answer. It counts as declined if the judge says so; without one, if it cites no document though the agent
 * has some, because agents cite what they take from documents.
 */
export function measure({ expectedAnswers, expected, isAnswerable }: Asked, answered: Answered): Measures {
  const { text, found, citedIds, hasDocuments, judged } = answered
  const ranks = ranksOf(found, expected)
  const declined = judged?.declined ?? (hasDocuments ? citedIds.length === 0 : null)
  return {
    recall_at_5: recallAt(5, ranks),
    recall_at_10: recallAt(10, ranks),
    ndcg_at_10: ndcgAt(10, ranks),
    quoted: expectedAnswers.length === 0 ? null : expectedAnswers.some((one) => holds(text, one)),
    cited_expected: expected.length === 0 ? null : expected.some(({ id }) => citedIds.includes(id)),
    declined,
    declined_right: declined === null ? null : declined !== isAnswerable,
    judge_score: judged?.score ?? null,
  }
}
