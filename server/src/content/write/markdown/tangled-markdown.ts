import { MakeFailure } from '../failure.ts'

/** Marks in one paragraph. Reading them takes time with the square of their number: these, a third of a second. */
const MOST_MARKS = 5_000
/** Signs that may begin or end something within a line: once for each run of the same sign. */
const MARK = /[[\]<]|\*+|_+|~+|`+/g
/** Lines that begin something new: lists, headings, rows of a table. */
const NEW_BLOCK = /^[\s>]*(?:[-*+]\s|\d{1,9}[.)]\s|#{1,6}\s|\|)/
const FENCE = /^[\s>]*(?:`{3}|~{3})/

/** @throws MakeFailure for a paragraph that only somebody wrote who wants a processor to be busy */
export function refuseTangled(markdown: string): void {
  let marks = 0
  let isCode = false
  for (const [line] of markdown.matchAll(/[^\n]+|\n(?=\n)/g)) {
    if (FENCE.test(line)) isCode = !isCode
    if (isCode || line.trim() === '' || NEW_BLOCK.test(line)) marks = 0
    if (isCode) continue
    marks += line.match(MARK)?.length ?? 0
    if (marks > MOST_MARKS) {
      throw new MakeFailure(
        `A paragraph has more than ${MOST_MARKS} marks such as [, * and _; write it with fewer, or in several paragraphs.`,
      )
    }
  }
}
