import type { ParsedPage } from '@llamaindex/liteparse'
import type { ExtractContext } from '../extraction.ts'
import { confidenceOf, type Doubt, findDoubt, recognisedItems } from './ocr-doubt.ts'
import { CANDIDATES, isLatin, lettersOf } from './ocr-languages.ts'

/** Clear print in the right language has 0.92 and more; in a wrong one in Latin script up to 0.91. */
const SURE_OF_LATIN = 0.92
/** Another script is a sign by itself; Ukrainian read as Russian has 0.7. */
const SURE_OF_SCRIPT = 0.85
/** Confidence sufficient for a language suggested by its function words. */
const SURE_OF_KNOWN = 0.8
/** A language has to be that much better than those that were doubted. */
const LEAST_GAIN = 0.02
/** Share of the letters that have to be of the language's script: another part of the page may be English. */
const LEAST_OF_SCRIPT = 0.15
const MOST_OF_SCRIPT = 0.6
/** Pages of a file on which all languages may be tried in vain: pictures that hold no text worth the name. */
const MOST_VAIN = 2

/** A page read in a language, and how sure the recognition is of it. */
interface Reading {
  language: string
  page: ParsedPage
  confidence: number
}

interface ReadingAgain {
  doubt: Doubt
  /** Whether data may be loaded from elsewhere. */
  load: 'any' | 'at hand'
  again(languages: readonly string[]): Promise<ParsedPage | undefined>
}

/**
 * Reads a page whose text is not credible in other languages, whose data is loaded for that.
 * @returns undefined if it is credible in none
 */
export async function readInOtherLanguage(
  doubted: ParsedPage,
  attempt: ReadingAgain,
  context: ExtractContext,
): Promise<ParsedPage | undefined> {
  const { doubt } = attempt
  const { found } = context.languages
  const items = recognisedItems(doubted)
  const before = items.length > 0 ? confidenceOf(items) : 0
  const groups = doubt === 'unclear' ? CANDIDATES : [[doubt.language]]
  if (doubt === 'unclear' && context.languages.vain >= MOST_VAIN) return undefined
  for (const group of groups) {
    const best = await bestOf(group, attempt, context)
    if (!best || best.confidence < (doubt === 'unclear' ? sureOf(best, before) : SURE_OF_KNOWN)) continue
    if (findDoubt(recognisedItems(best.page), [best.language, ...context.ocrLanguages])) continue
    found.delete(best.language)
    found.add(best.language)
    return best.page
  }
  if (doubt === 'unclear') context.languages.vain++
  return undefined
}

const sureOf = ({ language }: Reading, before: number): number =>
  Math.max(isLatin(language) ? SURE_OF_LATIN : SURE_OF_SCRIPT, before + LEAST_GAIN)

async function bestOf(
  languages: readonly string[],
  { load, again }: ReadingAgain,
  context: ExtractContext,
): Promise<Reading | undefined> {
  let best: Reading | undefined
  for (const language of languages) {
    if (context.ocrLanguages.includes(language)) continue
    if (!(await context.languages.load(language, load === 'at hand'))) continue
    const page = await again([language, ...context.ocrLanguages])
    const reading = page && readingOf(page, language)
    if (reading && reading.confidence > (best?.confidence ?? 0)) best = reading
    // Others of its script cannot be better by much, and cost a recognition each.
    if (best && best.confidence >= 0.95) break
  }
  return best
}

/** @returns undefined for a page in another script */
function readingOf(page: ParsedPage, language: string): Reading | undefined {
  const items = recognisedItems(page)
  const letters = items.flatMap(({ text }) => text.match(/\p{L}/gu) ?? [])
  const own = letters.filter((letter) => lettersOf(language).test(letter)).length
  const notEnglish = letters.filter((letter) => !/[a-z]/i.test(letter)).length
  if (own === 0 || own < letters.length * LEAST_OF_SCRIPT || own < notEnglish * MOST_OF_SCRIPT) return undefined
  return { language, page, confidence: confidenceOf(items) }
}
