import type { UsedChat } from '@docent/sdk'
import { plural, t } from '@lingui/core/macro'
import { Plural, Trans } from '@lingui/react/macro'
import { Link } from '@tanstack/react-router'
import { useState } from 'react'
import { deleteUnlessUndone } from '../../access/access.ts'
import { useAgents } from '../../agents/agents.ts'
import { explain } from '../../platform/errors.ts'
import { formatTime } from '../../platform/format.ts'
import { Button } from '../../ui/controls/button.tsx'
import { Checkbox } from '../../ui/fields/checkbox.tsx'
import { Archive, ArchiveRestore, MessageSquare, Pin, Trash2 } from '../../ui/icons.ts'
import { EmptyState } from '../../ui/notices/empty-state.tsx'
import { ReadProblem } from '../../ui/notices/read-problem.tsx'
import { toast } from '../../ui/overlays/toasts.tsx'
import { hideChats, useHiddenChats } from '../chat/chat-deletions.ts'
import { ChatMenu } from '../chat/chat-menu.tsx'
import { ChatButton } from './chat-button.tsx'
import { changeChats, useOwnChats } from './own-chats.queries.ts'

interface OwnChatListProps {
  isArchived: boolean
  search: string
}

/** Own chats, of which several can be archived or deleted at once. */
export function OwnChatList({ isArchived, search }: OwnChatListProps) {
  const { data, error, refetch, hasNextPage, fetchNextPage, isFetchingNextPage } = useOwnChats(isArchived, search)
  const [chosen, setChosen] = useState<ReadonlySet<string>>(new Set())
  const hidden = useHiddenChats()
  if (error) return <ReadProblem error={error} onRetry={refetch} />
  const chats = data?.filter(({ id }) => !hidden.has(id))
  if (chats?.length === 0) return <Nothing isArchived={isArchived} search={search} />
  const ids = chats?.map(({ id }) => id).filter((id) => chosen.has(id)) ?? []
  const toggle = (id: string) =>
    setChosen((now) => (now.has(id) ? now.difference(new Set([id])) : new Set(now).add(id)))
  return (
    <div className="mx-auto max-w-3xl">
      {chats && (
        <Choice
          ids={ids}
          count={chats.length}
          isArchived={isArchived}
          onChoose={(all) => setChosen(new Set(all ? chats.map(({ id }) => id) : []))}
        />
      )}
      <ul aria-label={isArchived ? t`Archived chats` : t`Chats`}>
        {chats?.map((chat) => (
          <Row key={chat.id} chat={chat} isChosen={chosen.has(chat.id)} onToggle={() => toggle(chat.id)} />
        ))}
      </ul>
      {hasNextPage && (
        <Button className="mt-3" isBusy={isFetchingNextPage} onClick={() => fetchNextPage()}>
          <Trans>Show more</Trans>
        </Button>
      )}
    </div>
  )
}

interface ChoiceProps {
  /** Chosen chats. */
  ids: string[]
  /** Number of chats that can be chosen. */
  count: number
  isArchived: boolean
  onChoose: (all: boolean) => void
}

/** Bar with the check box for all chats, and what can be done with the chosen ones. */
function Choice({ ids, count, isArchived, onChoose }: ChoiceProps) {
  async function archive() {
    try {
      await changeChats(ids, isArchived ? 'unarchive' : 'archive')
      onChoose(false)
    } catch (error) {
      toast(explain(error), { isError: true })
    }
  }
  function remove() {
    deleteUnlessUndone({
      name: plural(ids.length, { one: '# chat', other: '# chats' }),
      remove: () => changeChats(ids, 'delete'),
      unhide: hideChats(ids),
    })
    onChoose(false)
  }
  return (
    <div className="flex min-h-11 items-center gap-3 border-b border-line px-3">
      <Checkbox
        aria-label={t`Choose all`}
        checked={ids.length === count}
        isMixed={ids.length > 0 && ids.length < count}
        onChange={({ target }) => onChoose(target.checked)}
      />
      {ids.length === 0 ? (
        <p className="text-sm text-muted">
          <Trans>Choose chats to archive or delete several at once.</Trans>
        </p>
      ) : (
        <div role="toolbar" aria-label={t`What is chosen`} className="flex flex-1 flex-wrap items-center gap-1 py-1">
          <p aria-live="polite" className="me-auto font-medium">
            <Plural value={ids.length} one="# chosen" other="# chosen" />
          </p>
          <Button variant="quiet" icon={isArchived ? ArchiveRestore : Archive} onClick={archive}>
            {isArchived ? <Trans>Bring back</Trans> : <Trans>Archive</Trans>}
          </Button>
          <Button variant="quiet" icon={Trash2} onClick={remove}>
            <Trans>Delete</Trans>
          </Button>
        </div>
      )}
    </div>
  )
}

interface RowProps {
  chat: UsedChat
  isChosen: boolean
  onToggle: () => void
}

function Row({ chat, isChosen, onToggle }: RowProps) {
  const { data: agents } = useAgents()
  const agent = agents?.find(({ id }) => id === chat.agent_id)
  const time = formatTime(chat.last_message_at ?? chat.created_at)
  return (
    <li className="flex items-center gap-3 border-b border-line ps-3 last:border-b-0 hover:bg-hover">
      <Checkbox aria-label={t`Choose ${chat.title}`} checked={isChosen} onChange={onToggle} />
      <Link
        to="/chat/$agentId/$chatId"
        params={{ agentId: chat.agent_id, chatId: chat.id }}
        className="flex min-w-0 flex-1 items-center gap-3 rounded-control py-2.5"
      >
        <span className="min-w-0 flex-1">
          <span className="flex items-center gap-2">
            <span dir="auto" className="truncate">
              {chat.title}
            </span>
            {chat.is_pinned && (
              <>
                <Pin size={14} aria-hidden className="shrink-0 text-muted" />
                <span className="sr-only">
                  <Trans>Pinned</Trans>
                </span>
              </>
            )}
          </span>
          <span dir="auto" className="block truncate text-start text-sm text-muted">
            {agent?.name ?? '\u00a0'}
          </span>
          <span className="block text-sm text-muted sm:hidden">{time}</span>
        </span>
        <span className="shrink-0 text-sm text-muted max-sm:hidden">{time}</span>
      </Link>
      <ChatMenu chat={chat} isOpen={false} />
    </li>
  )
}

function Nothing({ isArchived, search }: OwnChatListProps) {
  if (search)
    return (
      <p className="text-muted">
        <Trans>No chat has “{search}” in its title.</Trans>
      </p>
    )
  if (isArchived)
    return (
      <EmptyState icon={Archive} title={t`Nothing is archived`}>
        <Trans>Archive a chat in its menu: it leaves the sidebar, stays here, and can be continued at any time.</Trans>
      </EmptyState>
    )
  return (
    <EmptyState icon={MessageSquare} title={t`No chats yet`} action={<ChatButton />}>
      <Trans>Your chats will be listed here.</Trans>
    </EmptyState>
  )
}
