import type { VirtualUser } from '@docent/sdk'
import { t } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'
import { Link, useNavigate } from '@tanstack/react-router'
import { useDeferredValue, useState } from 'react'
import { NoAccess, useIsAdmin } from '../access/access.ts'
import { formatNumber } from '../platform/format.ts'
import { Button } from '../ui/controls/button.tsx'
import { Pager } from '../ui/controls/pager.tsx'
import { SearchBox } from '../ui/controls/search-box.tsx'
import { type Column, stretched, Table } from '../ui/data/table.tsx'
import { Time } from '../ui/data/time.tsx'
import { Plus, Users } from '../ui/icons.ts'
import { PageHeader } from '../ui/layout/page-header.tsx'
import { Tag } from '../ui/notices/badge.tsx'
import { EmptyState } from '../ui/notices/empty-state.tsx'
import { ReadProblem } from '../ui/notices/read-problem.tsx'
import { toText } from './metadata-fields.tsx'
import { PEOPLE_PER_PAGE, usePeople } from './people.queries.ts'
import { PersonForm } from './person-form.tsx'

/** Virtual users: the end users of applications. */
export function PeoplePage() {
  if (useIsAdmin()) return <People />
  return (
    <>
      <PageHeader title={t`People`} />
      <NoAccess>
        <Trans>People are for keys of admins and owners of this workspace.</Trans>
      </NoAccess>
    </>
  )
}

function People() {
  const [search, setSearch] = useState('')
  const [page, setPage] = useState(1)
  const [isAdding, setAdding] = useState(false)
  const deferredSearch = useDeferredValue(search.trim())
  const { data, error, refetch, isPlaceholderData } = usePeople(deferredSearch, page)
  const navigate = useNavigate()
  const total = data?.pagination.total_count
  const add = (
    <Button variant="primary" icon={Plus} onClick={() => setAdding(true)}>
      <Trans>Add a person</Trans>
    </Button>
  )
  return (
    <>
      <PageHeader title={t`People`} actions={add} />
      <div className="min-h-0 flex-1 overflow-y-auto scroll-quiet">
        <div className="mx-auto max-w-5xl p-4 sm:p-6">
          <p className="mb-4 max-w-[70ch] text-muted text-pretty">
            <Trans>
              End users of applications, identified by their e-mail. An application that sends virtual_user_email adds
              them by itself.
            </Trans>
          </p>
          {error && <ReadProblem error={error} onRetry={refetch} />}
          {(total !== 0 || deferredSearch) && (
            <div className="mb-4 flex items-center gap-4">
              <SearchBox
                label={t`Find by e-mail, name or origin`}
                className="max-w-80 flex-1"
                value={search}
                onChange={(text) => {
                  setSearch(text)
                  setPage(1)
                }}
              />
              {total !== undefined && (
                <p className="text-sm text-muted">
                  <Trans>{formatNumber(total)} found</Trans>
                </p>
              )}
            </div>
          )}
          {total === 0 ? (
            <EmptyState icon={Users} title={deferredSearch ? t`No matching people` : t`Nobody yet`}>
              {deferredSearch
                ? t`Try a part of the e-mail, the name or the origin.`
                : t`When one key serves many people, say who asks: send virtual_user_email with a question or an upload. You then see their chats and usage here, and can erase them.`}
            </EmptyState>
          ) : (
            data && (
              <>
                <Table
                  label={t`People`}
                  columns={COLUMNS}
                  rows={data.virtual_users}
                  rowKey={({ id }) => id}
                  isStale={isPlaceholderData}
                />
                <Pager page={page} pageSize={PEOPLE_PER_PAGE} total={total!} onPage={setPage} />
              </>
            )
          )}
        </div>
      </div>
      {isAdding && (
        <PersonForm
          person={null}
          onClose={() => setAdding(false)}
          onSaved={({ id }) => navigate({ to: '/people/$userId', params: { userId: id } })}
        />
      )}
    </>
  )
}

const COLUMNS: Column<VirtualUser>[] = [
  {
    key: 'who',
    header: t`Person`,
    className: 'sm:min-w-52',
    cell: ({ id, name, email }) => (
      <>
        <Link to="/people/$userId" params={{ userId: id }} className={`${stretched} wrap-anywhere`}>
          <bdi>{name ?? email}</bdi>
        </Link>
        {name && <span className="block text-sm text-muted wrap-anywhere">{email}</span>}
      </>
    ),
  },
  {
    key: 'origin',
    header: t`From`,
    className: 'max-sm:hidden',
    cell: ({ origin }) => (origin ? <bdi>{origin}</bdi> : <span className="text-muted">–</span>),
  },
  {
    key: 'metadata',
    header: t`Metadata`,
    className: 'max-sm:hidden',
    cell: ({ metadata }) => (
      <span className="flex flex-wrap gap-1">
        {Object.entries(metadata)
          .slice(0, 4)
          .map(([key, value]) => (
            <Tag key={key} title={`${key}: ${toText(value)}`}>
              {key}: {toText(value)}
            </Tag>
          ))}
      </span>
    ),
  },
  { key: 'since', header: t`Known since`, cell: ({ created_at }) => <Time iso={created_at} /> },
]
