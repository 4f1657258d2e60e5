import { t } from '@lingui/core/macro'
import { cx } from '../class-names.ts'
import { Fold } from '../layout/fold.tsx'

/** Number of labels that fit; on narrow screens every other one is shown. */
const MOST_LABELS = 7

export interface Bar {
  /** Label below the bar, and in the table. */
  name: string
  value: number
}

interface BarChartProps {
  /** Accessible name. */
  label: string
  /** Heading of the labels. */
  of: string
  bars: Bar[]
  format: (value: number) => string
}

/** Bar chart over time, with the same data as a table for screen readers. */
export function BarChart({ label, of, bars, format }: BarChartProps) {
  const most = Math.max(0, ...bars.map(({ value }) => value))
  const every = Math.ceil(bars.length / MOST_LABELS)
  const height = (value: number) => (most === 0 ? 0 : (value / most) * 100)
  return (
    <figure>
      <div aria-hidden="true" className="text-xs text-muted tabular-nums">
        <p className="border-b border-dashed border-line pb-1">{format(most)}</p>
        <svg
          viewBox={`0 0 ${bars.length} 100`}
          preserveAspectRatio="none"
          className="block h-40 w-full border-b border-line"
        >
          <title>{label}</title>
          {bars.map(({ name, value }, index) => (
            <rect
              key={name}
              x={index + 0.14}
              y={100 - height(value)}
              width={0.72}
              height={height(value)}
              className="fill-accent"
            >
              <title>{`${name}: ${format(value)}`}</title>
            </rect>
          ))}
        </svg>
        <div className="relative mt-1.5 h-4">
          {bars.map(
            ({ name }, index) =>
              index % every === 0 && (
                <span
                  key={name}
                  style={{ left: `${((index + 0.5) / bars.length) * 100}%` }}
                  className={cx(
                    'absolute whitespace-nowrap',
                    index === 0 && bars.length > MOST_LABELS ? '-translate-x-2' : '-translate-x-1/2',
                    (index / every) % 2 === 1 && 'max-sm:hidden',
                  )}
                >
                  {name}
                </span>
              ),
          )}
        </div>
      </div>
      <figcaption>
        <Fold summary={t`${label} in figures`} className="mt-1 text-sm">
          <table className="mt-2 w-full max-w-md text-start tabular-nums">
            <thead className="text-muted">
              <tr>
                <th className="py-1 pe-4 font-medium">{of}</th>
                <th className="py-1 text-end font-medium">{label}</th>
              </tr>
            </thead>
            <tbody>
              {bars.map(({ name, value }) => (
                <tr key={name} className="border-t border-line">
                  <td className="py-1 pe-4">{name}</td>
                  <td className="py-1 text-end">{format(value)}</td>
                </tr>
              ))}
            </tbody>
          </table>
        </Fold>
      </figcaption>
    </figure>
  )
}
