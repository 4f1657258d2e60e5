import { once } from 'node:events'
import { createReadStream, createWriteStream, type WriteStream } from 'node:fs'
import { mkdir } from 'node:fs/promises'
import { dirname } from 'node:path'
import type { Chunk } from './parsed-document.ts'

/** Layout of a stored parse; a reader refuses another one. */
const VERSION = 1
const BATCH_CHUNKS = 100
const MAX_LINE_CHARS = 1024 * 1024
const FLUSH_CHARS = 256 * 1024
const MAX_TITLE_CHARS = 300

/** Facts about a document, known once it has been read. */
export interface ParseSummary {
  /** `pdf`, `docx`, `csv`, `text`, ... by the content. */
  format: string
  /** Title that the document gives itself, at most 300 characters on one line. */
  title?: string
  chunkCount: number
  words: number
  /** Parts left out, in words for a person: damaged pages, attachments that cannot be read. At most 20. */
  notes: string[]
}

/** A stored parse that is cut off or of another version: the file has to be parsed again. */
export class StoredParseError extends Error {
  override name = 'StoredParseError'
}

/** A stored parse as it was made: all of it here, if it is short, or else in a file. */
export interface MadeParse {
  summary: ParseSummary
  /** Absent: it is in the file. */
  text?: string
}

/**
 * Makes JSON Lines of chunks: a line with the version, one for each chunk, and the summary at the end, by which a
 * reader knows that all is there. What is longer than 256 Ki characters is written to `path`, and no file is made else.
 */
export async function makeStoredParse(
  path: string,
  chunks: AsyncIterable<Chunk>,
  summarize: () => ParseSummary,
): Promise<MadeParse> {
  let out: WriteStream | undefined
  let failed: Promise<never> | undefined
  try {
    let buffer = `${JSON.stringify({ docent_parse: VERSION })}\n`
    for await (const chunk of chunks) {
      buffer += `${JSON.stringify(storable(chunk))}\n`
      if (buffer.length < FLUSH_CHARS) continue
      if (!out) {
        await mkdir(dirname(path), { recursive: true })
        out = createWriteStream(path)
        // Errors of the stream surface where the next write waits or at the end.
        failed = once(out, 'error').then(([error]) => Promise.reject(error as Error))
        failed.catch(() => {})
      }
      if (!out.write(buffer)) await Promise.race([once(out, 'drain'), failed])
      buffer = ''
    }
    const summary = storableSummary(summarize())
    buffer += `${JSON.stringify(summary)}\n`
    if (!out) return { summary, text: buffer }
    const finished = once(out, 'close')
    out.end(buffer)
    await Promise.race([finished, failed])
    return { summary }
  } finally {
    out?.destroy()
  }
}

/**
 * Chunks of a stored parse in batches of up to 100, in order; between batches the event loop is free.
 * @param source the file's path, or its bytes as they come
 * @throws StoredParseError when it is not whole
 */
export async function* readChunks(source: string | AsyncIterable<Uint8Array>): AsyncGenerator<Chunk[]> {
  let batch: Chunk[] = []
  let count = -1
  let complete = false
  for await (const lines of jsonLines(typeof source === 'string' ? createReadStream(source) : source)) {
    for (const line of lines) {
      if (complete) throw new StoredParseError('The stored parse goes on after its end')
      if (count < 0) {
        if (line.docent_parse !== VERSION) throw new StoredParseError('The stored parse is of another version')
        count = 0
      } else if ('ordinal' in line) {
        count++
        batch.push(line as unknown as Chunk)
        if (batch.length < BATCH_CHUNKS) continue
        yield batch
        batch = []
      } else {
        if (line.chunkCount !== count) throw new StoredParseError('The stored parse has lost chunks')
        complete = true
      }
    }
  }
  if (!complete) throw new StoredParseError('The stored parse is cut off')
  if (batch.length > 0) yield batch
}

/** The lines of what was read at once, together. */
async function* jsonLines(source: AsyncIterable<Uint8Array>): AsyncGenerator<Record<string, unknown>[]> {
  const decoder = new TextDecoder()
  let rest = ''
  for await (const bytes of source) {
    rest += decoder.decode(bytes, { stream: true })
    const lines: Record<string, unknown>[] = []
    let start = 0
    for (let end = rest.indexOf('\n'); end >= 0; end = rest.indexOf('\n', start)) {
      lines.push(parseLine(rest.slice(start, end)))
      start = end + 1
    }
    rest = rest.slice(start)
    if (rest.length > MAX_LINE_CHARS) throw new StoredParseError('The stored parse has a line that is too long')
    yield lines
  }
  if (rest) throw new StoredParseError('The stored parse is cut off')
}

function parseLine(line: string): Record<string, unknown> {
  try {
    return JSON.parse(line) as Record<string, unknown>
  } catch (cause) {
    throw new StoredParseError('The stored parse has a line that is no JSON', { cause })
  }
}

/** U+0000 and halves of characters cannot be stored alike everywhere. */
function clean(text: string): string {
  return text.replaceAll('\0', '').toWellFormed()
}

function storable({ ordinal, text, location }: Chunk): Chunk {
  const entries = Object.entries(location).map(([key, value]) => [
    key,
    typeof value === 'string' ? clean(value) : Array.isArray(value) ? value.map(clean) : value,
  ])
  return { ordinal, text: clean(text), location: Object.fromEntries(entries) }
}

function storableSummary(summary: ParseSummary): ParseSummary {
  const title =
    summary.title && clean(summary.title).replace(/\s+/g, ' ').trim().slice(0, MAX_TITLE_CHARS).toWellFormed()
  return { ...summary, title: title || undefined, notes: summary.notes.map(clean) }
}
