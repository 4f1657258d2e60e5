const FENCE = /^ {0,3}(`{3,}|~{3,})/
const HEADING = /^ {0,3}(#{1,6})(?=[ \t]|$)/
const UNDERLINE = /^ {0,3}(=+|-+)[ \t]*$/
/** Line of a paragraph; under any other one, a line of dashes is a rule or belongs to a table. */
const WORDS = /^ {0,3}(?![#>|*+-]|\d+[.)])\S/
const DEEPEST = 6

interface Heading {
  line: number
  level: number
  text: string
  /** Lines that it takes: two if it is underlined. */
  lines: 1 | 2
}

/** Moves the headings of a Markdown text down until the highest of them has this level. What is code stays as it is. */
export function headingsBelow(markdown: string, highest: number): string {
  const lines = markdown.split('\n')
  const headings = headingsOf(lines)
  const down = highest - Math.min(...headings.map(({ level }) => level))
  if (headings.length === 0 || down <= 0) return markdown
  for (const { line, level, text, lines: taken } of headings.reverse())
    lines.splice(line, taken, `${'#'.repeat(Math.min(DEEPEST, level + down))}${text}`)
  return lines.join('\n')
}

function headingsOf(lines: string[]): Heading[] {
  const headings: Heading[] = []
  let fence: string | undefined
  for (const [index, line] of lines.entries()) {
    const mark = FENCE.exec(line)?.[1]
    if (fence) {
      if (mark?.startsWith(fence) && line.trim() === mark) fence = undefined
      continue
    }
    if (mark) {
      fence = mark
      continue
    }
    const signs = HEADING.exec(line)
    if (signs) headings.push({ line: index, level: signs[1]!.length, text: line.slice(signs[0].length), lines: 1 })
    const underline = UNDERLINE.exec(line)?.[1]
    const title = lines[index - 1] ?? ''
    if (underline && WORDS.test(title) && !lines[index - 2]?.trim())
      headings.push({ line: index - 1, level: underline[0] === '=' ? 1 : 2, text: ` ${title.trim()}`, lines: 2 })
  }
  return headings
}
