import { PIECE_BYTES } from './run-talk.ts'

/** Text in pieces that fit into a signal each; one at least. */
export function inPieces(text: string): string[] {
  if (text.length * 3 <= PIECE_BYTES) return [text]
  const bytes = Buffer.from(text)
  const pieces: string[] = []
  for (let from = 0; from < bytes.length; ) {
    let to = Math.min(from + PIECE_BYTES, bytes.length)
    // Moves a cut out of a character, whose later bytes begin with the bits 10.
    while (to < bytes.length && (bytes[to]! & 0xc0) === 0x80) to--
    pieces.push(bytes.toString('utf8', from, to))
    from = to
  }
  return pieces
}
