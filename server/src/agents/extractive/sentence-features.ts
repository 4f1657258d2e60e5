import { headingOf } from '../../content/chunks/indexed-text.ts'
import { sentences } from '../../content/chunks/sentences.ts'
import type { FoundPassage } from '../../retrieval/retrieval.ts'
import type { TermMatch } from '../../search/analysis/analysis.ts'
import { answerSigns } from './answer-signs.ts'
import { type AskedQuestion, runsOf, wordsOf } from './asked-question.ts'

/** Measures of a sentence by name, most of them 0 to 1; those that are 0 may be missing. */
export type Features = Record<string, number>

export interface Candidate {
  text: string
  /** Number to cite its passage by. */
  index: number
  /** Position of its passage, and of the sentence there. */
  rank: number
  place: number
  /** Terms of the question in it, by their position there. */
  held: Set<number>
  /** Terms of the question in the headings above. */
  above: Set<number>
  features: Features
}

/** "…in winter.[12]": they would be mistaken for citations of ours, and for sentences. */
const FOOTNOTE_MARKS = /(?<=[.!?,;:)"”’](?:\[\d{1,3}\])*)\[\d{1,3}\]/g
const IS_QUESTION = /[?？؟]["'”’)\]]*$/
const POINTS_BACK = /^(?:He|She|It|They|This|That|These|Those|His|Her|Its|Their|Such|Er|Sie|Es|Il|Elle)\b/
/** Words between two terms that are next to each other in the question. */
const PAIR_REACH = 3
/** Letters by which two forms of a word are the same: compose, composition. */
const BEGINNING = 5

/** Sentences that may answer a question, each with what tells whether it does. */
export function candidatesOf(question: AskedQuestion, passages: readonly FoundPassage[]): Candidate[] {
  const bestMatch = Math.max(...passages.map(({ bm25 }) => bm25)) || 1
  const [first, second] = passages.map(({ score }) => score)
  return passages.flatMap((passage, rank) => {
    const fromPassage = {
      match: passage.bm25 / bestMatch,
      first: rank === 0 ? 1 : 0,
      second: rank === 1 ? 1 : 0,
      lead: rank === 0 && first ? 1 - (second ?? 0) / first : 0,
    }
    // The heading of a passage applies to all of its sentences.
    const above = termsIn(question.finder.find(headingOf(passage.title, passage.location)))
    const texts = sentencesOf(passage.hit)
    const matches = texts.map((text) => question.finder.find(text))
    const held = matches.map(termsIn)
    return texts.flatMap((text, place) => {
      // A question does not answer a question; the sentence after it may.
      if (IS_QUESTION.test(text)) return []
      const around = { above, before: held[place - 1], beforeThat: held[place - 2], after: held[place + 1] }
      const own = held[place] as Set<number>
      const words = wordsOf(text)
      const features = {
        ...fromPassage,
        ...coverage(question, own, around, { text, words }),
        ...closeness(question, matches[place] as TermMatch[]),
        ...wordFeatures(question, { text, words }),
        opening: place === 0 ? 1 : 0,
        best: own.size > 0 && own.size === Math.max(...held.map(({ size }) => size)) ? 1 : 0,
      }
      return [{ text, index: passage.index, rank, place, held: own, above, features }]
    })
  })
}

/** Splits a passage into sentences, leaving out list numbers and other pieces without content. */
function sentencesOf(passage: string): string[] {
  return [...sentences(passage.replaceAll(FOOTNOTE_MARKS, ''))]
    .map((sentence) => sentence.replaceAll(/\s+/g, ' ').trim())
    .filter((sentence) => /\p{L}/u.test(sentence))
}

function termsIn(matches: TermMatch[]): Set<number> {
  return new Set(matches.map(({ term }) => term))
}

interface Sentence {
  text: string
  /** Its words in lower case. */
  words: string[]
}

interface Around {
  above: Set<number>
  before: Set<number> | undefined
  beforeThat: Set<number> | undefined
  after: Set<number> | undefined
}

/** Share of the question's weight that the sentence holds, and what is held only around it. */
function coverage(
  { weights, terms }: AskedQuestion,
  own: Set<number>,
  around: Around,
  { text, words }: Sentence,
): Features {
  const shareOf = (held: Iterable<number>) => [...held].reduce((sum, term) => sum + (weights[term] ?? 0), 0)
  const { above, before = new Set(), beforeThat = new Set(), after = new Set() } = around
  const here = own.union(above)
  const beginnings = new Set(words.map((word) => word.slice(0, BEGINNING)))
  const inAnotherForm = terms.flatMap((term, place) =>
    term.length >= BEGINNING - 1 && !here.has(place) && beginnings.has(term.slice(0, BEGINNING)) ? [place] : [],
  )
  const roots = weights.map(Math.sqrt)
  const shareBefore = shareOf(before.difference(here))
  return {
    own: shareOf(own),
    ownRoot: [...own].reduce((sum, term) => sum + (roots[term] ?? 0), 0) / roots.reduce((sum, root) => sum + root, 0),
    count: own.size / weights.length,
    above: shareOf(above.difference(own)),
    // A sentence speaks of what the one before it named: "He was born there."
    before: shareBefore,
    beforeOfPronoun: POINTS_BACK.test(text) ? shareBefore : 0,
    beforeThat: shareOf(beforeThat.difference(here).difference(before)),
    after: shareOf(after.difference(here).difference(before)),
    anotherForm: shareOf(inAnotherForm),
  }
}

/** How closely and in what order the terms stand. */
function closeness({ weights }: AskedQuestion, matches: TermMatch[]): Features {
  const pairs = new Set<number>()
  for (const [place, { term, position }] of matches.entries()) {
    const next = matches[place + 1]
    if (next?.term === term + 1 && next.position - position <= PAIR_REACH) pairs.add(term)
  }
  return {
    pairs: weights.length > 1 ? pairs.size / (weights.length - 1) : 0,
    order: longestRise([...termsIn(matches)]) / weights.length,
  }
}

/** Length of the longest part of a list, with gaps, that only rises. */
function longestRise(values: number[]): number {
  const ends: number[] = []
  for (const value of values) {
    const place = ends.findIndex((end) => end >= value)
    ends[place < 0 ? ends.length : place] = value
  }
  return ends.length
}

/** Words, names and numbers that the sentence shares with the question, and what it says beyond them. */
function wordFeatures(question: AskedQuestion, { text, words }: Sentence): Features {
  const held = new Set(words)
  const shareOf = (asked: readonly string[], has: (part: string) => boolean) =>
    asked.length === 0 ? 0 : asked.filter(has).length / asked.length
  const runs = new Set([...runsOf(words, 2), ...runsOf(words, 3)])
  const length = Math.log(1 + words.length)
  return {
    length,
    [`${question.kind}:length`]: length,
    news: words.filter((word) => !question.words.has(word)).length / Math.max(1, words.length),
    pairsOfWords: shareOf(question.pairs, (pair) => runs.has(pair)),
    triplesOfWords: shareOf(question.triples, (triple) => runs.has(triple)),
    names: shareOf(question.names, (name) => held.has(name)),
    numbers: shareOf(question.numbers, (number) => text.includes(number)),
    ...Object.fromEntries(answerSigns(question, text).map((sign) => [sign, 1])),
  }
}
