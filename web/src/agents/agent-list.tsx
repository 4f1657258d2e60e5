import type { Agent } from '@docent/sdk'
import { plural, t } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'
import { Link } from '@tanstack/react-router'
import { useEffect, useState } from 'react'
import { useMay } from '../access/access.ts'
import { Button, buttonClass } from '../ui/controls/button.tsx'
import { SearchBox } from '../ui/controls/search-box.tsx'
import { Bot, MessageSquare, Plus, Search } from '../ui/icons.ts'
import { PageHeader } from '../ui/layout/page-header.tsx'
import { EmptyState } from '../ui/notices/empty-state.tsx'
import { ReadProblem } from '../ui/notices/read-problem.tsx'
import { unawaited } from '../ui/unawaited.ts'
import { AgentFace } from './agent-face.tsx'
import { useAgents } from './agents.queries.ts'
import { useIsForeign } from './rights.ts'

export function AgentList() {
  const { data: agents, error, refetch, hasNextPage, fetchNextPage, isFetchingNextPage } = useAgents()
  const mayManage = useMay('manage_agents')
  const [search, setSearch] = useState('')
  const wanted = search.trim().toLowerCase()
  const found = agents?.filter(({ name, description }) => `${name}\n${description}`.toLowerCase().includes(wanted))
  // Agents that were not read yet may be meant.
  useEffect(() => {
    if (wanted !== '' && hasNextPage && !isFetchingNextPage) unawaited(fetchNextPage())
  }, [wanted, hasNextPage, isFetchingNextPage, fetchNextPage])
  const create = mayManage && (
    <Link to="/agents/new" className={buttonClass('primary')}>
      <Plus size={16} aria-hidden />
      <Trans>New agent</Trans>
    </Link>
  )
  return (
    <>
      <PageHeader
        title={t`Agents`}
        actions={
          <div className="flex min-w-0 items-center gap-2 max-sm:w-full">
            {(agents?.length ?? 0) > 0 && (
              <SearchBox
                label={t`Find an agent`}
                value={search}
                onChange={setSearch}
                className="min-w-0 flex-1 sm:w-52 sm:flex-none"
              />
            )}
            {create}
          </div>
        }
      />
      <div className="min-h-0 flex-1 overflow-y-auto scroll-quiet p-4 sm:p-6">
        {error && <ReadProblem error={error} onRetry={refetch} />}
        {agents?.length === 0 && (
          <EmptyState icon={Bot} title={t`No agents yet`} action={create}>
            <Trans>An agent answers from the folders that you give it, in the way that you tell it to.</Trans>
          </EmptyState>
        )}
        {search !== '' && found?.length === 0 && !hasNextPage && (
          <EmptyState icon={Search} title={t`No such agent`}>
            <Trans>No agent has “{search}” in its name or description.</Trans>
          </EmptyState>
        )}
        <ul className="grid gap-3 sm:grid-cols-[repeat(auto-fill,minmax(19rem,1fr))]">
          {found?.map((agent) => (
            <AgentCard key={agent.id} agent={agent} />
          ))}
        </ul>
        {hasNextPage && (
          <Button className="mt-4" isBusy={isFetchingNextPage} onClick={() => fetchNextPage()}>
            <Trans>Show more</Trans>
          </Button>
        )}
      </div>
    </>
  )
}

function AgentCard({ agent }: { agent: Agent }) {
  const { id, name, description, model, knowledge_base_ids } = agent
  const isForeign = useIsForeign(agent)
  return (
    <li className="relative flex flex-col rounded-card border border-line p-4 transition-colors hover:border-line-strong">
      <h2 className="flex items-center gap-3 text-base font-semibold">
        <AgentFace agent={agent} isLarge />
        <Link
          to="/agents/$agentId"
          params={{ agentId: id }}
          className="before:absolute before:inset-0 before:rounded-card"
        >
          <bdi>{name}</bdi>
        </Link>
      </h2>
      <p dir="auto" className="mt-1 line-clamp-2 min-h-[3em] text-start text-muted">
        {description || t`No description`}
      </p>
      <div className="mt-3 flex items-center justify-between gap-3">
        <p className="min-w-0 truncate text-sm text-muted">
          {isForeign
            ? t`From another workspace`
            : `${plural(knowledge_base_ids.length, { one: '# folder', other: '# folders' })} · ${model ?? t`default model`}`}
        </p>
        <Link to="/chat/$agentId" params={{ agentId: id }} className={buttonClass('secondary', 'relative h-8')}>
          <MessageSquare size={15} aria-hidden />
          <Trans>
            Chat<span className="sr-only"> with {name}</span>
          </Trans>
        </Link>
      </div>
    </li>
  )
}
