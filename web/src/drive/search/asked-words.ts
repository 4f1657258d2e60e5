import type { SearchHit } from '@docent/sdk'

/** Hits whose terms are called as the question has them: `insures`, where the index has `insur`. */
export function nameTermsAsAsked(hits: SearchHit[], question: string): SearchHit[] {
  const asked = question.toLowerCase().match(/[\p{L}\p{M}\p{N}]+/gu) ?? []
  const wordOf = (term: string) => asked.find((word) => word.startsWith(term)) ?? term
  return hits.map(({ explanation, ...hit }) => ({
    ...hit,
    ...(explanation && {
      explanation: {
        ...explanation,
        terms: explanation.terms.map((found) => ({ ...found, term: wordOf(found.term) })),
      },
    }),
  }))
}
