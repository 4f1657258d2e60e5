import type { LiteParseConfig, ParsedPage, TextItem } from '@llamaindex/liteparse'
import type { ExtractContext } from '../extraction.ts'
import type { Block, Location } from '../parsed-document.ts'
import { OCR_PAGE_WEIGHT } from '../parser/parse-limits.ts'
import { textBlocks } from '../text/text.ts'
import { textOf } from './item-lines.ts'
import { readingOrder } from './ocr-columns.ts'
import { type Doubt, findDoubt, isEnglishAlone, isSuspect, recognisedItems } from './ocr-doubt.ts'
import { readInOtherLanguage } from './other-languages.ts'
import { findUnsureLines, lengthOf } from './unsure-lines.ts'

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

/** Recognises the text of some pages of a PDF. `onPages` is told how many of them are done. */
export async function recognisePages(
  file: string,
  pages: number[],
  context: ExtractContext,
  onPages: (done: number) => void,
): Promise<Map<number, RecognisedPage>> {
  const found = new Map<number, RecognisedPage>()
  for (let start = 0; start < pages.length; start += PAGES_PER_CALL) {
    onPages(start)
    const wanted = pages.slice(start, start + PAGES_PER_CALL)
    for (const page of await recognise(file, { targetPages: wanted.join(',') }, context)) {
      const again = async (languages: readonly string[]) => {
        context.pagesDone(OCR_PAGE_WEIGHT)
        return (await recognise(file, { targetPages: String(page.pageNum) }, context, languages))[0]
      }
      found.set(page.pageNum, await credible(page, again, context))
    }
    context.pagesDone(wanted.length * OCR_PAGE_WEIGHT)
  }
  return found
}

/** Recognises the text of a file that liteparse opens by its extension, with data from disk: never downloaded. */
export async function recognise(
  file: string,
  config: Partial<LiteParseConfig>,
  context: ExtractContext,
  languages: readonly string[] = languagesOf(context),
): Promise<ParsedPage[]> {
  const { LiteParse } = await import('@llamaindex/liteparse')
  const parser = new LiteParse({
    ocrEnabled: true,
    ocrLanguage: languages.join('+'),
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

/** Languages to read in: those that were found in the file come first. */
const languagesOf = ({ languages, ocrLanguages }: ExtractContext): readonly string[] => [
  ...[...languages.found].reverse(),
  ...ocrLanguages,
]

/** A page that was recognised. */
export interface RecognisedPage {
  page: ParsedPage
  /** Reason not to trust what it says; undefined for pages that are mostly text anyway. */
  doubt: Doubt | undefined
}

/**
 * A page as it is, or read in another language in which it is credible; single lines that are credible in none are left
 * out, with a note.
 */
export async function credible(
  page: ParsedPage,
  again: (languages: readonly string[]) => Promise<ParsedPage | undefined>,
  context: ExtractContext,
): Promise<RecognisedPage> {
  const recognised = recognisedItems(page)
  const { unsure, doubt } = judge(page, context)
  if (recognised.length < page.textItems.length / 2) return { page, doubt }
  const isUnclear = isSuspect(recognised) || unsure.length > 0
  if (recognised.length > 0 && !doubt && !isUnclear) return { page, doubt }
  // Most pictures without text are photos: for them nothing is loaded.
  const load = recognised.length > 0 ? 'any' : 'at hand'
  const other = await readInOtherLanguage(page, { doubt: doubt ?? 'unclear', load, again }, context)
  const best = other ? { page: other, ...judge(other, context) } : { page, unsure, doubt }
  if (best.doubt || best.unsure.length === 0) return { page: best.page, doubt: best.doubt }
  context.note(noteUnsureLines(page.pageNum))
  const rest = withoutItems(best.page, best.unsure)
  return { page: rest, doubt: judge(rest, context).doubt }
}

function withoutItems(page: ParsedPage, left: readonly TextItem[]): ParsedPage {
  const textItems = page.textItems.filter((item) => !left.includes(item))
  return { ...page, textItems, text: textOf(textItems) }
}

/** Lines of a page that are not credible, and whether that says something of all of it. */
function judge(page: ParsedPage, context: ExtractContext): { unsure: TextItem[]; doubt: Doubt | undefined } {
  const languages = languagesOf(context)
  const recognised = recognisedItems(page)
  const read = page.textItems.filter(({ confidence }) => confidence === undefined)
  const unsure = findUnsureLines(recognised, isEnglishAlone(languages))
  if (lengthOf(recognised) <= lengthOf(read)) return { unsure, doubt: undefined }
  const isMostlyUnsure = lengthOf(unsure) > lengthOf(recognised) / 2
  return { unsure, doubt: isMostlyUnsure ? 'unclear' : findDoubt(recognised, languages) }
}

/** Note on a page that is left out. */
export const noteUnsurePage = (page: number): string =>
  `Page ${page} is a picture whose text could not be recognised with certainty, and was left out.`

/** Note on lines that are left out of a page. */
const noteUnsureLines = (page: number): string =>
  `Lines of page ${page} could not be recognised with certainty, and were left out. They are unclear, or in a language that is not recognised here.`

/** Paragraphs of a recognised page. Its lines are grouped by their position: letter sizes of a scan are too rough for headings. */
export function recognisedBlocks(page: ParsedPage, location: Location = { page: page.pageNum }): AsyncGenerator<Block> {
  const lines = readingOrder(page).map((text) => ({ text, number: 0 }))
  return withoutLines(textBlocks([lines]), location)
}

async function* withoutLines(blocks: AsyncIterable<Block>, location: Location): AsyncGenerator<Block> {
  for await (const block of blocks) yield { ...block, location: { ...location } }
}
