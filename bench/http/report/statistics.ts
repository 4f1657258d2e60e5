/** The value below which this share of the others lies. Not a number when there is none. */
export function percentile(values: number[], share: number): number {
  const sorted = values.toSorted((a, b) => a - b)
  return sorted[Math.min(sorted.length - 1, Math.floor(share * sorted.length))] ?? Number.NaN
}

/** The middle of those that are numbers; not a number when there is none. */
export function median(values: number[]): number {
  const sorted = values.filter(Number.isFinite).toSorted((a, b) => a - b)
  const upper = sorted[sorted.length >> 1] ?? Number.NaN
  if (sorted.length % 2 === 1 || sorted.length === 0) return upper
  return (sorted[(sorted.length >> 1) - 1]! + upper) / 2
}
