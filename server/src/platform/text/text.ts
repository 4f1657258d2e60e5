/**
 * The form by which texts are compared without regard to case and Unicode form. Upper case first, so that `ß` meets
 * `SS`; the Greek final sigma is written like any other, because a part of a word must be found inside of it.
 */
export const foldCase = (text: string): string =>
  text.normalize('NFC').toUpperCase().toLowerCase().replaceAll('ς', 'σ').normalize('NFC')
