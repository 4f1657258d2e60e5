import type { Figure, Goal, Sample, Scenario, SideName } from '../scenario.ts'
import { median } from './statistics.ts'

/** The rounds of one scenario; the nth rounds of both sides stood next to each other. */
export interface Measured {
  scenario: Scenario
  rounds: Record<SideName, Sample[]>
  /** Reason that it does not count. */
  error?: unknown
}

export interface Outcome {
  scenario: string
  figure: Figure
  docent: number
  floor: number
  ratio: { median: number; min: number; max: number }
  /** Undefined for a figure without a goal. */
  isReached: boolean | undefined
}

/** Medians over the rounds, and of the ratios of rounds that stood next to each other. */
export function outcomesOf({ scenario, rounds }: Measured): Outcome[] {
  return scenario.figures.map((figure) => {
    const values = (side: SideName) => rounds[side].map((sample) => sample[figure.metric] ?? Number.NaN)
    const floors = values('floor')
    const ratios = values('docent')
      .map((value, round) => value / (floors[round] ?? Number.NaN))
      .filter(Number.isFinite)
    const docent = median(values('docent'))
    const ratio = { median: median(ratios), min: Math.min(...ratios), max: Math.max(...ratios) }
    const isReached = figure.goal && reaches(figure.goal, docent, ratio.median)
    return { scenario: scenario.name, figure, docent, floor: median(floors), ratio, isReached }
  })
}

/** Whether a goal is reached; never, where a system cannot measure it. */
const reaches = ({ minRatio, maxRatio, max }: Goal, docent: number, ratio: number): boolean =>
  (minRatio === undefined || ratio >= minRatio) &&
  (maxRatio === undefined || ratio <= maxRatio) &&
  (max === undefined || docent <= max)
