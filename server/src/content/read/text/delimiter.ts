const candidates = [',', ';', '\t', '|'] as const

export interface Delimiter {
  delimiter: string
  /** Fields of most lines. */
  fields: number
  /** Share of the lines that have this many fields, 0 to 1. */
  agreement: number
  lines: number
}

/** The delimiter that splits the first lines of a text most evenly, not counting what is in quotes. */
export function detectDelimiter(sample: string): Delimiter | undefined {
  const declared = /^sep=(.)\r?\n/i.exec(sample)
  if (declared) return { delimiter: declared[1]!, fields: 2, agreement: 1, lines: 1 }
  let best: Delimiter | undefined
  let bestScore = 0
  for (const delimiter of candidates) {
    const counts = fieldCounts(sample, delimiter)
    const fields = mostFrequent(counts)
    if (fields < 2) continue
    const agreement = counts.filter((count) => count === fields).length / counts.length
    const score = agreement * Math.log2(fields)
    if (score > bestScore) {
      bestScore = score
      best = { delimiter, fields, agreement, lines: counts.length }
    }
  }
  return best
}

const MAX_LINES = 50
const MAX_CHARS = 32 * 1024
const LF = 10
const CR = 13
const QUOTE = 34

function fieldCounts(sample: string, delimiter: string): number[] {
  const counts: number[] = []
  const mark = delimiter.charCodeAt(0)
  let fields = 1
  let quoted = false
  let empty = true
  const length = Math.min(sample.length, MAX_CHARS)
  for (let at = 0; at < length && counts.length < MAX_LINES; at++) {
    const char = sample.charCodeAt(at)
    if (char === QUOTE) quoted = !quoted
    else if (char === LF && !quoted) {
      if (!empty) counts.push(fields)
      fields = 1
      empty = true
      continue
    } else if (char === mark && !quoted) fields++
    if (char !== CR) empty = false
  }
  // The last line is counted only where the sample ends with it.
  if (!empty && !quoted && (length === sample.length || counts.length === 0)) counts.push(fields)
  return counts
}

function mostFrequent(values: number[]): number {
  const times = new Map<number, number>()
  for (const value of values) times.set(value, (times.get(value) ?? 0) + 1)
  let best = 0
  let bestTimes = 0
  for (const [value, count] of times)
    if (count > bestTimes || (count === bestTimes && value > best)) {
      best = value
      bestTimes = count
    }
  return best
}
