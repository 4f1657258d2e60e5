import { onFirstUse } from '../../platform/concurrency/lazy.ts'

const segmenter = onFirstUse(() => new Intl.Segmenter('en', { granularity: 'sentence' }))

// The Unicode rules end a sentence after "Dr." and "No. 5": such a piece goes with the next one.
const abbreviation =
  /(?:^|[\s("'])(?:\p{Lu}|Dr|Mr|Mrs|Ms|Prof|St|Inc|Ltd|No|Nr|vs|cf|ca|approx|Abs|Art|Fig|Tel|bzw|e\.g|i\.e|z\.\s?B|d\.\s?h)\.\s*$/u
// A German ordinal number goes with the next piece, too: "am 31. März", "im 3. Stock".
const ordinal = /(?:^|[\s("'])\d{1,2}\.\s*$/
const ordinalAfterArticle = /(?:^|[\s("'])(?:im|vom|zum|zur|beim|dem|den|der|das)\s\d{1,2}\.\s*$/i
const germanMonth = /^(?:Januar|Jänner|Februar|März|April|Mai|Juni|Juli|August|September|Oktober|November|Dezember)\b/
const MAX_JOINED = 1_000

/**
 * Sentences of a text, in order, each with the white space that follows it: put together they are the text again.
 * A line break ends a sentence. Linear in the length.
 */
export function* sentences(text: string): Generator<string> {
  let pending = ''
  for (const { segment } of segmenter().segment(text)) {
    if (pending && !goesOn(pending, segment)) {
      yield pending
      pending = ''
    }
    pending += segment
  }
  if (pending) yield pending
}

/** Whether a sentence has not ended before the next piece. */
function goesOn(pending: string, next: string): boolean {
  if (pending.length >= MAX_JOINED || pending.endsWith('\n')) return false
  const end = pending.slice(-16)
  return abbreviation.test(end) || ordinalAfterArticle.test(end) || (ordinal.test(end) && germanMonth.test(next))
}
