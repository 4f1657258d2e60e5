import type { Goal } from '../scenario.ts'
import type { Measured, Outcome } from './outcome.ts'

const HEAD = ['', 'Docent', 'floor', 'Docent / floor', 'goal', '']

/** A Markdown table, its columns as wide as they must be. */
export function tableOf(outcomes: Outcome[]): string {
  const rows = [HEAD, ...outcomes.map(cellsOf)]
  const widths = HEAD.map((_, column) => Math.max(3, ...rows.map((row) => row[column]!.length)))
  const line = (cells: string[]) => `| ${cells.map((cell, column) => cell.padEnd(widths[column]!)).join(' | ')} |`
  const [head, ...body] = rows.map(line)
  return [head, line(widths.map((width) => '-'.repeat(width))), ...body].join('\n')
}

function cellsOf({ figure, docent, floor, ratio, isReached }: Outcome): string[] {
  const range = Number.isFinite(ratio.median) ? `${show(ratio.median)} (${show(ratio.min)} to ${show(ratio.max)})` : '-'
  const verdict = isReached === undefined ? '' : isReached ? 'reached' : 'MISSED'
  return [figure.label, show(docent), show(floor), range, goalText(figure.goal), verdict]
}

function goalText({ minRatio, maxRatio, max }: Goal = {}): string {
  return [
    minRatio !== undefined && `at least ${minRatio} x floor`,
    maxRatio !== undefined && `at most ${maxRatio} x floor`,
    max !== undefined && `at most ${max}`,
  ]
    .filter(Boolean)
    .join(', ')
}

/** Three digits, which is more than a shared machine repeats. */
function show(value: number): string {
  if (!Number.isFinite(value)) return '-'
  return Math.abs(value) >= 100 ? value.toFixed(0) : String(Number(value.toPrecision(3)))
}

/** One line of JSON with every round, for comparisons between runs. */
export function recordOf(measured: Measured[], options: object): string {
  const scenarios = measured.map(({ scenario, rounds, error }) => ({
    name: scenario.name,
    rounds,
    ...(error !== undefined && { error: String(error) }),
  }))
  const { node } = process.versions
  return JSON.stringify({ at: new Date().toISOString(), node, platform: process.platform, options, scenarios })
}
