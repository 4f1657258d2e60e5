import { QUERY_MAX_TERMS } from '../engine.ts'
import { termOf } from './analysis.ts'
import { type Code, codesIn } from './codes.ts'
import { forEachSpan } from './spans.ts'
import { languageOf } from './word-forms.ts'

/** A pasted document is not analysed to its end. */
const QUERY_MAX_CHARACTERS = 8_000
/** A word that a question repeats counts so often, and no more: then it is a refrain. */
const MAX_COUNT = 4

export interface QueryText {
  /**
   * Query for the engine: words only, so that nothing in it can be mistaken for syntax, repeated as often as they
   * count.
   */
  searchText: string
  /** The terms, each once. */
  terms: string[]
  /** How often each term counts: its occurrences, 4 at most; 1 in scripts without spaces. */
  counts: number[]
  /**
   * Other forms of each term in the question's language, and words that it makes together with another of the question,
   * some of which may be no words; as the index holds them.
   */
  forms: string[][]
  /** Other forms as words, for the engine, a compound of two words of the question twice; '' for a question without. */
  formsText: string
  /** Pairs of words that a term may be made of, some of which may be no words; as the index holds them. */
  partsOf(term: string): [first: string, second: string][]
  /** Part numbers and the like. */
  codes: Code[]
}

/**
 * Understands a question as the index understood its passages.
 * @param segment the engine's own tokenizer, for scripts without spaces
 */
export async function readQueryText(text: string, segment: (run: string) => Promise<string[]>): Promise<QueryText> {
  const runs: { text: string; unspaced: boolean }[] = []
  const whole = text.slice(0, QUERY_MAX_CHARACTERS).normalize('NFC')
  forEachSpan(whole, (start, end, unspaced) => runs.push({ text: whole.slice(start, end), unspaced }))

  const language = languageOf(whole)
  const isOnlySmall = runs.every(({ text: word }) => language?.isSmall(word))
  const forms = new Map<string, string[]>()
  const wordOf = new Map<string, string>()
  const asked = runs.map((run) => run.text)
  const formWords: string[] = []
  const counts = new Map<string, number>()
  const words: string[] = []
  /** Terms of a run without spaces, less those that only make a question, unless it has no others. */
  async function contentOf(run: string): Promise<string[]> {
    const all = await segment(run)
    const content = all.filter((term) => !language?.isSmall(term))
    return content.length > 0 ? content : all
  }
  for (const run of runs) {
    if (counts.size >= QUERY_MAX_TERMS) break
    if (language?.isSmall(run.text) && !isOnlySmall) continue
    const most = run.unspaced ? 1 : MAX_COUNT
    const found = (run.unspaced ? await contentOf(run.text) : [termOf(run.text)]).filter(
      (term) => term && (counts.get(term) ?? 0) < most,
    )
    if (found.length === 0) continue
    words.push(run.text)
    for (const term of found) counts.set(term, (counts.get(term) ?? 0) + 1)
    const [only = ''] = found
    if (!language || run.unspaced || forms.has(only)) continue
    // Two of them may be one to the index, which would count it twice.
    const alike = [...language.formsOf(run.text), ...language.compoundsOf(run.text, asked)]
    const others = new Map(alike.map((form) => [termOf(form), form]))
    for (const form of ['', only]) others.delete(form)
    forms.set(only, [...others.keys()])
    formWords.push(...others.values())
    wordOf.set(only, run.text)
  }
  const counted = [...counts].slice(0, QUERY_MAX_TERMS)
  return {
    searchText: words.join(' '),
    terms: counted.map(([term]) => term),
    counts: counted.map(([, count]) => count),
    forms: counted.map(([term]) => (forms.get(term) ?? []).filter((form) => !counts.has(form))),
    formsText: formWords.join(' '),
    // Some two hundred pairs a word, which only words that occur nowhere are asked for.
    partsOf: (term) =>
      (language?.partsOf(wordOf.get(term) ?? '') ?? []).map(([first, second]) => [termOf(first), termOf(second)]),
    codes: codesIn(whole),
  }
}
