import { seededRandom } from '../../server/tests/support/seeded-random.ts'

const SYLLABLES = 'ba ce di fo gu ha je ki lo mu na pe qui ro su ta ve wi xo zu bra cle dri flo gru pla ste tri'.split(
  ' ',
)
const VOCABULARY = 60_000

/** Text whose words are as often and as rare as those of a language: the n-th word comes 1/n times as often. */
export function createSyntheticText(seed: number) {
  const random = seededRandom(seed)
  const logOfSize = Math.log(VOCABULARY)

  function wordAt(rank: number): string {
    let word = ''
    for (let rest = rank + SYLLABLES.length; rest > 0; rest = Math.floor(rest / SYLLABLES.length)) {
      word += SYLLABLES[rest % SYLLABLES.length]
    }
    return word
  }

  const words = (count: number, fromRank: number) =>
    Array.from({ length: count }, () => wordAt(Math.floor(Math.exp(random() * logOfSize)) + fromRank)).join(' ')

  return {
    random,
    passage: () => `${words(150, 0)}.`,
    /** Content words only: the most frequent ones are what stop words are in a language. */
    question: () => words(3 + Math.floor(random() * 5), 150),
    id: () => Array.from({ length: 24 }, () => Math.floor(random() * 16).toString(16)).join(''),
  }
}
