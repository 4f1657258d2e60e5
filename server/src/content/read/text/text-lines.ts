export interface Line {
  text: string
  /** Number of the line, from 1. A line of more than 64 Ki characters comes in parts with the same number. */
  number: number
}

const MAX_LINE = 64 * 1024

/** Lines of a text, in groups of what was read at once. Ends are LF, CRLF, or CR where a text has no LF at all. */
export async function* readLines(pieces: AsyncIterable<string> | Iterable<string>): AsyncGenerator<Line[]> {
  let rest = ''
  let number = 1
  let end: '\n' | '\r' | undefined
  for await (const piece of pieces) {
    if (!piece) continue
    rest += piece
    end ??= lineEnd(rest)
    const lines: Line[] = []
    let start = 0
    for (let at = rest.indexOf(end ?? '\n'); at >= 0; at = rest.indexOf(end ?? '\n', start)) {
      addLine(lines, rest.slice(start, at), number++)
      start = at + 1
    }
    // The rest is shorter than a part, so that a file of one line costs no more than one of many.
    for (; rest.length - start > MAX_LINE; start += MAX_LINE)
      lines.push({ text: rest.slice(start, start + MAX_LINE), number })
    rest = rest.slice(start)
    if (lines.length > 0) yield lines
  }
  const last: Line[] = []
  if (rest) addLine(last, rest, number)
  if (last.length > 0) yield last
}

/** A CR at the very end may be half of a CRLF. */
function lineEnd(text: string): '\n' | '\r' | undefined {
  if (text.includes('\n')) return '\n'
  return text.slice(0, -1).includes('\r') ? '\r' : undefined
}

function addLine(lines: Line[], line: string, number: number): void {
  const text = line.endsWith('\r') ? line.slice(0, -1) : line
  for (let start = 0; start === 0 || start < text.length; start += MAX_LINE)
    lines.push({ text: text.slice(start, start + MAX_LINE), number })
}
