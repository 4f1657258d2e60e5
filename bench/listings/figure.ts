/** Measurements of one kind of request, in milliseconds. */
export interface Figure {
  label: string
  p50: number
  p99: number
  /** The most work of the server's event loop between two of its turns; absent where nobody looked. */
  loop?: number
  goal: { ms: number; loopMs?: number }
}

export const isReached = ({ p50, p99, loop, goal }: Figure): boolean =>
  p50 <= goal.ms && p99 <= goal.ms && (loop === undefined || goal.loopMs === undefined || loop <= goal.loopMs)

const HEAD = ['', 'p50 ms', 'p99 ms', 'event loop, longest ms', 'goal', '']

/** A Markdown table. */
export function tableOf(figures: Figure[]): string {
  const rows = figures.map((figure) => [
    figure.label,
    show(figure.p50),
    show(figure.p99),
    figure.loop === undefined ? '-' : show(figure.loop),
    goalText(figure.goal),
    isReached(figure) ? 'reached' : 'MISSED',
  ])
  const line = (cells: string[]) => `| ${cells.join(' | ')} |`
  return [line(HEAD), line(HEAD.map(() => '---')), ...rows.map(line)].join('\n')
}

const goalText = ({ ms, loopMs }: Figure['goal']) => `at most ${ms}${loopMs === undefined ? '' : `, loop ${loopMs}`}`

const show = (value: number) => (value >= 100 ? value.toFixed(0) : value.toFixed(1))
