import type { StreamCheckArrival } from '@docent/sdk'
import { t } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'
import { formatDuration } from '../../platform/format.ts'
import { Fold } from '../../ui/layout/fold.tsx'

const WIDTH = 600
const SENT_Y = 8
const CAME_Y = 92
const LEFT = 14
const RIGHT = 14

/**
 * Chart of when each event was sent (above) and arrived (below). Parallel lines mean a free connection; converging
 * lines were held back.
 */
export function ArrivalChart({ arrivals }: { arrivals: StreamCheckArrival[] }) {
  if (arrivals.length === 0) return null
  const quickest = Math.min(...arrivals.map(({ arrived_ms, elapsed_ms }) => arrived_ms - elapsed_ms))
  const last = Math.max(2_000, ...arrivals.map(({ arrived_ms }) => arrived_ms - quickest))
  const x = (ms: number) => LEFT + (ms / last) * (WIDTH - LEFT - RIGHT)
  return (
    <figure>
      <p aria-hidden="true" className="text-sm text-muted">
        <Trans>Sent by the server</Trans>
      </p>
      <svg viewBox={`0 0 ${WIDTH} 100`} className="my-1 w-full" aria-hidden="true">
        <line x1={LEFT} x2={WIDTH - RIGHT} y1={SENT_Y} y2={SENT_Y} className="stroke-line" />
        <line x1={LEFT} x2={WIDTH - RIGHT} y1={CAME_Y} y2={CAME_Y} className="stroke-line" />
        {arrivals.map(({ number, elapsed_ms, arrived_ms }) => (
          <g key={number}>
            <line
              x1={x(elapsed_ms)}
              x2={x(arrived_ms - quickest)}
              y1={SENT_Y}
              y2={CAME_Y}
              className="stroke-accent"
              opacity="0.5"
            />
            <circle cx={x(elapsed_ms)} cy={SENT_Y} r="4" className="fill-accent" />
            <circle cx={x(arrived_ms - quickest)} cy={CAME_Y} r="4" className="fill-accent" />
          </g>
        ))}
      </svg>
      <p aria-hidden="true" className="mb-2 flex justify-between text-sm text-muted tabular-nums">
        <span>
          <Trans>Arrived</Trans>
        </span>
        <span>{formatDuration(last)}</span>
      </p>
      <figcaption>
        <Fold summary={t`The same in figures`} className="text-sm">
          <table className="mt-2 w-full text-start tabular-nums">
            <thead className="text-muted">
              <tr>
                <th className="py-1 pe-4 font-medium">
                  <Trans>Event</Trans>
                </th>
                <th className="py-1 pe-4 font-medium">
                  <Trans>Sent after</Trans>
                </th>
                <th className="py-1 font-medium">
                  <Trans>Delay compared to the fastest</Trans>
                </th>
              </tr>
            </thead>
            <tbody>
              {arrivals.map(({ number, type, elapsed_ms, arrived_ms }) => (
                <tr key={number} className="border-t border-line">
                  <td className="py-1 pe-4">
                    {number + 1}, {type}
                  </td>
                  <td className="py-1 pe-4">{formatDuration(elapsed_ms)}</td>
                  <td className="py-1">{formatDuration(arrived_ms - elapsed_ms - quickest)}</td>
                </tr>
              ))}
            </tbody>
          </table>
        </Fold>
      </figcaption>
    </figure>
  )
}
