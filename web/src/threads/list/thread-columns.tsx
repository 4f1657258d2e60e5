import type { Thread } from '@docent/sdk'
import { t } from '@lingui/core/macro'
import { Link } from '@tanstack/react-router'
import { chatTypes } from '../../platform/chat-types.ts'
import { formatNumber, formatShortNumber } from '../../platform/format.ts'
import { type Column, stretched } from '../../ui/data/table.tsx'
import { Time } from '../../ui/data/time.tsx'
import { ThumbsDown, ThumbsUp } from '../../ui/icons.ts'
import { Badge } from '../../ui/notices/badge.tsx'
import type { ColumnChoice } from './columns.ts'

export const STATES: Record<Thread['status'], { name: string; tone: 'good' | 'bad' | 'busy' | 'quiet' }> = {
  completed: { name: t`Answered`, tone: 'good' },
  in_progress: { name: t`Answering`, tone: 'busy' },
  waiting: { name: t`Waits for a person`, tone: 'busy' },
  failed: { name: t`Failed`, tone: 'bad' },
  empty: { name: t`Nothing asked`, tone: 'quiet' },
}

/** Chosen columns; `key` is the sort key of the API. */
export function threadColumns({ hidden, metadata }: ColumnChoice): Column<Thread>[] {
  const optional = OPTIONAL.filter(({ id }) => !hidden.includes(id))
  const own = metadata.map(
    (key): Column<Thread> => ({
      key: `metadata.${key}`,
      header: key,
      className: 'min-w-24 max-w-56',
      cell: (thread) => <span className="line-clamp-2 wrap-break-word">{thread.metadata[key]}</span>,
    }),
  )
  return [
    TITLE,
    ...optional.filter(({ id }) => id !== 'created'),
    ...own,
    ...optional.filter(({ id }) => id === 'created'),
    LAST,
  ]
}

const TITLE: Column<Thread> = {
  key: 'title',
  header: t`Thread`,
  isSortable: true,
  className: 'min-w-32 sm:min-w-40',
  cell: ({ id, agent_id, title }) => (
    <Link
      to="/agents/$agentId/threads/$chatId"
      params={{ agentId: agent_id, chatId: id }}
      dir="auto"
      className={`${stretched} line-clamp-2 text-start wrap-anywhere`}
    >
      {title}
    </Link>
  ),
}

const LAST: Column<Thread> = {
  key: 'last_message_at',
  header: t`Last asked`,
  isSortable: true,
  className: 'max-sm:[&_time]:whitespace-normal',
  cell: ({ last_message_at }) => (last_message_at ? <Time iso={last_message_at} /> : <Nothing />),
}

const OPTIONAL: (Column<Thread> & { id: string })[] = [
  {
    id: 'status',
    key: 'status',
    header: t`State`,
    cell: ({ status }) => <Badge tone={STATES[status].tone}>{STATES[status].name}</Badge>,
  },
  {
    id: 'people',
    key: 'people',
    header: t`People`,
    className: 'max-sm:hidden min-w-24 max-w-40',
    cell: ({ virtual_users, virtual_user_count }) =>
      virtual_users.length === 0 ? (
        <Nothing />
      ) : (
        <span
          dir="auto"
          className="block truncate text-start"
          title={virtual_users.map(({ email }) => email).join(', ')}
        >
          {virtual_users.map(({ name, email }) => name ?? email).join(', ')}
          {virtual_user_count > virtual_users.length && t` and ${virtual_user_count - virtual_users.length} more`}
        </span>
      ),
  },
  {
    id: 'type',
    key: 'type',
    header: t`Type`,
    className: 'max-xl:hidden',
    cell: ({ chat_type }) => chatTypes()[chat_type],
  },
  {
    id: 'messages',
    key: 'messages',
    header: t`Messages`,
    // Beside the open sidebar of a small screen the others fill the page.
    className: 'max-[70rem]:hidden',
    isNumber: true,
    cell: ({ message_count }) => formatNumber(message_count),
  },
  {
    id: 'tokens',
    key: 'total_tokens',
    header: t`Tokens`,
    className: 'max-sm:hidden',
    isSortable: true,
    isNumber: true,
    cell: ({ total_tokens }) => formatShortNumber(total_tokens),
  },
  {
    id: 'feedback',
    key: 'feedback',
    header: t`Feedback`,
    className: 'max-sm:hidden',
    cell: ({ feedback: { up, down } }) =>
      up + down === 0 ? (
        <Nothing />
      ) : (
        <span className="flex gap-3 tabular-nums">
          {up > 0 && (
            <span className="inline-flex items-center gap-1 text-good">
              <ThumbsUp size={14} aria-label={t`up`} /> {up}
            </span>
          )}
          {down > 0 && (
            <span className="inline-flex items-center gap-1 text-bad">
              <ThumbsDown size={14} aria-label={t`down`} /> {down}
            </span>
          )}
        </span>
      ),
  },
  {
    id: 'created',
    key: 'created_at',
    header: t`Began`,
    isSortable: true,
    cell: ({ created_at }) => <Time iso={created_at} />,
  },
]

const Nothing = () => <span className="text-muted">–</span>
