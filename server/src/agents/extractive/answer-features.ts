import { headingOf } from '../../content/chunks/indexed-text.ts'
import type { FoundPassage } from '../../retrieval/retrieval.ts'
import type { AskedQuestion } from './asked-question.ts'
import { shareOfMissingNames } from './missing-names.ts'
import { raritiesOf } from './rarity.ts'
import type { Candidate, Features } from './sentence-features.ts'

/**
 * Measures of whether passages answer a question at all.
 * @param best candidate of the highest score
 */
export function answerFeatures(
  { text: question, terms, finder, weight, weights }: AskedQuestion,
  passages: readonly FoundPassage[],
  candidates: readonly Candidate[],
  best: Candidate,
): Features {
  const itsPassage = passages[best.rank] as FoundPassage
  const heldIn = (texts: string[]) => new Set(texts.flatMap((text) => finder.find(text).map(({ term }) => term)))
  const missingNames = (among: readonly FoundPassage[]) => {
    const texts = among.map(withHeading)
    const held = new Set([...heldIn(texts)].map((place) => terms[place]))
    return shareOfMissingNames(question, texts, (term) => held.has(term))
  }
  const inItsPassage = heldIn([withHeading(itsPassage)])
  const matches = passages.map(({ bm25 }) => bm25 / weight)
  const rarities = raritiesOf(question, terms)
  const most = (name: string) => Math.max(...candidates.map(({ features }) => features[name] ?? 0))
  return {
    match: Math.max(...matches),
    itsMatch: itsPassage.bm25 / weight,
    meanMatch: matches.reduce((sum, match) => sum + match, 0) / matches.length,
    coverage: Math.max(
      ...candidates.map(({ features: { own = 0, above = 0, before = 0 } }) => own + above + 0.3 * before),
    ),
    missingInPassage: weights.reduce((sum, each, place) => sum + (inItsPassage.has(place) ? 0 : each), 0),
    missingNames: missingNames(passages),
    namesMissingInPassage: missingNames([itsPassage]),
    names: most('names'),
    triplesOfWords: most('triplesOfWords'),
    held: Math.log(1 + best.held.size),
    rarestHeld: Math.max(0, ...[...best.held].map((place) => rarities[place] as number)),
    above: best.features.above ?? 0,
    terms: Math.log(terms.length),
  }
}

function withHeading({ title, location, hit }: FoundPassage): string {
  return `${headingOf(title, location)}\n${hit}`
}
