import { fileURLToPath } from 'node:url'
import * as fontkit from 'fontkit'

/**
 * Fonts that come with the server. Sans has Latin, Greek, Cyrillic and Devanagari; what it lacks of signs (arrows,
 * mathematics, boxes) is in Symbols, and Emoji has the rest in one colour.
 */
export type Family = 'Sans' | 'Mono' | 'Symbols' | 'Emoji'
export type Face = 'normal' | 'bold' | 'italics' | 'bolditalics'

const file = (path: string): string => fileURLToPath(import.meta.resolve(path))
const noto = (name: string): string => file(`@expo-google-fonts/noto-sans/${name}/NotoSans_${name}.ttf`)
const dejaVu = (name: string): string => file(`dejavu-fonts-ttf/ttf/DejaVu${name}.ttf`)
const emoji = file('@expo-google-fonts/noto-emoji/400Regular/NotoEmoji_400Regular.ttf')

export const FONT_FILES: Record<Family, Record<Face, string>> = {
  Sans: {
    normal: noto('400Regular'),
    bold: noto('700Bold'),
    italics: noto('400Regular_Italic'),
    bolditalics: noto('700Bold_Italic'),
  },
  Mono: {
    normal: dejaVu('SansMono'),
    bold: dejaVu('SansMono-Bold'),
    italics: dejaVu('SansMono-Oblique'),
    bolditalics: dejaVu('SansMono-BoldOblique'),
  },
  Symbols: {
    normal: dejaVu('Sans'),
    bold: dejaVu('Sans-Bold'),
    italics: dejaVu('Sans-Oblique'),
    bolditalics: dejaVu('Sans-BoldOblique'),
  },
  Emoji: { normal: emoji, bold: emoji, italics: emoji, bolditalics: emoji },
}

const opened = new Map<string, fontkit.Font>()

function open(family: Family, face: Face): fontkit.Font {
  const path = FONT_FILES[family][face]
  const font = opened.get(path) ?? (fontkit.openSync(path) as fontkit.Font)
  opened.set(path, font)
  return font
}

export const covers = (family: Family, codePoint: number): boolean =>
  open(family, 'normal').hasGlyphForCodePoint(codePoint)

/** Width of a line of text in Sans, in the unit of `size`. */
export function widthOf(text: string, size: number, face: Face = 'normal'): number {
  const font = open('Sans', face)
  let width = 0
  for (const character of text) {
    const codePoint = character.codePointAt(0)!
    // What is drawn in another font is about as wide as it is high.
    width += font.hasGlyphForCodePoint(codePoint) ? font.glyphForCodePoint(codePoint).advanceWidth : font.unitsPerEm
  }
  return (width * size) / font.unitsPerEm
}
