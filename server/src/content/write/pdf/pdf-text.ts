import type { ContentText } from 'pdfmake/interfaces.js'
import { fontRuns, type Missing } from '../fonts/font-runs.ts'
import type { Run } from '../written-document.ts'
import { type Direction, type LevelledRun, levelledRuns, RIGHT_TO_LEFT_LETTER } from './bidi/direction.ts'

const LINK = '#0b5cad'
const CODE_SHADE = '#eef1f4'

interface TextOptions {
  font?: 'Sans' | 'Mono'
  /** Words longer than this may be cut anywhere. */
  mostCharacters?: number
  /** Direction of the paragraph. */
  direction?: Direction
}

/** Styled text for pdfmake, cut where the font or the direction changes. */
export function pdfText(
  runs: Run[],
  missing: Missing,
  { font = 'Sans', mostCharacters = Number.POSITIVE_INFINITY, direction = 'ltr' }: TextOptions = {},
): ContentText[] {
  const texts = levelledRuns(runs, direction).flatMap((run) => {
    const primary = run.code ? 'Mono' : font
    return fontRuns(run.text, primary, missing).flatMap(({ text, family }) =>
      pieces(text, mostCharacters).map(
        (piece): ContentText => ({
          text: piece.text,
          font: family,
          ...styleOf(run, text),
          ...(piece.isLong && { wordBreak: 'break-all' }),
        }),
      ),
    )
  })
  return texts.length > 0 ? texts : [{ text: ' ' }]
}

function styleOf(
  { bold, italic, strike, code, superscript, link, level }: LevelledRun,
  text: string,
): Partial<ContentText> & { level?: number } {
  return {
    ...(level > 0 && { level }),
    ...(bold && { bold }),
    // Fonts have no slanted Arabic or Hebrew letters, and these scripts do not slant them.
    ...(italic && !RIGHT_TO_LEFT_LETTER.test(text) && { italics: true }),
    ...(strike && { decoration: 'lineThrough' }),
    ...(code && { fontSize: 9, background: CODE_SHADE }),
    ...(superscript && { sup: true }),
    ...(link && { link, color: LINK, decoration: 'underline' }),
  }
}

function pieces(text: string, most: number): { text: string; isLong: boolean }[] {
  if (!Number.isFinite(most)) return [{ text, isLong: false }]
  const result: { text: string; isLong: boolean }[] = []
  for (const part of text.split(/(\s+)/)) {
    if (part === '') continue
    const isLong = part.length > most
    const last = result.at(-1)
    if (last && last.isLong === isLong) last.text += part
    else result.push({ text: part, isLong })
  }
  return result
}
