import type { HeldText } from './held-text.ts'
import { LONGEST_CODE, LONGEST_RUN } from './triggers.ts'

/** Passes code within a line. @returns whether it could be decided where it ends, and was. */
export function passCodeSpan(text: HeldText, isEnd: boolean): boolean {
  const [run] = /^`+/.exec(text.held)!
  if (run.length === text.held.length && run.length <= LONGEST_RUN && !isEnd) return false
  const isEscaped = /(?:^|[^\\])(?:\\\\)*\\$/.test(text.place.tail)
  if (text.place.isDoubtful || isEscaped || run.length > LONGEST_RUN) {
    text.passUnsure(run.length)
    return true
  }
  const end = text.held.indexOf('\n')
  const line = end === -1 ? text.held : text.held.slice(0, end)
  for (const { 0: closing, index } of line.slice(0, LONGEST_CODE).matchAll(/`+/g)) {
    if (index === 0 || closing.length !== run.length || index + closing.length >= LONGEST_CODE) continue
    // The run of backticks may continue in the next piece.
    if (index + closing.length === text.held.length && !isEnd) break
    const code = line.slice(run.length, index)
    // A table's cell ends in between, or it is the label of a definition: not code for everyone.
    if (/\||\]:/.test(code)) text.passUnsure(run.length)
    else text.pass(index + closing.length)
    return true
  }
  if (end === -1 && !isEnd && text.held.length < LONGEST_CODE) return false
  text.passUnsure(run.length)
  return true
}
