import type { ParsedPage } from '@llamaindex/liteparse'
import { letteredWords, shareOfWords, wordsOf } from './ocr-words.ts'
import { languageOf, languageOfPart } from './word-languages.ts'

/** Reason to doubt that a recognized text is what the picture shows. */
export type Doubt = 'unclear' | { language: string }

/** Text that was recognised together, with how sure the recognition is of it, from 0 to 1. */
export type RecognisedItem = Pick<ParsedPage['textItems'][number], 'text' | 'confidence'>

/** Confidence below which a text has to consist of words to be believed; English in small or dirty print has 0.75 and more. */
const SURE = 0.65
/** Confidence that words need: a line of Greek or Arabic that happens to make some has less. */
const SURE_OF_WORDS = 0.6
/** Confidence below which it is worth a look whether another language fits better. */
const SUSPECT = 0.85
/** Confidence that one or two words need that are none: they say little by themselves. */
const SURE_OF_FEW = 0.75
/** Letters that only data for their own script brings: in a language with another alphabet they have up to 0.78. */
const SURE_OF_OTHER_SCRIPT = 0.8
/** Confidence needed where hardly anything is a word: names have 0.85, Greek in Latin letters up to 0.7. */
const SURE_OF_NO_WORDS = 0.8
/** Languages beside which right words cannot be distinguished from wrong ones. */
const SURE_OF_OTHERS = 0.6
/** Share of the words that has to look like English, and what is hardly any. */
const MOST_WORDS = 0.5
const NO_WORDS = 0.25
const FEW_WORDS = 3
/** Least number of words with accents that, if more than half of all words have them, no English text reaches. */
const ACCENTED_WORDS = 3

/**
 * Doubts a text that is in none of the languages with data: letters of another script come out as similar Latin ones,
 * with little confidence and in words that are none; languages in Latin script come out with confidence and lose their
 * accents, but are recognised by their small words.
 * @param languages those with data, as Tesseract calls them
 */
export function findDoubt(items: readonly RecognisedItem[], languages: readonly string[]): Doubt | undefined {
  const words = wordsOf(items)
  const lettered = letteredWords(items)
  const share = shareOfWords(lettered)
  const confidence = confidenceOf(items)
  if (confidence < requiredConfidence(lettered.length, share, languages)) return 'unclear'
  const foreign = lettered.filter((word) => !/[a-z]/i.test(word)).length
  if (foreign > lettered.length / 4 && confidence < SURE_OF_OTHER_SCRIPT) return 'unclear'
  const language = languageOf(words)
  if (language !== undefined) return languages.includes(language) ? undefined : { language }
  if (!isEnglishAlone(languages)) return undefined
  if (isAccented(lettered)) return 'unclear'
  const ofPart = languageOfPart(words)
  return ofPart === undefined ? undefined : { language: ofPart }
}

/** Text of a page that was recognised, not read. */
export const recognisedItems = ({ textItems }: ParsedPage): ParsedPage['textItems'] =>
  textItems.filter(({ confidence }) => confidence !== undefined)

/** Whether a text may be in another language, although nothing speaks against it. */
export const isSuspect = (items: readonly RecognisedItem[]): boolean => confidenceOf(items) < SUSPECT

/** @returns 1 for what was not recognised but read */
export function confidenceOf(items: readonly RecognisedItem[]): number {
  let sum = 0
  let characters = 0
  for (const { text, confidence = 1 } of items) {
    const length = text.replace(/\s/g, '').length
    sum += confidence * length
    characters += length
  }
  return characters > 0 ? sum / characters : 1
}

function requiredConfidence(words: number, share: number, languages: readonly string[]): number {
  // One or two words may look like English by chance, and short ones of another script, too.
  if (share >= MOST_WORDS) return isEnglishAlone(languages) ? (words < FEW_WORDS ? SURE : SURE_OF_WORDS) : 0
  if (!isEnglishAlone(languages)) return SURE_OF_OTHERS
  if (words === 0) return SURE
  if (words < FEW_WORDS) return SURE_OF_FEW
  return share < NO_WORDS ? SURE_OF_NO_WORDS : SURE
}

/** Whether English is the only language with data. */
export const isEnglishAlone = (languages: readonly string[]) => languages.every((language) => language === 'eng')

function isAccented(words: readonly string[]): boolean {
  const accented = words.filter((word) => /[^\p{ASCII}’]/u.test(word)).length
  return accented >= ACCENTED_WORDS && accented > words.length / 2
}
