import { forShaping, onPaper } from './direction.ts'

/** Piece of a line in one style, as pdfmake lays it out. */
export interface Inline {
  text: string
  /** Points. */
  width: number
  leadingCut: number
  trailingCut: number
  /** Points from the start of the line. */
  x?: number
  font: { widthOfString(text: string, size: number, features?: unknown): number }
  fontSize: number
  fontFeatures?: unknown
  /** Embedding level that `pdfText` gave to it. */
  level?: number
}

/** Line as pdfmake lays it out. */
export interface Line<Part extends Inline = Inline> {
  inlines: Part[]
  inlineWidths: number
  leadingCut: number
  trailingCut: number
}

interface Piece extends Inline {
  level: number
}

/** Puts what stands in a line in its order on paper; a line that runs from left to right alone stays as it is. */
export function orderLine(line: Line): void {
  if (!line.inlines.some(({ level }) => level)) return
  const words = withoutEdges(line).flatMap(wordsOf)
  if (words.length === 0) return
  let end = 0
  line.inlines = onPaper(words).map(({ level, ...piece }) => {
    const text = forShaping(piece.text, level)
    const width = piece.font.widthOfString(text, piece.fontSize, piece.fontFeatures)
    const x = end
    end += width
    return { ...piece, text, width, x }
  })
  Object.assign(line, { inlineWidths: end, leadingCut: 0, trailingCut: 0 })
}

/** Pieces of the line without the spaces at its ends, which take no room; a word that was cut is one again. */
function withoutEdges({ inlines, leadingCut }: Line): Piece[] {
  const pieces: Piece[] = []
  for (const { level = 0, ...inline } of inlines) {
    const last = pieces.at(-1)
    if (last && last.level === level && isSameStyle(last, inline)) last.text += inline.text
    else pieces.push({ ...inline, level })
  }
  const first = pieces[0]
  if (first && leadingCut > 0) first.text = first.text.trimStart()
  for (let last = pieces.at(-1); last; last = pieces.at(-1)) {
    last.text = last.text.trimEnd()
    if (last.text) break
    pieces.pop()
  }
  return pieces.filter(({ text }) => text)
}

const NO_STYLE = new Set(['text', 'width', 'x', 'leadingCut', 'trailingCut', 'level', 'noNewLine', 'lineEnd'])

function isSameStyle(one: object, other: object): boolean {
  const keys = new Set([...Object.keys(one), ...Object.keys(other)]).difference(NO_STYLE)
  const [first, second] = [one, other] as Record<string, unknown>[]
  return [...keys].every((key) => first![key] === second![key])
}

/** Words and the spaces between them: each word is shaped by itself, and what is one text would keep its order. */
const wordsOf = (piece: Piece): Piece[] =>
  piece.level % 2 === 0
    ? [piece]
    : piece.text
        .split(/(\s+)/)
        .filter(Boolean)
        .map((text) => ({ ...piece, text }))
