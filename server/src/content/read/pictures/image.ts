import type { ExtractContext, Extractor } from '../extraction.ts'
import { parseFailures } from '../parse.errors.ts'
import type { Block } from '../parsed-document.ts'
import { OCR_PAGE_WEIGHT } from '../parser/parse-limits.ts'
import { namedCopy } from '../pdf/pdf.ts'
import { imageKind } from './image-kind.ts'
import { credible, noteUnsurePage, recognise, recognisedBlocks } from './ocr.ts'
import type { Doubt } from './ocr-doubt.ts'

/** Pictures (PNG, JPEG, and what else liteparse opens: TIFF, BMP, GIF, WebP) through text recognition. */
export const extractImage: Extractor = async (file, context) => {
  const { format, megapixels } = imageKind(file.head)
  if (megapixels > context.limits.imageMegapixels) throw parseFailures.imageTooLarge(context.limits.imageMegapixels)
  return { format, blocks: imageBlocks(await namedCopy(file, format, context), format, context) }
}

async function* imageBlocks(file: string, format: string, context: ExtractContext): AsyncGenerator<Block> {
  context.progress('ocr', 0, null)
  const pages = await recognise(file, {}, context).catch(() => {
    throw parseFailures.damaged(format.toUpperCase())
  })
  context.pagesDone(pages.length * OCR_PAGE_WEIGHT)
  let blocks = 0
  let doubt: Doubt | undefined
  for (const recognised of pages) {
    const again = async (languages: readonly string[]) => {
      context.pagesDone(OCR_PAGE_WEIGHT)
      const found = await recognise(file, {}, context, languages)
      return found.find(({ pageNum }) => pageNum === recognised.pageNum)
    }
    const { page, doubt: doubtful } = await credible(recognised, again, context)
    doubt ??= doubtful
    if (doubtful) {
      if (pages.length > 1) context.note(noteUnsurePage(page.pageNum))
      continue
    }
    for await (const block of recognisedBlocks(page, pages.length > 1 ? { page: page.pageNum } : {})) {
      blocks++
      yield block
    }
  }
  if (blocks > 0) return
  throw doubt ? parseFailures.unsureText(doubt, context.ocrLanguages) : parseFailures.imageWithoutText()
}
