import { createReadStream } from 'node:fs'
import type { ExtractContext, SourceFile } from '../extraction.ts'
import { TEXT_PAGE_BYTES } from '../parser/parse-limits.ts'

/** Decoded text of a file in pieces, without a byte order mark. Each 64 KiB extends the time limit like a page. */
export async function* readText(file: SourceFile, encoding: string, context: ExtractContext): AsyncGenerator<string> {
  const decoder = new TextDecoder(encoding)
  if (file.sizeBytes <= file.head.length) {
    yield decoder.decode(file.head)
    return
  }
  let counted = 0
  let bytes = 0
  for await (const chunk of createReadStream(file.path, { highWaterMark: 256 * 1024 })) {
    bytes += (chunk as Buffer).length
    yield decoder.decode(chunk as Buffer, { stream: true })
    const pages = Math.floor(bytes / TEXT_PAGE_BYTES)
    context.pagesDone(pages - counted)
    if (pages > counted) context.progress('reading', pages, Math.ceil(file.sizeBytes / TEXT_PAGE_BYTES))
    counted = pages
  }
  yield decoder.decode()
}
