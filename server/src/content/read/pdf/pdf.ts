import { copyFile, symlink } from 'node:fs/promises'
import path from 'node:path'
import type { LiteParseConfig } from '@llamaindex/liteparse'
import type { ExtractContext, Extraction, Extractor, SourceFile } from '../extraction.ts'
import { parseFailures } from '../parse.errors.ts'
import type { Block } from '../parsed-document.ts'
import { needsRecognition, noteUnsurePage, recognisedBlocks, recognisePages } from '../pictures/ocr.ts'
import type { Doubt } from '../pictures/ocr-doubt.ts'
import { createPageReader } from './pdf-blocks.ts'
import { countPdfObjects } from './pdf-objects.ts'
import { pdfTitle } from './pdf-title.ts'

const PAGES_PER_BATCH = 25

/** Reads text and layout. Running heads and feet are kept, because which of them repeat is better decided over all pages. */
const readerConfig: Partial<LiteParseConfig> = {
  ocrEnabled: false,
  quiet: true,
  outputFormat: 'json',
  imageMode: 'off',
  extractLinks: false,
  extractBlocks: true,
  extractFormFields: true,
  extractDocumentMetadata: true,
  includeComplexity: true,
  keepHeadersFooters: true,
  continueOnPageError: true,
}

/** PDF page by page, in the reading order that its layout shows; pages that are only pictures through text recognition. */
export const extractPdf: Extractor = async (file, context) => {
  const extraction: Extraction = { format: 'pdf', blocks: [] }
  extraction.blocks = pdfBlocks(await namedCopy(file, 'pdf', context), context, (title) => {
    extraction.title ??= title
  })
  return extraction
}

async function* pdfBlocks(
  file: string,
  context: ExtractContext,
  onTitle: (title: string) => void,
): AsyncGenerator<Block> {
  const { LiteParse } = await import('@llamaindex/liteparse')
  const parser = new LiteParse({ ...readerConfig, maxPages: context.limits.pages })
  const reader = createPageReader()
  const batches = parser.parseBatches(file, { batchSize: PAGES_PER_BATCH })
  let pictures = 0
  let doubt: Doubt | undefined
  let pagesRead = 0
  /** Pages that were read, or recognised with certainty. */
  let believed = 0
  let blocks = 0
  for (;;) {
    const next = await batches.next().catch((error: unknown) => {
      throw pdfFailure(error)
    })
    if (next.done) break
    const { result, startPage, totalPages } = next.value
    if (startPage === 1) {
      const title = pdfTitle(result)
      if (title) onTitle(title)
      if (totalPages > PAGES_PER_BATCH && totalPages > (await countPdfObjects(file)))
        throw parseFailures.repeatedPages()
      if (totalPages > context.limits.pages)
        context.note(`Only the first ${context.limits.pages} of ${totalPages} pages were read.`)
    }
    for (const { pageNum } of result.pageErrors) context.note(`Page ${pageNum} is damaged and was not read.`)
    const total = Math.min(totalPages, context.limits.pages)
    const recognise = result.pages.filter(needsRecognition).map((page) => page.pageNum)
    pictures += recognise.length
    const recognised = await recognisePages(file, recognise, context, (done) =>
      context.progress('ocr', pagesRead + result.pages.length - recognise.length + done, total),
    )
    for (const page of result.pages) {
      const found = recognised.get(page.pageNum)
      const doubtful = found?.doubt
      doubt ??= doubtful
      if (doubtful) {
        context.note(noteUnsurePage(page.pageNum))
        // Its stamp or page number, if it has any text of its own.
        if (page.complexity?.isGarbled) continue
      } else believed++
      for await (const block of found && !doubtful ? recognisedBlocks(found.page) : reader.read(page)) {
        blocks++
        yield block
      }
    }
    context.pagesDone(result.pages.length)
    pagesRead += result.pages.length
    context.progress('reading', pagesRead, total)
  }
  for (const block of reader.finish()) {
    blocks++
    yield block
  }
  if (doubt && (blocks === 0 || believed === 0)) throw parseFailures.unsureText(doubt, context.ocrLanguages)
  if (blocks === 0) throw pictures > 0 ? parseFailures.pagesWithoutText() : parseFailures.empty()
}

let copies = 0

/** liteparse goes by the file's extension, which stored files do not have: a link with the right one. */
export async function namedCopy(file: SourceFile, extension: string, context: ExtractContext): Promise<string> {
  const named = path.join(await context.workFolder(), `document-${++copies}.${extension}`)
  await symlink(path.resolve(file.path), named).catch(() => copyFile(file.path, named))
  return named
}

function pdfFailure(error: unknown): Error {
  const message = error instanceof Error ? error.message : String(error)
  if (/password/i.test(message)) return parseFailures.encrypted()
  const reason = /^PDF error: ([\w ,-]{3,80})$/.exec(message)?.[1]
  return parseFailures.damaged('PDF', reason)
}
