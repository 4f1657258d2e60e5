/** The name that somebody may have meant: a few letters off, or with a part that is missing; undefined if none is near. */
export function nearestName(given: string, known: readonly string[]): string | undefined {
  const wanted = lettersOf(given)
  let nearest: { name: string; distance: number } | undefined
  for (const name of known) {
    const letters = lettersOf(name)
    const isPart = wanted.length > 2 && (letters.includes(wanted) || wanted.includes(letters))
    // A part of a name is a weaker hint than a slip of the fingers.
    const distance = Math.min(editDistance(wanted, letters), isPart ? 2.5 : Number.POSITIVE_INFINITY)
    const isNear = distance <= 2.5 && distance <= Math.ceil(Math.max(wanted.length, letters.length) / 3)
    if (isNear && (!nearest || distance < nearest.distance)) nearest = { name, distance }
  }
  return nearest?.name
}

/** Long names come from nobody's slip, and the distance takes time for each pair of letters. */
const LONGEST = 64

const lettersOf = (name: string): string =>
  name
    .slice(0, LONGEST)
    .toLowerCase()
    .replace(/[^\p{L}\p{N}]/gu, '')

/** Letters to add, to remove, to replace, or to swap with the next one. */
function editDistance(a: string, b: string): number {
  let before: number[] = []
  let row = Array.from({ length: b.length + 1 }, (_, j) => j)
  for (let i = 1; i <= a.length; i++) {
    const next = [i]
    for (let j = 1; j <= b.length; j++) {
      const replaced = row[j - 1]! + (a[i - 1] === b[j - 1] ? 0 : 1)
      const isSwap = i > 1 && j > 1 && a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1]
      const swapped = isSwap ? before[j - 2]! + 1 : Number.POSITIVE_INFINITY
      next.push(Math.min(replaced, swapped, row[j]! + 1, next[j - 1]! + 1))
    }
    before = row
    row = next
  }
  return row[b.length]!
}
