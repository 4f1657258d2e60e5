import { t } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'
import { useId } from 'react'
import { useAgents } from '../../agents/agents.ts'
import { Button } from '../../ui/controls/button.tsx'
import { CheckField } from '../../ui/fields/choice.tsx'
import { ScrollBox } from '../../ui/layout/scroll-box.tsx'
import { ReadProblem } from '../../ui/notices/read-problem.tsx'
import { unawaited } from '../../ui/unawaited.ts'

interface AgentChoiceProps {
  /** Ids of the agents that an app may ask; null: all. */
  chosen: string[] | null
  onChoose: (chosen: string[] | null) => void
}

/** Choice of all agents or some of them. */
export function AgentChoice({ chosen, onChoose }: AgentChoiceProps) {
  const name = useId()
  return (
    <fieldset>
      <legend>
        <Trans>Ask agents</Trans>
      </legend>
      <div className="mt-1.5 space-y-1.5">
        <label className="flex items-center gap-2.5">
          <input
            type="radio"
            name={name}
            className="size-4 accent-accent"
            checked={chosen === null}
            onChange={() => onChoose(null)}
          />
          <Trans>All that you may ask, later ones too</Trans>
        </label>
        <label className="flex items-center gap-2.5">
          <input
            type="radio"
            name={name}
            className="size-4 accent-accent"
            checked={chosen !== null}
            onChange={() => onChoose([])}
          />
          <Trans>Only some</Trans>
        </label>
      </div>
      {chosen && <AgentBoxes chosen={chosen} onChoose={onChoose} />}
    </fieldset>
  )
}

function AgentBoxes({ chosen, onChoose }: { chosen: string[]; onChoose: (chosen: string[]) => void }) {
  const { data: agents, error, refetch, hasNextPage, fetchNextPage, isFetchingNextPage } = useAgents()
  if (error) return <ReadProblem error={error} onRetry={refetch} />
  return (
    <ScrollBox label={t`Agents`} className="mt-2 max-h-52 rounded-control border border-line px-3.5 py-2">
      <ul className="space-y-1.5">
        {agents?.map(({ id, name }) => (
          <li key={id}>
            <CheckField
              label={<span className="wrap-anywhere">{name}</span>}
              checked={chosen.includes(id)}
              onChange={({ target }) => onChoose(target.checked ? [...chosen, id] : chosen.filter((one) => one !== id))}
            />
          </li>
        ))}
      </ul>
      {hasNextPage && (
        <Button className="mt-2" isBusy={isFetchingNextPage} onClick={() => unawaited(fetchNextPage())}>
          <Trans>Show more</Trans>
        </Button>
      )}
    </ScrollBox>
  )
}
