import { t } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'
import { useState } from 'react'
import { useAgents } from '../../agents/agents.ts'
import { Button } from '../../ui/controls/button.tsx'
import { SearchBox } from '../../ui/controls/search-box.tsx'
import { CheckField } from '../../ui/fields/choice.tsx'
import type { Draft } from '../draft.ts'
import { EmptyList, PartSection, RowList } from '../part-section.tsx'
import { toggled } from './toggled.ts'

/** Number of agents that fit without a search box. */
const FEW = 8

interface SubAgentsProps {
  agentId: string
  draft: Draft
}

/** Other agents that it may call. */
export function SubAgents({ agentId, draft: { fields, change } }: SubAgentsProps) {
  const { data = [], hasNextPage, fetchNextPage, isFetchingNextPage } = useAgents()
  const [search, setSearch] = useState('')
  const others = data.filter(({ id }) => id !== agentId)
  const found = others.filter(({ name }) => name.toLowerCase().includes(search.trim().toLowerCase()))
  const { sub_agent_ids: chosen, tools_needing_approval: approvals } = fields
  return (
    <PartSection
      title={t`Other agents`}
      about={t`It may give tasks to these agents. Each works with its own instructions, folders and tools, and knows only the task.`}
    >
      {others.length === 0 && (
        <EmptyList>
          <Trans>There are no other agents yet that could help this one.</Trans>
        </EmptyList>
      )}
      {others.length > FEW && <SearchBox label={t`Find an agent`} value={search} onChange={setSearch} />}
      {found.length > 0 && (
        <RowList label={t`Other agents`}>
          {found.map(({ id, name, description }) => (
            <li key={id} className="px-3.5 py-2.5">
              <CheckField
                label={<bdi className="font-medium">{name}</bdi>}
                hint={description && <bdi className="line-clamp-2">{description}</bdi>}
                checked={chosen.includes(id)}
                onChange={({ target }) => change({ sub_agent_ids: toggled(chosen, id, target.checked) })}
              />
            </li>
          ))}
        </RowList>
      )}
      {hasNextPage && (
        <Button isBusy={isFetchingNextPage} onClick={() => fetchNextPage()}>
          <Trans>Show more</Trans>
        </Button>
      )}
      {chosen.length > 0 && (
        <CheckField
          label={t`Ask a person before it calls another agent`}
          checked={approvals.includes('call_agent')}
          onChange={({ target }) =>
            change({ tools_needing_approval: toggled(approvals, 'call_agent', target.checked) })
          }
        />
      )}
    </PartSection>
  )
}
