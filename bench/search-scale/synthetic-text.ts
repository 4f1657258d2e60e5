/** The same sequence of numbers in [0, 1) for the same seed. */
export function seededRandom(seed: number): () => number {
  let state = seed
  return () => {
    state = (state + 0x6d2b79f5) | 0
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state)
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4294967296
  }
}

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
