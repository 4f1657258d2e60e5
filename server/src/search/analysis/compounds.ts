/** Letters that a German compound may have between its parts: Kündigung-s-frist, Straße-n-bahn. */
const LINKS = ['', 's', 'n', 'en', 'es', 'er']
const PART_MIN_LENGTH = 3
const COMPOUND_MIN_LENGTH = 8
/** Endings of a compound that its last part may lack: Kündigungsfristen, Frist. */
const ENDINGS = ['en', 'er', 'es', 'e', 'n', 's']

/** Words that two German nouns make together, most of which do not exist: Kündigung and Frist make Kündigungsfrist. */
export function compoundsOf(first: string, second: string): string[] {
  const stems = [...LINKS.map((link) => first + link), ...(first.endsWith('e') ? [first.slice(0, -1)] : [])]
  return stems.map((stem) => stem + second)
}

/** Pairs of words that a German word may be made of, most of which do not exist; none for one under 8 letters. */
export function partsOf(compound: string): [first: string, second: string][] {
  if (compound.length < COMPOUND_MIN_LENGTH) return []
  const pairs: [string, string][] = []
  for (let cut = PART_MIN_LENGTH; cut <= compound.length - PART_MIN_LENGTH; cut++) {
    const [before, after] = [compound.slice(0, cut), compound.slice(cut)]
    const firsts = [...withoutOneOf(before, LINKS), `${before}e`]
    const seconds = withoutOneOf(after, ['', ...ENDINGS])
    for (const first of firsts) for (const second of seconds) pairs.push([first, second])
  }
  return pairs
}

const withoutOneOf = (word: string, endings: readonly string[]): string[] =>
  endings
    .filter((ending) => word.endsWith(ending) && word.length - ending.length >= PART_MIN_LENGTH)
    .map((ending) => word.slice(0, word.length - ending.length))
