import { RIGHT_TO_LEFT_LETTER } from './direction.ts'

/** Font as pdfkit embeds it. */
export interface EmbeddedFont {
  /** Characters of each glyph. */
  unicode: number[][]
  /** Writes them into the file, once. */
  toUnicodeCmap(): unknown
}

const turned = new WeakSet<EmbeddedFont>()

/**
 * Makes text from right to left right where it is copied or searched. Readers (PDFium, pdf.js) take the characters of a
 * line as they stand on paper and turn them round one by one, so those of a ligature have to be the wrong way round.
 */
export function turnLigatures(font: EmbeddedFont): void {
  if (turned.has(font)) return
  turned.add(font)
  const { toUnicodeCmap } = font
  font.toUnicodeCmap = function () {
    this.unicode = this.unicode.map((characters) =>
      RIGHT_TO_LEFT_LETTER.test(String.fromCodePoint(...characters)) ? characters.toReversed() : characters,
    )
    return toUnicodeCmap.call(this)
  }
}
