import { plural, t } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'
import { Link, useNavigate, useParams, useSearch } from '@tanstack/react-router'
import { useState } from 'react'
import { AgentProblem, useAgent } from '../../agents/agents.ts'
import { explain, isMissing } from '../../platform/errors.ts'
import { Button, buttonClass } from '../../ui/controls/button.tsx'
import { Pager } from '../../ui/controls/pager.tsx'
import { Table } from '../../ui/data/table.tsx'
import { Columns3, Download, MessageSquare } from '../../ui/icons.ts'
import { PageHeader } from '../../ui/layout/page-header.tsx'
import { EmptyState } from '../../ui/notices/empty-state.tsx'
import { ReadProblem } from '../../ui/notices/read-problem.tsx'
import { Menu, MenuItem } from '../../ui/overlays/menu.tsx'
import { toast } from '../../ui/overlays/toasts.tsx'
import { filtersIn, type ThreadSearch, threadSearch } from '../thread-search.ts'
import { DEFAULT_SORT, THREADS_PER_PAGE, useThreads } from '../threads.queries.ts'
import { useColumnChoice } from './columns.ts'
import { ColumnsDialog } from './columns-dialog.tsx'
import { exportThreads } from './export-threads.ts'
import { threadColumns } from './thread-columns.tsx'
import { ThreadFilters } from './thread-filters.tsx'

/** All chats of an agent, of all people. */
export function ThreadsPage() {
  const { agentId = '' } = useParams({ strict: false })
  const search = threadSearch(useSearch({ strict: false }))
  const navigate = useNavigate()
  const { data: agent, error: agentError, refetch: refetchAgent } = useAgent(agentId)
  const { data, error, refetch, isPlaceholderData } = useThreads(agentId, search)
  const choice = useColumnChoice()
  const [isChoosing, setChoosing] = useState(false)
  // A different list starts on its first page.
  const change = (some: ThreadSearch) =>
    navigate({
      to: '/agents/$agentId/threads',
      params: { agentId },
      search: threadSearch({ ...search, page: undefined, ...some }),
      replace: true,
    })
  const known = [...new Set(data?.chats.flatMap(({ metadata }) => Object.keys(metadata)))]
  const save = (format: 'csv' | 'json') =>
    exportThreads({ id: agentId, name: agent?.name ?? '' }, search, format).catch((reason) =>
      toast(explain(reason), { isError: true }),
    )
  const isFiltered = filtersIn(search) > 0
  if (isMissing(agentError)) return <AgentProblem error={agentError} onRetry={refetchAgent} />
  return (
    <>
      <PageHeader
        title={agent ? t`Threads of ${agent.name}` : t`Threads`}
        actions={
          <>
            <Button icon={Columns3} onClick={() => setChoosing(true)}>
              <Trans>Columns</Trans>
            </Button>
            <Menu
              label={t`Export`}
              trigger={(props) => (
                <Button {...props} icon={Download}>
                  <Trans>Export</Trans>
                </Button>
              )}
            >
              <MenuItem onSelect={() => save('csv')}>
                <Trans>As CSV</Trans>
              </MenuItem>
              <MenuItem onSelect={() => save('json')}>
                <Trans>As JSON</Trans>
              </MenuItem>
            </Menu>
          </>
        }
      />
      <div className="min-h-0 flex-1 overflow-y-auto scroll-quiet">
        <div className="p-4 sm:p-6">
          <ThreadFilters search={search} onChange={change} />
          {error && <ReadProblem error={error} onRetry={refetch} />}
          {data?.total === 0 ? (
            <EmptyState
              icon={MessageSquare}
              title={isFiltered ? t`No matching threads` : t`No threads yet`}
              action={
                !isFiltered && (
                  <Link to="/chat/$agentId" params={{ agentId }} className={buttonClass('primary')}>
                    <Trans>Ask something</Trans>
                  </Link>
                )
              }
            >
              {isFiltered
                ? t`Remove a filter, or search for another word of the title.`
                : t`Every chat with this agent is listed here, from this UI and from the API.`}
            </EmptyState>
          ) : (
            data && (
              <>
                <Table
                  label={t`Threads`}
                  columns={threadColumns(choice)}
                  rows={data.chats}
                  rowKey={({ id }) => id}
                  sorting={{ by: search.sort ?? DEFAULT_SORT, order: search.order ?? 'desc' }}
                  onSort={({ by, order }) => change({ sort: by, order })}
                  isStale={isPlaceholderData}
                />
                <p aria-live="polite" className="sr-only">
                  {plural(data.total, { one: '# thread', other: '# threads' })}
                </p>
                <Pager
                  page={search.page ?? 1}
                  pageSize={THREADS_PER_PAGE}
                  total={data.total}
                  onPage={(page) => change({ page })}
                />
              </>
            )
          )}
        </div>
      </div>
      {isChoosing && <ColumnsDialog known={known} onClose={() => setChoosing(false)} />}
    </>
  )
}
