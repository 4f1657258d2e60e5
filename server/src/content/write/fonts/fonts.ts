import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import * as fontkit from 'fontkit'

/**
 * Fonts that come with the server. Sans has Latin, Greek, Cyrillic and Devanagari, with Arabic and Hebrew beside it; what
 * they lack of signs (arrows, mathematics, boxes) is in Symbols, and Emoji has the rest in one colour. Extra ones are the
 * operator's.
 */
export type Family = 'Sans' | 'Mono' | 'Arabic' | 'Hebrew' | 'Symbols' | 'Emoji' | `Extra${number}`
export type Face = 'normal' | 'bold' | 'italics' | 'bolditalics'
/** Path of a font, with its name where a file holds several. */
export type FontFile = [path: string, name?: string]

const folderOf = (packageFile: string): string => dirname(fileURLToPath(packageFile))
const notoFolder = folderOf(import.meta.resolve('@expo-google-fonts/noto-sans/package.json'))
const dejaVuFolder = folderOf(import.meta.resolve('dejavu-fonts-ttf/package.json'))
const arabicFolder = folderOf(import.meta.resolve('@expo-google-fonts/ibm-plex-sans-arabic/package.json'))
const hebrewFolder = folderOf(import.meta.resolve('@expo-google-fonts/noto-sans-hebrew/package.json'))
const emojiFolder = folderOf(import.meta.resolve('@expo-google-fonts/noto-emoji/package.json'))

const noto = (name: string): FontFile => [join(notoFolder, name, `NotoSans_${name}.ttf`)]
const dejaVu = (name: string): FontFile => [join(dejaVuFolder, 'ttf', `DejaVu${name}.ttf`)]
/** Faces of a script that is not slanted. */
const upright = (folder: string, name: string): Record<Face, FontFile> => {
  const normal: FontFile = [join(folder, '400Regular', `${name}_400Regular.ttf`)]
  const bold: FontFile = [join(folder, '700Bold', `${name}_700Bold.ttf`)]
  return { normal, bold, italics: normal, bolditalics: bold }
}
const inOneFace = (font: FontFile): Record<Face, FontFile> => ({
  normal: font,
  bold: font,
  italics: font,
  bolditalics: font,
})

const FONTS = new Map<Family, Record<Face, FontFile>>([
  [
    'Sans',
    {
      normal: noto('400Regular'),
      bold: noto('700Bold'),
      italics: noto('400Regular_Italic'),
      bolditalics: noto('700Bold_Italic'),
    },
  ],
  // Before Mono, which has Arabic letters, too: pictures take the first font that has a letter.
  ['Arabic', upright(arabicFolder, 'IBMPlexSansArabic')],
  ['Hebrew', upright(hebrewFolder, 'NotoSansHebrew')],
  [
    'Mono',
    {
      normal: dejaVu('SansMono'),
      bold: dejaVu('SansMono-Bold'),
      italics: dejaVu('SansMono-Oblique'),
      bolditalics: dejaVu('SansMono-BoldOblique'),
    },
  ],
  [
    'Symbols',
    {
      normal: dejaVu('Sans'),
      bold: dejaVu('Sans-Bold'),
      italics: dejaVu('Sans-Oblique'),
      bolditalics: dejaVu('Sans-BoldOblique'),
    },
  ],
  ['Emoji', inOneFace([join(emojiFolder, '400Regular/NotoEmoji_400Regular.ttf')])],
])

/** Adds fonts for what the others lack; of a collection, its first. */
export function addFonts(paths: string[]): void {
  for (const path of paths) {
    const read = fontkit.openSync(path)
    const font: FontFile = 'fonts' in read ? [path, read.fonts[0]!.postscriptName] : [path]
    FONTS.set(`Extra${FONTS.size}`, inOneFace(font))
  }
}

export const fontFaces = (): [Family, Record<Face, FontFile>][] => [...FONTS]

/** Font families to look for a character in, in this order. */
export function familiesFor(primary: 'Sans' | 'Mono'): Family[] {
  const all = [...FONTS.keys()].filter((family) => family !== 'Mono')
  return primary === 'Mono' ? ['Mono', ...all] : all
}

const opened = new Map<string, fontkit.Font>()

function open(family: Family, face: Face): fontkit.Font {
  const [path, name] = FONTS.get(family)![face]
  const font = opened.get(path) ?? (fontkit.openSync(path, name) as fontkit.Font)
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
    // Characters drawn in another font are about as wide as they are high.
    width += font.hasGlyphForCodePoint(codePoint) ? font.glyphForCodePoint(codePoint).advanceWidth : font.unitsPerEm
  }
  return (width * size) / font.unitsPerEm
}
