import type { Features } from '../../server/src/agents/extractive/sentence-features.ts'
import type { Weights } from '../../server/src/agents/extractive/weights.ts'

/** Candidates of one question, each with its features and whether it is right. */
export type Choice = { features: Features; isRight: boolean }[]
export interface Judged {
  features: Features
  isRight: boolean
}

const BATCH = 32
const RATE = 0.01

/**
 * Weights by which the right candidates of each question get the most of a softmax over all of its candidates: gradient
 * descent (Adam, Kingma and Ba 2015) on the logarithm of their share, with weights kept small by `decay`.
 */
export function fitRanking(choices: readonly Choice[], { passes = 30, decay = 3e-3 } = {}): Weights {
  const scale = scaleOf(choices.flat().map(({ features }) => features))
  const rows = choices
    .filter((choice) => choice.some(({ isRight }) => isRight))
    .map((choice) => choice.map(({ features, isRight }) => ({ values: scale.toRow(features), isRight })))
  const weights = new Float64Array(scale.names.length)
  const step = adam(weights, decay)
  const gradient = new Float64Array(weights.length)
  const random = seeded(1)
  for (let pass = 0; pass < passes; pass += 1) {
    shuffle(rows, random)
    const rate = RATE * (1 - pass / passes) + RATE / 20
    for (let from = 0; from < rows.length; from += BATCH) {
      const batch = rows.slice(from, from + BATCH)
      for (const row of batch) addRankingGradient(row, weights, gradient)
      step(gradient, batch.length, rate)
    }
  }
  return scale.toWeights(weights)
}

function addRankingGradient(
  row: { values: Float64Array; isRight: boolean }[],
  weights: Float64Array,
  gradient: Float64Array,
): void {
  const scores = row.map(({ values }) => product(values, weights))
  const top = Math.max(...scores)
  const shares = scores.map((score) => Math.exp(score - top))
  const all = sum(shares)
  const right = sum(shares.filter((_, place) => row[place]?.isRight))
  for (const [place, { values, isRight }] of row.entries()) {
    const share = shares[place] as number
    add(gradient, values, share / all - (isRight ? share / right : 0))
  }
}

/** Weights with a bias of a logistic regression, in which both classes count alike, however many there are of each. */
export function fitDecision(rows: readonly Judged[], { passes = 600, decay = 3e-2 } = {}): Weights {
  const scale = scaleOf(rows.map(({ features }) => features))
  const values = rows.map(({ features }) => Float64Array.from([...scale.toRow(features), 1]))
  const right = rows.filter(({ isRight }) => isRight).length
  const weights = new Float64Array(scale.names.length + 1)
  const step = adam(weights, decay)
  const gradient = new Float64Array(weights.length)
  for (let pass = 0; pass < passes; pass += 1) {
    for (const [place, { isRight }] of rows.entries()) {
      const row = values[place] as Float64Array
      const chance = 1 / (1 + Math.exp(-product(row, weights)))
      add(gradient, row, isRight ? (chance - 1) / right / 2 : chance / (rows.length - right) / 2)
    }
    step(gradient, 1, RATE * 5)
  }
  const bias = (weights.at(-1) as number) + scale.shiftOf(weights)
  return { bias, ...scale.toWeights(weights) }
}

/** Features as rows of equal columns with mean 0 and deviation 1, and the way back for their weights. */
function scaleOf(all: readonly Features[]) {
  const names = [...new Set(all.flatMap((features) => Object.keys(features)))].sort()
  const columns = names.map((name) => {
    const mean = sum(all.map((features) => features[name] ?? 0)) / all.length
    const variance = sum(all.map((features) => ((features[name] ?? 0) - mean) ** 2)) / all.length
    return { mean, deviation: Math.sqrt(variance) || 1 }
  })
  return {
    names,
    toRow: (features: Features) =>
      Float64Array.from(columns, ({ mean, deviation }, place) => {
        const name = names[place] as string
        return ((features[name] ?? 0) - mean) / deviation
      }),
    toWeights: (weights: Float64Array): Weights =>
      Object.fromEntries(columns.map(({ deviation }, place) => [names[place], (weights[place] as number) / deviation])),
    shiftOf: (weights: Float64Array) =>
      -sum(columns.map(({ mean, deviation }, place) => ((weights[place] as number) * mean) / deviation)),
  }
}

/** A step of Adam; the gradient is a sum over `count` rows and is cleared. */
function adam(weights: Float64Array, decay: number) {
  const mean = new Float64Array(weights.length)
  const square = new Float64Array(weights.length)
  let steps = 0
  return (gradient: Float64Array, count: number, rate: number) => {
    steps += 1
    for (const place of weights.keys()) {
      const slope = (gradient[place] as number) / count + decay * (weights[place] as number)
      mean[place] = 0.9 * (mean[place] as number) + 0.1 * slope
      square[place] = 0.999 * (square[place] as number) + 0.001 * slope ** 2
      const corrected = (mean[place] as number) / (1 - 0.9 ** steps)
      weights[place] =
        (weights[place] as number) -
        (rate * corrected) / (Math.sqrt((square[place] as number) / (1 - 0.999 ** steps)) + 1e-8)
    }
    gradient.fill(0)
  }
}

function add(to: Float64Array, values: Float64Array, times: number): void {
  for (let place = 0; place < values.length; place += 1) {
    to[place] = (to[place] as number) + times * (values[place] as number)
  }
}

function product(a: Float64Array, b: Float64Array): number {
  let total = 0
  for (let place = 0; place < a.length; place += 1) total += (a[place] as number) * (b[place] as number)
  return total
}

function sum(values: readonly number[]): number {
  return values.reduce((total, value) => total + value, 0)
}

function shuffle(values: unknown[], random: () => number): void {
  for (let place = values.length - 1; place > 0; place -= 1) {
    const other = Math.floor(random() * (place + 1))
    ;[values[place], values[other]] = [values[other], values[place]]
  }
}

/** A linear congruential generator, so that the same data gives the same weights. */
function seeded(seed: number): () => number {
  let state = seed
  return () => {
    state = (state * 1_103_515_245 + 12_345) % 2 ** 31
    return state / 2 ** 31
  }
}
