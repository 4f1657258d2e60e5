import type { LiteParseConfig, ParsedPage } from '@llamaindex/liteparse'
import type { ExtractContext } from '../extraction.ts'
import type { Block, Location } from '../parsed-document.ts'
import { OCR_PAGE_WEIGHT } from '../parser/parse-limits.ts'
import { textBlocks } from '../text/text.ts'
import { readingOrder } from './ocr-columns.ts'
import { type Doubt, doubtAbout } from './ocr-doubt.ts'

const PAGES_PER_CALL = 4
/** A page with fewer characters, such as the stamp of a scanner, has no text layer worth the name. */
const MIN_CHARS = 60

/** Whether a page shows text that is not there as text: a scan, a picture, or glyphs without characters. */
export function needsRecognition({ complexity }: ParsedPage): boolean {
  if (!complexity) return false
  if (complexity.isGarbled) return true
  if (complexity.textLength >= MIN_CHARS) return false
  return complexity.fullPageImage || complexity.hasSubstantialImages || (complexity.uncoveredVectorArea ?? 0) > 0
}

/** Recognises the text of some pages of a PDF. */
export async function recognisePages(
  file: string,
  pages: number[],
  context: ExtractContext,
): Promise<Map<number, ParsedPage>> {
  const found = new Map<number, ParsedPage>()
  for (let start = 0; start < pages.length; start += PAGES_PER_CALL) {
    const wanted = pages.slice(start, start + PAGES_PER_CALL)
    for (const page of await recognise(file, { targetPages: wanted.join(',') }, context)) found.set(page.pageNum, page)
    context.pagesDone(wanted.length * OCR_PAGE_WEIGHT)
  }
  return found
}

/** Recognises the text of a file that liteparse opens by its extension, with data from disk: never downloaded. */
export async function recognise(
  file: string,
  config: Partial<LiteParseConfig>,
  context: ExtractContext,
): Promise<ParsedPage[]> {
  const { LiteParse } = await import('@llamaindex/liteparse')
  const parser = new LiteParse({
    ocrEnabled: true,
    ocrLanguage: context.ocrLanguages.join('+'),
    tessdataPath: await context.tessdataFolder(),
    // A page without its pictures is better than nothing.
    ocrFailureFatal: false,
    quiet: true,
    numWorkers: 1,
    outputFormat: 'text',
    keepHeadersFooters: true,
    continueOnPageError: true,
    ...config,
  })
  return (await parser.parse(file)).pages
}

/** Why what was recognised on a page is not to be believed; nothing is said of pages that are mostly text anyway. */
export function doubtAboutPage({ textItems }: ParsedPage, { ocrLanguages }: ExtractContext): Doubt | undefined {
  const recognised = textItems.filter(({ confidence }) => confidence !== undefined)
  const read = textItems.filter(({ confidence }) => confidence === undefined)
  return lengthOf(recognised) > lengthOf(read) ? doubtAbout(recognised, ocrLanguages) : undefined
}

const lengthOf = (items: readonly { text: string }[]): number => items.reduce((sum, { text }) => sum + text.length, 0)

/** Note on a page that is left out. */
export const notBelieved = (page: number): string =>
  `Page ${page} is a picture whose text could not be recognised with certainty, and was left out.`

/** Paragraphs of a recognised page. Its lines are grouped by their position: letter sizes of a scan are too rough for headings. */
export function recognisedBlocks(page: ParsedPage, location: Location = { page: page.pageNum }): AsyncGenerator<Block> {
  const lines = readingOrder(page).map((text) => ({ text, number: 0 }))
  return withoutLines(textBlocks([lines]), location)
}

async function* withoutLines(blocks: AsyncIterable<Block>, location: Location): AsyncGenerator<Block> {
  for await (const block of blocks) yield { ...block, location: { ...location } }
}
