import { onFirstUse } from '../../platform/concurrency/lazy.ts'

const segmenter = onFirstUse(() => new Intl.Segmenter('en', { granularity: 'sentence' }))

// The Unicode rules end a sentence after "Dr." and "No. 5": such a piece goes with the next one.
const abbreviation =
  /(?:^|[\s("'])(?:\p{Lu}|Dr|Mr|Mrs|Ms|Prof|St|Inc|Ltd|No|Nr|vs|cf|ca|approx|Abs|Art|Fig|Tel|bzw|e\.g|i\.e|z\.\s?B|d\.\s?h)\.\s*$/u
const MAX_JOINED = 1_000

/**
 * Sentences of a text, in order, each with the white space that follows it: put together they are the text again.
 * A line break ends a sentence. Linear in the length.
 */
export function* sentences(text: string): Generator<string> {
  let pending = ''
  for (const { segment } of segmenter().segment(text)) {
    pending += segment
    if (pending.length < MAX_JOINED && !segment.includes('\n') && abbreviation.test(pending.slice(-16))) continue
    yield pending
    pending = ''
  }
  if (pending) yield pending
}
