import type { Writable } from 'node:stream'

/** Length from which readers of the same text share its bytes. */
const LEAST_SHARED_LENGTH = 64 * 1024

/** Bytes that one reader was sent and has not read. */
export interface UnreadAccount {
  write(text: string): void
  close(): void
}

export interface UnreadBytes {
  /**
   * @param to where the reader's text is written to
   * @param cut called when the reader has to go, because all together hold too much and it holds the most
   */
  open(to: Writable, cut: () => void): UnreadAccount
  /** Bytes held at the moment. */
  held(): number
}

/** A long text as bytes, in memory once for all who have not read it. */
interface Piece {
  bytes: Buffer
  readers: number
}

interface Entry {
  to: Writable
  cut: () => void
  pieces: Piece[]
  /** Bytes that are this reader's alone, when last looked at. */
  own: number
}

/**
 * Bounds what readers leave unread, in bytes of this process: the same long piece counts once, however many wait for
 * it. Past the bound those are cut who hold the most.
 */
export function createUnreadBytes(mostBytes: number): UnreadBytes {
  const entries = new Set<Entry>()
  /** Unread pieces by their lengths. */
  const pieces = new Map<number, Piece[]>()
  let latest: { text: string; piece: Piece } | undefined
  let held = 0

  /** Readers of one run get the same text in the same turn; those that resume get equal ones. */
  function pieceOf(text: string): Piece {
    if (latest?.text === text) return latest.piece
    const bytes = Buffer.from(text)
    const piece = pieces.get(bytes.length)?.find((one) => one.bytes.equals(bytes)) ?? { bytes, readers: 0 }
    if (!latest) setImmediate(() => (latest = undefined))
    latest = { text, piece }
    return piece
  }

  function hold(piece: Piece): void {
    if (piece.readers++ > 0) return
    held += piece.bytes.length
    const equallyLong = pieces.get(piece.bytes.length)
    if (equallyLong) equallyLong.push(piece)
    else pieces.set(piece.bytes.length, [piece])
  }

  function release(piece: Piece): void {
    if (--piece.readers > 0) return
    held -= piece.bytes.length
    const rest = pieces.get(piece.bytes.length)!.filter((one) => one !== piece)
    if (rest.length > 0) pieces.set(piece.bytes.length, rest)
    else pieces.delete(piece.bytes.length)
  }

  function recount(entry: Entry): void {
    if (!entries.has(entry)) return
    const own = entry.to.writableLength - sharedBytesOf(entry)
    held += own - entry.own
    entry.own = own
  }

  function cutTheLargest(): void {
    for (const entry of entries) recount(entry)
    const largestFirst = [...entries].sort((a, b) => b.to.writableLength - a.to.writableLength)
    for (const entry of largestFirst) {
      if (held <= mostBytes) return
      entry.cut()
      close(entry)
    }
  }

  function close(entry: Entry): void {
    if (!entries.delete(entry)) return
    held -= entry.own
    for (const piece of entry.pieces.splice(0)) release(piece)
  }

  return {
    open(to, cut) {
      const entry: Entry = { to, cut, pieces: [], own: 0 }
      entries.add(entry)
      return {
        write(text) {
          if (text.length < LEAST_SHARED_LENGTH) to.write(text)
          else {
            const piece = pieceOf(text)
            entry.pieces.push(piece)
            hold(piece)
            to.write(piece.bytes, () => {
              const at = entry.pieces.indexOf(piece)
              if (at < 0) return
              entry.pieces.splice(at, 1)
              release(piece)
              recount(entry)
            })
          }
          recount(entry)
          if (held > mostBytes) cutTheLargest()
        },
        close: () => close(entry),
      }
    },
    held: () => held,
  }
}

function sharedBytesOf({ pieces }: Entry): number {
  let sum = 0
  for (const { bytes } of pieces) sum += bytes.length
  return sum
}
