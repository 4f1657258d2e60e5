import type { ApiKey, AuditEntry } from '@docent/sdk'
import { t } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'
import { useQueries } from '@tanstack/react-query'
import { Link, useNavigate, useSearch } from '@tanstack/react-router'
import { useMemo, useState } from 'react'
import { NoAccess, useIsAdmin } from '../../access/access.ts'
import { useAgentNames } from '../../agents/agents.ts'
import { folderById } from '../../drive/drive.ts'
import { usePerson } from '../../people/people.ts'
import { formatExactTime } from '../../platform/format.ts'
import { Pager } from '../../ui/controls/pager.tsx'
import { type Column, Table } from '../../ui/data/table.tsx'
import { Select } from '../../ui/fields/choice.tsx'
import { DayField } from '../../ui/fields/day-field.tsx'
import { ScrollText } from '../../ui/icons.ts'
import { EmptyState } from '../../ui/notices/empty-state.tsx'
import { ReadProblem } from '../../ui/notices/read-problem.tsx'
import { unawaited } from '../../ui/unawaited.ts'
import { useAllKeys } from '../keys/keys.queries.ts'
import { useAllMembers, useGroups } from '../members/members.queries.ts'
import { SettingSection } from '../setting-section.tsx'
import { actionInWords } from './action-words.ts'
import { type AuditFilter, ENTRIES_PER_PAGE, useAuditLog, useOwnChat } from './audit.queries.ts'
import { actorOf, type By, byOf } from './audit-search.ts'
import { AUDIT_TARGETS, detailsInWords, idsIn } from './audit-words.ts'

/** Audit log of the workspace. */
export function AuditPage() {
  if (!useIsAdmin())
    return (
      <NoAccess>
        <Trans>The audit log is for keys of admins and owners of this workspace.</Trans>
      </NoAccess>
    )
  return <AuditLog />
}

function AuditLog() {
  const [filter, setFilter] = useState<AuditFilter>({})
  const [page, setPage] = useState(1)
  const { by } = useSearch({ from: '/settings/audit-log' })
  const navigate = useNavigate()
  const { data, error, refetch, isPlaceholderData } = useAuditLog({ ...filter, ...actorOf(by) }, page)
  const { data: keys } = useAllKeys(true)
  const names = useNames(data?.entries ?? NONE)
  const choose = (chosen: By | undefined) => {
    unawaited(navigate({ to: '/settings/audit-log', search: { by: chosen }, replace: true }))
    setPage(1)
  }
  // biome-ignore lint/correctness/useExhaustiveDependencies: the navigation is the same at each render
  const columns = useMemo(
    () => columnsWith(new Map(keys?.map(({ id, name }) => [id, name])), names, choose),
    [keys, names],
  )
  const change = (some: AuditFilter) => {
    setFilter((now) => ({ ...now, ...some }))
    setPage(1)
  }
  return (
    <SettingSection
      title={t`Audit log`}
      about={t`Changes to keys, agents, folders, people and the workspace itself, by which key, and from where. Entries cannot be changed.`}
    >
      <div className="mb-4 flex flex-wrap gap-x-3 gap-y-2.5">
        <Select
          aria-label={t`Changed object`}
          value={filter.target_type ?? ''}
          onChange={({ target }) => change({ target_type: (target.value || undefined) as AuditFilter['target_type'] })}
        >
          <option value="">{t`Everything`}</option>
          {Object.entries(AUDIT_TARGETS).map(([value, name]) => (
            <option key={value} value={value}>
              {name}
            </option>
          ))}
        </Select>
        <ActorSelect by={by} keys={keys} onChoose={choose} />
        <DayField label={t`From`} value={filter.from} onChange={(day) => change({ from: day || undefined })} />
        <DayField label={t`Before`} value={filter.to} onChange={(day) => change({ to: day || undefined })} />
      </div>
      {error && <ReadProblem error={error} onRetry={refetch} />}
      {data?.entries.length === 0 ? (
        <EmptyState icon={ScrollText} title={t`Nothing here`}>
          <Trans>No matching entries in this period.</Trans>
        </EmptyState>
      ) : (
        data && (
          <>
            <Table
              label={t`Audit log`}
              columns={columns}
              rows={data.entries}
              rowKey={({ id }) => id}
              isStale={isPlaceholderData}
            />
            <Pager page={page} pageSize={ENTRIES_PER_PAGE} total={data.total} onPage={setPage} />
          </>
        )
      )}
    </SettingSection>
  )
}

const NONE: AuditEntry[] = []

/** Names of the agents, folders, members and groups in the details of entries, by id. */
function useNames(entries: AuditEntry[]): ReadonlyMap<string, string> {
  const ids = useMemo(() => idsIn(entries), [entries])
  const agents = useAgentNames(ids.agents)
  const folders = useQueries({
    queries: ids.folders.map(folderById),
    combine: (found) => found.flatMap(({ data }) => (data ? [[data._id, data.name] as const] : [])),
  })
  const { data: members } = useAllMembers()
  const { data: groups } = useGroups()
  return useMemo(() => {
    const people = [...(members ?? []), ...(groups?.groups ?? [])]
    return new Map([...agents, ...folders, ...people.map(({ id, name }) => [id, name] as const)])
  }, [agents, folders, members, groups])
}

interface ActorSelectProps {
  by: By | undefined
  keys: ApiKey[] | undefined
  onChoose: (by: By | undefined) => void
}

/** Choice of the person or key whose entries are shown. */
function ActorSelect({ by, keys = [], onChoose }: ActorSelectProps) {
  const { data: members = [] } = useAllMembers()
  const known = new Set<string>([
    'operator',
    ...members.map(({ id }) => `member:${id}`),
    ...keys.map(({ id }) => `key:${id}`),
  ])
  return (
    <Select
      aria-label={t`Done by`}
      value={by ?? ''}
      onChange={({ target }) => onChoose((target.value || undefined) as By | undefined)}
    >
      <option value="">{t`By everybody`}</option>
      {by && !known.has(by) && <option value={by}>{t`Somebody who is gone`}</option>}
      {members.length > 0 && (
        <optgroup label={t`Members`}>
          {members.map(({ id, name }) => (
            <option key={id} value={`member:${id}`}>
              {name}
            </option>
          ))}
        </optgroup>
      )}
      {keys.length > 0 && (
        <optgroup label={t`API keys`}>
          {keys.map(({ id, name }) => (
            <option key={id} value={`key:${id}`}>
              {name}
            </option>
          ))}
        </optgroup>
      )}
      <option value="operator">{t`Operators, on the server`}</option>
    </Select>
  )
}

/**
 * @param keyNames names of the keys of this workspace by id
 * @param names of agents, folders, members and groups by id
 */
const columnsWith = (
  keyNames: ReadonlyMap<string, string>,
  names: ReadonlyMap<string, string>,
  onChoose: (by: By) => void,
): Column<AuditEntry>[] => [
  {
    key: 'when',
    header: t`When`,
    className: 'max-sm:hidden',
    cell: ({ created_at }) => <When at={created_at} />,
  },
  {
    key: 'what',
    header: t`What`,
    className: 'sm:min-w-56',
    cell: (entry) => (
      <>
        <span className="block sm:hidden">
          <When at={entry.created_at} />
        </span>
        <span className="font-medium">{actionInWords(entry.action)}</span>
        <span className="block wrap-anywhere">
          <bdi>
            <TargetName entry={entry} keyNames={keyNames} />
          </bdi>
        </span>
        <span className="line-clamp-3 text-sm text-muted wrap-anywhere">{detailsInWords(entry, names)}</span>
      </>
    ),
  },
  {
    key: 'who',
    header: t`By`,
    cell: ({ actor }) => (
      <button
        type="button"
        className="text-start underline decoration-line-strong underline-offset-2 wrap-anywhere hover:decoration-current"
        title={t`Show only these`}
        onClick={() => onChoose(byOf(actor))}
      >
        {actor.type === 'operator' ? t`Operator, on the server` : (actor.api_key_name ?? actor.api_key_id)}
      </button>
    ),
  },
  {
    key: 'where',
    header: t`IP address`,
    className: 'max-sm:hidden',
    cell: ({ ip, request_id }) => (
      <>
        <span className="font-mono text-sm">{ip ?? '–'}</span>
        {request_id && (
          <span className="block max-w-32 truncate font-mono text-sm text-muted" title={t`Request ${request_id}`}>
            {request_id}
          </span>
        )}
      </>
    ),
  },
]

const When = ({ at }: { at: string }) => (
  <time dateTime={at} className="text-sm whitespace-nowrap max-sm:text-muted">
    {formatExactTime(at)}
  </time>
)

interface TargetNameProps {
  entry: AuditEntry
  keyNames: ReadonlyMap<string, string>
}

/** Name of what was changed; names of people are not in the log, but on their page. */
function TargetName({ entry, keyNames }: TargetNameProps) {
  const { type, id, name } = entry.target
  if (name) return name
  if (type === 'workspace') return t`This workspace`
  if (type === 'api_key') return keyNames.get(id) ?? t`Key ${id}`
  // The details tell more of an invitation than its id does.
  if (type === 'invitation') return null
  if (type === 'chat') return <ChatTitle entry={entry} />
  if (type !== 'virtual_user') return id
  return <PersonName id={id} />
}

/** Link to a chat of the reader, by the title that it has now. Titles are what people asked, and not in the log. */
function ChatTitle({ entry }: { entry: AuditEntry }) {
  const chat = useOwnChat(entry)
  if (!chat) return <Trans>A chat</Trans>
  return (
    <Link
      to="/chat/$agentId/$chatId"
      params={{ agentId: chat.agent_id, chatId: chat.id }}
      className="text-accent underline underline-offset-2"
    >
      {chat.title}
    </Link>
  )
}

/** Link to a person, by the name that they have now. */
function PersonName({ id }: { id: string }) {
  const { data: person } = usePerson(id)
  return (
    <Link to="/people/$userId" params={{ userId: id }} className="text-accent underline underline-offset-2">
      {person ? (person.name ?? person.email) : <Trans>A person</Trans>}
    </Link>
  )
}
