/**
 * Length of a text in words, the unit in which chunks are measured. Scripts without spaces between words count two
 * characters a word (Han, Kana) or four (Thai, Lao, Khmer, Burmese); a run of other characters counts one word for
 * each 16, so that a chunk of links or encoded data does not grow without bound. Linear in the length.
 */
export function countWords(text: string): number {
  let quarters = 0
  let run = 0
  for (let index = 0; index < text.length; index++) {
    const code = text.charCodeAt(index)
    // Most characters are these, and the count is made three times of each text.
    if (code > 0x20 && code < 0xa0) {
      run++
      continue
    }
    const share = code < 0xe00 ? 0 : spacelessQuarters(code)
    if (share === 0 && !isSpace(code)) {
      run++
      continue
    }
    quarters += share
    if (run > 0) {
      quarters += runQuarters(run)
      run = 0
    }
  }
  return Math.ceil((quarters + (run > 0 ? runQuarters(run) : 0)) / 4)
}

/**
 * Cuts a text that has no sentence end within the limit: at white space where there is any, else between characters.
 * The pieces, put together again, are the text.
 */
export function* cutAtWords(text: string, maxWords: number): Generator<string> {
  let start = 0
  let space = -1
  let quarters = 0
  let run = 0
  for (let index = 0; index < text.length; index++) {
    const code = text.charCodeAt(index)
    const share = code < 0xe00 ? 0 : spacelessQuarters(code)
    if (share === 0 && !isSpace(code)) run++
    else {
      quarters += share + (run > 0 ? runQuarters(run) : 0)
      run = 0
      if (share === 0) space = index
    }
    if (quarters + (run > 0 ? runQuarters(run) : 0) <= maxWords * 4 || index + 1 === text.length) continue
    // Back to the last space of this piece, so that the run that broke the limit moves on whole.
    let cut = space > start ? space + 1 : index + 1
    if (isHighSurrogate(text.charCodeAt(cut - 1))) cut--
    yield text.slice(start, cut)
    run = index + 1 - cut
    quarters = 0
    start = cut
    space = -1
  }
  if (start < text.length) yield text.slice(start)
}

function runQuarters(length: number): number {
  return 4 * Math.ceil(length / 16)
}

function isSpace(code: number): boolean {
  return code <= 0x20 || code === 0xa0 || code === 0x3000 || code === 0x2028 || code === 0x2029
}

function isHighSurrogate(code: number): boolean {
  return code >= 0xd800 && code <= 0xdbff
}

/** Quarters of a word that a character of a script without spaces counts; 0 for every other character. */
function spacelessQuarters(code: number): number {
  if (code >= 0x3041 && code <= 0x30ff) return 2
  if (code >= 0x3400 && code <= 0x9fff) return 2
  if (code >= 0xf900 && code <= 0xfaff) return 2
  if (code <= 0x0eff) return 1
  if (code >= 0x1000 && code <= 0x109f) return 1
  if (code >= 0x1780 && code <= 0x17ff) return 1
  return 0
}
