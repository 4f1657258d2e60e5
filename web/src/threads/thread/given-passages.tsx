import type { Message } from '@docent/sdk'
import { t } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'
import { explain } from '../../platform/errors.ts'
import { formatNumber } from '../../platform/format.ts'
import { formatLocation } from '../../platform/format-location.ts'
import { Fold } from '../../ui/layout/fold.tsx'
import { useRetrieval } from '../threads.queries.ts'

/** Passages that the searches of an answer found, as its model was given them, with those that it cites marked. */
export function GivenPassages({ message }: { message: Message }) {
  const { data, error } = useRetrieval(message)
  if (error) return <p className="text-bad">{explain(error)}</p>
  if (!data || data.searches.length === 0) return null
  return (
    <section>
      <h3 className="mb-1 font-medium">
        <Trans>Passages that it was given</Trans>
      </h3>
      <ol className="space-y-3">
        {data.searches.map(({ tool_call_id, query, agent, passages }) => (
          <li key={tool_call_id}>
            <p className="wrap-anywhere">
              “{query}”{agent && <span className="text-muted"> · {agent.name}</span>}
            </p>
            {passages.length === 0 && (
              <p className="text-muted">
                <Trans>Nothing was found.</Trans>
              </p>
            )}
            <ul className="divide-y divide-line">
              {passages.map((passage) => (
                <li key={passage.index} className="py-1">
                  <Passage {...passage} />
                </li>
              ))}
            </ul>
          </li>
        ))}
      </ol>
    </section>
  )
}

type Given = NonNullable<ReturnType<typeof useRetrieval>['data']>['searches'][number]['passages'][number]

function Passage({ index, title, location, text, score, is_cited }: Given) {
  const where = formatLocation(location)
  return (
    <Fold
      summary={
        <span className="flex flex-wrap items-baseline gap-x-2">
          <span className="tabular-nums">[{index}]</span>
          <span className="wrap-anywhere">{title}</span>
          {where && <span className="text-muted">{where}</span>}
          <span className="text-muted tabular-nums" title={t`Comparable within this search only`}>
            {formatNumber(Number(score.toPrecision(3)))}
          </span>
          {is_cited && (
            <span className="rounded-[0.35rem] bg-mark px-1.5 text-sm text-on-mark">
              <Trans>cited</Trans>
            </span>
          )}
        </span>
      }
    >
      <p dir="auto" className="mt-1 rounded-control bg-canvas px-3 py-2 whitespace-pre-wrap text-muted wrap-anywhere">
        {text}
      </p>
    </Fold>
  )
}
