/** Question that makes the scripted model answer with this many words. */
export const askFor = (words: number, everyMs?: number): string =>
  everyMs === undefined ? `say ${words} words` : `say ${words} words every ${everyMs} ms`

export const wordsOf = (count: number): string => Array.from({ length: count }, (_, index) => ` w${index}`).join('')

const VOCABULARY = (
  'account agreement answer archive balance budget building carrier certificate charge claim clause committee contract ' +
  'customer damage date delay delivery department deposit document employee engine equipment estimate expense factory ' +
  'freight guarantee harbour holiday inspection insurance interest invoice item journey laboratory letter licence loss ' +
  'machine manager material measure meeting method minister network notice office order parcel partner payment people ' +
  'permit plan policy price process product project purchase quality question receipt record refund region report ' +
  'request result review risk rule sample schedule season service shipment signature software station storage supplier ' +
  'survey system target tariff team term ticket total traffic training transfer vehicle version warehouse weather year'
).split(' ')

/**
 * A text of at least this many characters, in sentences and paragraphs, the same for the same seed. Its last sentence
 * holds the word `markerOf(seed)`, by which a search finds this text and no other.
 */
export function textOf(seed: number, characters: number): string {
  let state = seed * 2_654_435_761 + 1
  // xorshift: which words follow one another must not repeat within a text.
  const next = (below: number) => {
    state ^= state << 13
    state ^= state >>> 17
    state ^= state << 5
    return (state >>> 0) % below
  }
  let text = ''
  for (let sentence = 1; text.length < characters; sentence++) {
    const words = Array.from({ length: 6 + next(14) }, () => VOCABULARY[next(VOCABULARY.length)])
    text += `The ${words.join(' ')}.${sentence % 6 === 0 ? '\n\n' : ' '}`
  }
  return `${text}The mark of this text is ${markerOf(seed)}.\n`
}

export const markerOf = (seed: number): string => `mark${seed}x`
