import type { WeighedTerm } from '../../retrieval/retrieval.ts'
import { TermFinder } from '../../search/analysis/analysis.ts'

/** Kind of answer that a question asks for, by its question word. */
export type AnswerKind = 'when' | 'amount' | 'who' | 'where' | 'why' | 'how' | 'what'

/** A question as sentences are compared with it. */
export interface AskedQuestion {
  text: string
  lowerCase: string
  kind: AnswerKind
  terms: string[]
  finder: TermFinder
  /** BM25 that all terms could give. */
  weight: number
  /** Share of it that each term has; the sum is 1. */
  weights: number[]
  /** Words in lower case, stop words included, and those of them that are side by side. */
  words: Set<string>
  pairs: string[]
  triples: string[]
  /** Words with a capital inside the question, and its numbers; in lower case. */
  names: string[]
  numbers: string[]
}

/** The first that fits holds. English, German, French and Spanish; in other languages everything is asked as `what`. */
const KINDS: [kind: AnswerKind, asks: RegExp][] = (
  [
    [
      'when',
      'when|wann|quand|cu[áa]ndo|(?:what|which) (?:year|date|day|month|time|century|decade)|how (?:recently|early|late)|welche[mns]? (?:jahr|tag|datum|monat)|quelle (?:année|date)|qué (?:año|fecha|día)',
    ],
    [
      'amount',
      'how (?:many|much|long|old|far|tall|high|large|big|often|fast|deep|wide|heavy)|(?:what|which) (?:percent|percentage|number|amount|age|size|population|price|proportion|fraction|temperature|distance|length)|wie ?(?:viele?|lange?|alt|weit|hoch|groß|oft|schnell|tief|breit|schwer)|combien|cu[áa]nt[oa]s?',
    ],
    ['who', 'who|whom|whose|wer|wen|wem|wessen|qui|quién|quiénes'],
    [
      'where',
      'where|wo|woher|wohin|dónde|où|(?:what|which) (?:city|country|state|place|river|region|town|county|nation|continent|location|area|building|street|university|school|college)',
    ],
    ['why', 'why|warum|weshalb|wieso|pourquoi|por qué|for what reason|what (?:caused|causes|reason)'],
    ['how', 'how|wie|comment|cómo'],
  ] as const
).map(([kind, asks]) => [kind, new RegExp(String.raw`(?<!\p{L})(?:${asks})(?!\p{L})`, 'iu')])
const NAME = /(?<=\S\s+["“'(]?)\p{Lu}[\p{L}\p{N}]+/gu
const NUMBER = /\d[\d.,]*\d|\d/g

/** @returns undefined for a question without a term that the index knows of */
export function readQuestion(text: string, terms: readonly WeighedTerm[]): AskedQuestion | undefined {
  const weight = terms.reduce((sum, { idf, count }) => sum + idf * count, 0)
  if (weight === 0) return undefined
  const words = wordsOf(text)
  const indexed = terms.map(({ term }) => term)
  return {
    text,
    lowerCase: text.toLowerCase(),
    kind: KINDS.find(([, asks]) => asks.test(text))?.[0] ?? 'what',
    terms: indexed,
    finder: new TermFinder(
      indexed,
      terms.map(({ forms = [] }) => forms),
    ),
    weight,
    weights: terms.map(({ idf, count }) => (idf * count) / weight),
    words: new Set(words),
    pairs: [...new Set(runsOf(words, 2))],
    triples: [...new Set(runsOf(words, 3))],
    names: [...new Set(text.match(NAME)?.map((name) => name.toLowerCase()))],
    numbers: [...new Set(text.match(NUMBER))],
  }
}

/** Words of a text in lower case, stop words included. */
export function wordsOf(text: string): string[] {
  return text.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? []
}

/** Every run of so many words that are side by side. */
export function runsOf(words: readonly string[], length: number): string[] {
  return words.slice(length - 1).map((_, from) => words.slice(from, from + length).join(' '))
}
