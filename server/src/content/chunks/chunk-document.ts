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
export interface Chunker {
  push(block: Block): Generator<Chunk>
  /** The rest, after the last block. */
  finish(): Generator<Chunk>
}

/**
 * Passages of a document as they are indexed and cited. Whole sentences are packed to 150 words; a heading, a slide, a
 * sheet and an attachment always begin a chunk, a paragraph does once the chunk is half full. Nothing overlaps and
 * nothing is lost: a heading with no text below it becomes a chunk of its own. A sentence that is longer than a chunk is cut.
 */
export function* chunkDocument(document: ParsedDocument): Generator<Chunk> {
  const chunker = createChunker()
  for (const block of document.blocks) yield* chunker.push(block)
  yield* chunker.finish()
}

export function createChunker(): Chunker {
  const headings = createHeadingPath()
  let ordinal = 0
  let scope = '[null,null,null]'
  let kind: 'prose' | 'code' = 'prose'
  let text = ''
  let words = 0
  let location: Location = {}
  let full: { text: string; words: number; location: Location } | undefined

  function chunk(chunkText: string, at: Location, path = headings.use()): Chunk {
    return {
      ordinal: ordinal++,
      text: chunkText,
      location: path.length > 0 ? { ...at, heading_path: path } : { ...at },
    }
  }

  function* release(): Generator<Chunk> {
    if (full) yield chunk(full.text, full.location)
    full = undefined
  }

  /** Ends the chunk where the text goes on, so that a short end may still be added to it. */
  function* setAside(): Generator<Chunk> {
    yield* release()
    if (text.trimEnd()) full = { text: text.trimEnd(), words, location }
    text = ''
    words = 0
  }

  /** Ends the chunk at the end of a section. */
  function* flush(): Generator<Chunk> {
    const fits = full && kind === 'prose' && words <= SHORT_END && full.words + words <= MAX_WORDS
    if (full && fits && text.trimEnd()) {
      full.text += `\n${text.trimEnd()}`
      if (location.line_end !== undefined) full.location.line_end = location.line_end
      text = ''
    }
    yield* setAside()
    yield* release()
  }

  function append(piece: string, pieceWords: number, at: Location): void {
    if (text === '') {
      text = kind === 'code' ? piece : piece.trimStart()
      location = { ...at }
    } else {
      text += piece
      if (at.line_end !== undefined && pieceWords > 0) location.line_end = at.line_end
    }
    words += pieceWords
  }

  function* pushSentences(block: string, at: Location): Generator<Chunk> {
    for (const sentence of sentences(block)) {
      const sentenceWords = countWords(sentence)
      if (words + sentenceWords > MAX_WORDS) yield* setAside()
      if (sentenceWords <= MAX_WORDS) append(sentence, sentenceWords, at)
      else
        for (const piece of cutAtWords(sentence, MAX_WORDS)) {
          const pieceWords = countWords(piece)
          if (words + pieceWords > MAX_WORDS) yield* setAside()
          append(piece, pieceWords, at)
        }
    }
  }

  function* pushProse(paragraph: string, at: Location): Generator<Chunk> {
    const trimmed = paragraph.trim()
    if (!trimmed) return
    if (kind !== 'prose') yield* flush()
    else if (words >= HALF_FULL) yield* setAside()
    kind = 'prose'
    if (text) text = `${text.trimEnd()}\n`
    const paragraphWords = countWords(trimmed)
    if (words + paragraphWords <= MAX_WORDS) append(trimmed, paragraphWords, at)
    else yield* pushSentences(trimmed, at)
  }

  function* pushCode(code: string, at: Location): Generator<Chunk> {
    if (kind !== 'code') yield* flush()
    kind = 'code'
    let line = at.line_start
    for (const group of code.split(/(?<=\n)(?=[^\S\n]*\n)/)) {
      const lines = group.split('\n').length - (group.endsWith('\n') ? 1 : 0)
      const location = line === undefined ? at : { ...at, line_start: line, line_end: line + lines - 1 }
      if (line !== undefined) line += lines
      const groupWords = countWords(group)
      if (words + groupWords > MAX_WORDS) yield* setAside()
      const [piece, start] = text === '' ? withoutBlankLines(group, location) : [group, location]
      if (groupWords <= MAX_WORDS) append(piece, groupWords, start)
      else yield* pushCodeLines(piece, start)
    }
    if (text && !text.endsWith('\n')) text += '\n'
  }

  function* pushCodeLines(group: string, at: Location): Generator<Chunk> {
    let line = at.line_start
    for (const codeLine of group.split(/(?<=\n)/)) {
      const location = line === undefined ? at : { ...at, line_start: line, line_end: line }
      if (line !== undefined) line++
      for (const piece of cutAtWords(codeLine, MAX_WORDS)) {
        const pieceWords = countWords(piece)
        if (words + pieceWords > MAX_WORDS) yield* setAside()
        append(piece, pieceWords, location)
      }
    }
  }

  /** A new attachment, sheet or slide begins a chunk, and the headings before it do not stand over it. */
  function* enterScope({ attachment, sheet, slide }: Location): Generator<Chunk> {
    const next = JSON.stringify([attachment, sheet, slide])
    if (next === scope) return
    yield* flush()
    for (const unused of headings.clear()) yield chunk(unused.text, unused.location, unused.path)
    scope = next
  }

  function* push(block: Block): Generator<Chunk> {
    yield* enterScope(block.location)
    if (block.kind === 'heading') {
      const title = block.text.replace(/\s+/g, ' ').trim()
      if (!title) return
      yield* flush()
      for (const unused of headings.enter(block.level, title, block.location))
        yield chunk(unused.text, unused.location, unused.path)
    } else if (block.kind === 'paragraph') yield* pushProse(block.text, block.location)
    else if (block.kind === 'code') yield* pushCode(block.text, block.location)
    else {
      yield* flush()
      for (const rows of packTable(block, MAX_WORDS)) yield chunk(rows.text, rows.location)
    }
  }

  function* finish(): Generator<Chunk> {
    yield* flush()
    for (const unused of headings.clear()) yield chunk(unused.text, unused.location, unused.path)
  }

  return { push, finish }
}

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
