/** A stretch of letters and digits in a text, by offsets. */
export type VisitSpan = (start: number, end: number, unspaced: boolean) => void

const UNKNOWN = 0
const SEPARATOR = 1
const LETTER = 2
/** A character of a script without spaces, whose words only a dictionary finds. */
const UNSPACED = 3
/** A token by itself: the 2 of CO₂. */
const ALONE = 4

const isLetter = /[\p{Alphabetic}\p{Nd}]/u
const isAlone = /\p{No}/u
const isUnspaced = /[\p{scx=Han}\p{scx=Hira}\p{scx=Kana}\p{scx=Thai}\p{scx=Laoo}\p{scx=Khmr}\p{scx=Mymr}]/u

/** Classes of the characters that were met; by hand, because a Unicode regular expression takes three times as long. */
const classes = new Uint8Array(0x110000)

function classOf(codePoint: number): number {
  const known = classes[codePoint] as number
  if (known !== UNKNOWN) return known
  const character = String.fromCodePoint(codePoint)
  let found = isAlone.test(character) ? ALONE : SEPARATOR
  if (isLetter.test(character)) found = isUnspaced.test(character) ? UNSPACED : LETTER
  classes[codePoint] = found
  return found
}

/** Splits a text where the index splits it; runs of unspaced scripts still hold several words. */
export function forEachSpan(text: string, visit: VisitSpan): void {
  let start = 0
  let open: number = SEPARATOR
  let index = 0
  while (index < text.length) {
    const codePoint = text.codePointAt(index) as number
    const kind = classOf(codePoint)
    if (kind !== open || kind === ALONE) {
      if (open !== SEPARATOR) visit(start, index, open === UNSPACED)
      start = index
      open = kind
    }
    index += codePoint > 0xffff ? 2 : 1
  }
  if (open !== SEPARATOR) visit(start, index, open === UNSPACED)
}
