/** Beginnings that leave out the subject, so that a comment can be understood only with the code below it. */
const SUBJECTLESS = /\/\*\*\s*(?:\*\s*)?((?:What|Of|Those|Whose|Whom|Who|Whoever|Where|Whatever|Which|One that)\b.*)/g

/** Documentation comments of a file that begin without a subject, with their lines. */
export function subjectlessComments(text: string): { line: number; comment: string }[] {
  return [...text.matchAll(SUBJECTLESS)].map(({ index, 1: comment }) => ({
    line: text.slice(0, index).split('\n').length,
    comment: comment!.replace(/\s*\*\/$/, ''),
  }))
}
