import type { Block, Chunk, Location, ParsedDocument } from '../read/parsed-document.ts'
import { countWords, cutAtWords } from './count-words.ts'
import { createHeadingPath } from './heading-path.ts'
import { sentences } from './sentences.ts'
import { packTable } from './table-rows.ts'

/** Words that a chunk holds at most; only a table row or a piece without spaces may be a little over. */
export const MAX_WORDS = 150
const HALF_FULL = MAX_WORDS / 2
/** The end of a section that is shorter than this goes with the chunk before it, if there is room. */
const SHORT_END = 20

/** Takes the blocks of a document one by one and gives back the chunks that became complete. */
/**
 * Passages of a document as they are indexed and cited. Whole sentences are packed to 150 words; a heading, a slide, a
 * sheet and an attachment always begin a chunk, a paragraph does once the chunk is half full. Nothing overlaps and
 * nothing is lost: a heading with no text below it becomes a chunk of its own. A sentence that is longer than a chunk
 * is cut.
 */
export function* chunkDocument(document: ParsedDocument): Generator<Chunk> {
  const chunker = new Chunker()
  for (const block of document.blocks) yield* chunker.push(block)
  yield* chunker.finish()
}

/** Takes the blocks of a document one by one and gives back the chunks that became complete. */
export class Chunker {
  readonly #headings = createHeadingPath()
  #ordinal = 0
  #scope = '[null,null,null]'
  #kind: 'prose' | 'code' = 'prose'
  #text = ''
  #words = 0
  #location: Location = {}
  #full: { text: string; words: number; location: Location } | undefined;

  *push(block: Block): Generator<Chunk> {
    yield* this.#enterScope(block.location)
    if (block.kind === 'heading') {
      const title = block.text.replace(/\s+/g, ' ').trim()
      if (!title) return
      yield* this.#flush()
      for (const unused of this.#headings.enter(block.level, title, block.location))
        yield this.#chunk(unused.text, unused.location, unused.path)
    } else if (block.kind === 'paragraph') yield* this.#pushProse(block.text, block.location)
    else if (block.kind === 'code') yield* this.#pushCode(block.text, block.location)
    else {
      yield* this.#flush()
      for (const rows of packTable(block, MAX_WORDS)) yield this.#chunk(rows.text, rows.location)
    }
  }

  /** The rest, after the last block. */
  *finish(): Generator<Chunk> {
    yield* this.#flush()
    for (const unused of this.#headings.clear()) yield this.#chunk(unused.text, unused.location, unused.path)
  }

  #chunk(chunkText: string, at: Location, path = this.#headings.use()): Chunk {
    return {
      ordinal: this.#ordinal++,
      text: chunkText,
      location: path.length > 0 ? { ...at, heading_path: path } : { ...at },
    }
  }

  *#release(): Generator<Chunk> {
    if (this.#full) yield this.#chunk(this.#full.text, this.#full.location)
    this.#full = undefined
  }

  /** Ends the chunk where the text continues, so that a short end may still be added to it. */
  *#setAside(): Generator<Chunk> {
    yield* this.#release()
    if (this.#text.trimEnd()) this.#full = { text: this.#text.trimEnd(), words: this.#words, location: this.#location }
    this.#text = ''
    this.#words = 0
  }

  /** Ends the chunk at the end of a section. */
  *#flush(): Generator<Chunk> {
    const fits =
      this.#full && this.#kind === 'prose' && this.#words <= SHORT_END && this.#full.words + this.#words <= MAX_WORDS
    if (this.#full && fits && this.#text.trimEnd()) {
      this.#full.text += `\n${this.#text.trimEnd()}`
      this.#full.location = { ...this.#full.location, ...endOf(this.#location) }
      this.#text = ''
    }
    yield* this.#setAside()
    yield* this.#release()
  }

  #append(piece: string, pieceWords: number, at: Location): void {
    if (this.#text === '') {
      this.#text = this.#kind === 'code' ? piece : piece.trimStart()
      this.#location = { ...at }
    } else {
      this.#text += piece
      if (pieceWords > 0) this.#location = { ...this.#location, ...endOf(at) }
    }
    this.#words += pieceWords
  }

  *#pushSentences(block: string, at: Location): Generator<Chunk> {
    for (const sentence of sentences(block)) {
      const sentenceWords = countWords(sentence)
      if (this.#words + sentenceWords > MAX_WORDS) yield* this.#setAside()
      if (sentenceWords <= MAX_WORDS) this.#append(sentence, sentenceWords, at)
      else
        for (const piece of cutAtWords(sentence, MAX_WORDS)) {
          const pieceWords = countWords(piece)
          if (this.#words + pieceWords > MAX_WORDS) yield* this.#setAside()
          this.#append(piece, pieceWords, at)
        }
    }
  }

  *#pushProse(paragraph: string, at: Location): Generator<Chunk> {
    const trimmed = paragraph.trim()
    if (!trimmed) return
    if (this.#kind !== 'prose') yield* this.#flush()
    else if (this.#words >= HALF_FULL) yield* this.#setAside()
    this.#kind = 'prose'
    if (this.#text) this.#text = `${this.#text.trimEnd()}\n`
    const paragraphWords = countWords(trimmed)
    if (this.#words + paragraphWords <= MAX_WORDS) this.#append(trimmed, paragraphWords, at)
    else yield* this.#pushSentences(trimmed, at)
  }

  *#pushCode(code: string, at: Location): Generator<Chunk> {
    if (this.#kind !== 'code') yield* this.#flush()
    this.#kind = 'code'
    let line = at.line_start
    for (const group of code.split(/(?<=\n)(?=[^\S\n]*\n)/)) {
      const lines = group.split('\n').length - (group.endsWith('\n') ? 1 : 0)
      const location = line === undefined ? at : { ...at, line_start: line, line_end: line + lines - 1 }
      if (line !== undefined) line += lines
      const groupWords = countWords(group)
      if (this.#words + groupWords > MAX_WORDS) yield* this.#setAside()
      const [piece, start] = this.#text === '' ? withoutBlankLines(group, location) : [group, location]
      if (groupWords <= MAX_WORDS) this.#append(piece, groupWords, start)
      else yield* this.#pushCodeLines(piece, start)
    }
    if (this.#text && !this.#text.endsWith('\n')) this.#text += '\n'
  }

  *#pushCodeLines(group: string, at: Location): Generator<Chunk> {
    let line = at.line_start
    for (const codeLine of group.split(/(?<=\n)/)) {
      const location = line === undefined ? at : { ...at, line_start: line, line_end: line }
      if (line !== undefined) line++
      for (const piece of cutAtWords(codeLine, MAX_WORDS)) {
        const pieceWords = countWords(piece)
        if (this.#words + pieceWords > MAX_WORDS) yield* this.#setAside()
        this.#append(piece, pieceWords, location)
      }
    }
  }

  /** A new attachment, sheet or slide begins a chunk, and the headings before it do not apply to it. */
  *#enterScope({ attachment, sheet, slide }: Location): Generator<Chunk> {
    const next = JSON.stringify([attachment, sheet, slide])
    if (next === this.#scope) return
    yield* this.#flush()
    for (const unused of this.#headings.clear()) yield this.#chunk(unused.text, unused.location, unused.path)
    this.#scope = next
  }
}

/** Ends of a location, which text that is added moves on. */
const endOf = ({ line_end, time_end }: Location): Location => ({
  ...(line_end !== undefined && { line_end }),
  ...(time_end !== undefined && { time_end }),
})

/** A piece of code from its first line that is not blank. */
function withoutBlankLines(code: string, at: Location): [string, Location] {
  let lines = 0
  let start = 0
  for (
    let end = code.indexOf('\n');
    end >= 0 && code.slice(start, end).trim() === '';
    end = code.indexOf('\n', start)
  ) {
    start = end + 1
    lines++
  }
  return [code.slice(start), at.line_start === undefined ? at : { ...at, line_start: at.line_start + lines }]
}
