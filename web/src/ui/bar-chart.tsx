const WIDTH = 760
const HEIGHT = 190
const TOP = 20
const BOTTOM = 24
const MOST_LABELS = 7

export interface Bar {
  /** Below it, and in the table. */
  name: string
  value: number
}

interface BarChartProps {
  /** What is shown, for those who hear it. */
  label: string
  /** What the names are names of. */
  of: string
  bars: Bar[]
  format: (value: number) => string
}

/** Figures over time as bars, with the same as a table behind. */
export function BarChart({ label, of, bars, format }: BarChartProps) {
  const most = Math.max(1e-9, ...bars.map(({ value }) => value))
  const step = WIDTH / Math.max(1, bars.length)
  const height = (value: number) => (value / most) * (HEIGHT - TOP - BOTTOM)
  const every = Math.ceil(bars.length / MOST_LABELS)
  return (
    <figure>
      <svg viewBox={`0 0 ${WIDTH} ${HEIGHT}`} className="w-full" aria-hidden="true">
        <line x1="0" x2={WIDTH} y1={TOP} y2={TOP} className="stroke-line" strokeDasharray="2 4" />
        <text x="0" y={TOP - 6} className="fill-muted text-[12px]">
          {format(Math.max(0, ...bars.map(({ value }) => value)))}
        </text>
        <line x1="0" x2={WIDTH} y1={HEIGHT - BOTTOM} y2={HEIGHT - BOTTOM} className="stroke-line" />
        {bars.map(({ name, value }, index) => (
          <g key={name}>
            <rect
              x={index * step + step * 0.14}
              y={HEIGHT - BOTTOM - height(value)}
              width={step * 0.72}
              height={height(value)}
              rx={Math.min(3, step * 0.2)}
              className="fill-accent"
            >
              <title>{`${name}: ${format(value)}`}</title>
            </rect>
            {index % every === 0 && (
              <text
                x={index * step + step / 2}
                y={HEIGHT - 6}
                textAnchor={index === 0 && bars.length > MOST_LABELS ? 'start' : 'middle'}
                className="fill-muted text-[12px]"
              >
                {name}
              </text>
            )}
          </g>
        ))}
      </svg>
      <figcaption>
        <details className="mt-1 text-sm">
          <summary className="text-muted">{label} in figures</summary>
          <table className="mt-2 w-full max-w-md text-left tabular-nums">
            <thead className="text-muted">
              <tr>
                <th className="py-1 pr-4 font-medium">{of}</th>
                <th className="py-1 text-right font-medium">{label}</th>
              </tr>
            </thead>
            <tbody>
              {bars.map(({ name, value }) => (
                <tr key={name} className="border-t border-line">
                  <td className="py-1 pr-4">{name}</td>
                  <td className="py-1 text-right">{format(value)}</td>
                </tr>
              ))}
            </tbody>
          </table>
        </details>
      </figcaption>
    </figure>
  )
}

/** How much of the most something is, behind its figure in a table. */
export const ShareBar = ({ share }: { share: number }) => (
  <svg viewBox="0 0 100 6" preserveAspectRatio="none" className="mt-1.5 block h-1.5 w-full" aria-hidden="true">
    <rect width="100" height="6" rx="1" className="fill-hover" />
    <rect width={100 * share} height="6" rx="1" className="fill-accent" />
  </svg>
)
