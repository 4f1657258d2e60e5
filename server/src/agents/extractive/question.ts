import type { ModelMessage } from '../../platform/models/model.ts'
import { spacedTerms } from '../../search/analysis/analysis.ts'

/** Longest query that the search tool takes. */
const MAX_CHARACTERS = 2_000

const BEGINS_LIKE_A_FOLLOW_UP = /^\W*(?:and|but|or|so|then|also|(?:what|how) about|why|und|et|y)\b/i
const POINTS_BACK = /\b(?:it|its|he|him|his|she|her|they|them|their|this|that|these|those|there|one|ones)\b/i
/** A question with more terms stands by itself, whatever its first words. */
const FOLLOW_UP_MAX_TERMS = 3

/**
 * The present question of a conversation. A short follow-up ("And in winter?") is read together with the question that
 * it follows, because search sees one text only.
 * @returns an empty string when nobody asked anything
 */
export function questionOf(messages: readonly ModelMessage[]): string {
  const turns = messages
    .filter((message) => message.role === 'user')
    .map(({ question, content }) => (question ?? content).trim())
    .filter(Boolean)
  const last = turns.at(-1) ?? ''
  const asked = isFollowUp(last) ? turns.slice(0, -1).findLast((turn) => !isFollowUp(turn)) : undefined
  return cut(asked ? `${cut(asked, MAX_CHARACTERS / 2)} ${last}` : last, MAX_CHARACTERS)
}

function isFollowUp(text: string): boolean {
  if (text.length > 200) return false
  const terms = spacedTerms(text).length
  const hasOtherScript = /[^\p{ASCII}\p{sc=Latn}\p{P}]/u.test(text)
  if (terms === 0) return !hasOtherScript
  if (terms > FOLLOW_UP_MAX_TERMS) return false
  return BEGINS_LIKE_A_FOLLOW_UP.test(text) || POINTS_BACK.test(text)
}

function cut(text: string, length: number): string {
  // Not in the middle of a pair of surrogates, which no store would take.
  return text.length > length
    ? text
        .slice(0, length)
        .toWellFormed()
        .replace(/\ufffd$/, '')
    : text
}
