import type { TextItem } from '@llamaindex/liteparse'
import { linesOf } from './item-lines.ts'
import { confidenceOf } from './ocr-doubt.ts'
import { letteredWords, shareOfWords } from './ocr-words.ts'

/** Confidence that a line needs which is not words: Russian read as English has 0.3 to 0.85, names 0.75 and more. */
const SURE = 0.75
/** Confidence of such a line with capitals inside of words, or beside other lines that are not credible. */
const SURE_OF_ODD = 0.85
/** Confidence needed where right words cannot be distinguished from wrong ones: with data for other languages. */
const SURE_OF_OTHERS = 0.6
/** Noise, such as a signature or a stamp, is less than that share of a page's letters, or fewer words. */
const LEAST_SHARE = 0.1
const LEAST_WORDS = 2

/**
 * Items of the lines that are not credible on a page that otherwise is: a part of it may be in a script without data,
 * whose letters come out as similar Latin ones, such as "paboTaeT".
 * @param isEnglish whether English is the only language with data
 * @returns none if they are little enough to be noise
 */
export function findUnsureLines(items: TextItem[], isEnglish: boolean): TextItem[] {
  const unsure = collectUnsure(items, isEnglish, SURE)
  if (letteredWords(unsure).length < LEAST_WORDS || lengthOf(unsure) < LEAST_SHARE * lengthOf(items)) return []
  return collectUnsure(items, isEnglish, SURE_OF_ODD)
}

/** Number of letters, digits and marks. */
export const lengthOf = (items: readonly { text: string }[]): number =>
  items.reduce((sum, { text }) => sum + text.replaceAll(/\s/g, '').length, 0)

/** Items of whole lines, and single ones of other lines: two columns may be in two languages. */
function collectUnsure(items: TextItem[], isEnglish: boolean, sure: number): TextItem[] {
  const isUnsure = (part: TextItem[]) => {
    const words = letteredWords(part)
    if (!isEnglish) return confidenceOf(part) < SURE_OF_OTHERS
    if (shareOfWords(words) > 0.5) return false
    return confidenceOf(part) < (words.some(hasInnerCapital) ? SURE_OF_ODD : sure)
  }
  return linesOf(items).flatMap((line) => (isUnsure(line) ? line : line.filter((item) => isUnsure([item]))))
}

const hasInnerCapital = (word: string) => /\p{Ll}\p{Lu}/u.test(word)
