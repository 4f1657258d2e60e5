import type { Chat } from '@docent/sdk'
import { t } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'
import { Link } from '@tanstack/react-router'
import { useEffect, useRef, useState } from 'react'
import { explain } from '../../platform/errors.ts'
import { useDebounced } from '../../platform/state/use-debounced.ts'
import { cx } from '../../ui/class-names.ts'
import { Button, IconButton, Spinner } from '../../ui/controls/button.tsx'
import { SearchBox } from '../../ui/controls/search-box.tsx'
import { Archive, Search, X } from '../../ui/icons.ts'
import { SidebarHeading } from '../../ui/layout/sidebar-slot.tsx'
import { useChat, useChats } from '../chats.queries.ts'
import { dayGroup } from './chat-days.ts'
import { useHiddenChats } from './chat-deletions.ts'
import { ChatMenu } from './chat-menu.tsx'

interface ChatListProps {
  agentId: string
  openId: string | null
}

/** Chats of an agent: pinned ones, then the newest, grouped by day. */
export function ChatList({ agentId, openId }: ChatListProps) {
  const [search, setSearch] = useState<string | null>(null)
  return (
    <>
      <SidebarHeading
        action={
          <span className="flex">
            <IconButton
              label={search === null ? t`Search the chats` : t`Clear the search`}
              icon={search === null ? Search : X}
              onClick={() => setSearch(search === null ? '' : null)}
            />
            <Link
              to="/chats"
              aria-label={t`All chats`}
              title={t`All chats`}
              className="inline-flex size-8 items-center justify-center rounded-control text-muted hover:bg-hover hover:text-ink pointer-coarse:size-10"
              activeProps={{ className: '!bg-hover !text-ink' }}
            >
              <Archive size={17} aria-hidden />
            </Link>
          </span>
        }
      >
        <Trans>Chats</Trans>
      </SidebarHeading>
      {search !== null && (
        <SearchBox
          label={t`Search the chats`}
          autoFocus
          value={search}
          onChange={setSearch}
          onKeyDown={(event) => event.key === 'Escape' && setSearch(null)}
          className="mb-2 shrink-0"
        />
      )}
      <FoundChats agentId={agentId} openId={openId} search={useDebounced((search ?? '').trim())} />
    </>
  )
}

function FoundChats({ agentId, openId, search }: ChatListProps & { search: string }) {
  const { data, error, hasNextPage, fetchNextPage, isFetchingNextPage, refetch } = useChats(agentId, search)
  const hidden = useHiddenChats()
  const opened = useOpened(agentId, openId, data)
  if (error)
    return (
      <div className="px-2.5 text-sm text-muted">
        <p className="mb-2">{explain(error)}</p>
        <Button onClick={() => refetch()}>
          <Trans>Try again</Trans>
        </Button>
      </div>
    )
  const chats = [...(opened && !search ? [opened] : []), ...(data ?? [])].filter(({ id }) => !hidden.has(id))
  if (data && chats.length === 0)
    return (
      <p className="px-2.5 py-1 text-sm text-muted">
        {search ? t`No chat has “${search}” in its title.` : t`Your chats will be listed here.`}
      </p>
    )
  return (
    <>
      <ul aria-label={t`Chats`}>
        {chats.map((chat, index) => {
          const day = chat === opened ? t`Open now` : groupOf(chat)
          const before = chats[index - 1]
          const isFirst = before === undefined || before === opened || day !== groupOf(before)
          return <ChatRow key={chat.id} chat={chat} day={isFirst ? day : null} isOpen={chat.id === openId} />
        })}
      </ul>
      {hasNextPage && <More isBusy={isFetchingNextPage} onSeen={fetchNextPage} />}
    </>
  )
}

const groupOf = ({ is_pinned, created_at }: Chat): string => (is_pinned ? t`Pinned` : dayGroup(created_at))

/**
 * The open chat, if the list lacks it: a chat of a program or a visitor opened from the threads or by its address, or
 * an old one on a page not read yet, or an archived one. A chat that was just created is about to be listed.
 */
function useOpened(agentId: string, openId: string | null, listed: Chat[] | undefined): Chat | undefined {
  const { data: chat } = useChat({ agentId, chatId: openId ?? '' }, openId !== null)
  if (!chat || !listed || listed.some(({ id }) => id === openId)) return undefined
  const newest = listed.find(({ is_pinned }) => !is_pinned)?.created_at ?? ''
  const isNew = chat.chat_type === 'interact' && !chat.is_archived && newest < chat.created_at
  return isNew ? undefined : chat
}

/** Loads the next page when scrolled into view. */
function More({ isBusy, onSeen }: { isBusy: boolean; onSeen: () => unknown }) {
  const place = useRef<HTMLDivElement>(null)
  const latest = useRef(onSeen)
  useEffect(() => {
    latest.current = onSeen
  })
  useEffect(() => {
    if (isBusy) return
    const observer = new IntersectionObserver(([entry]) => entry!.isIntersecting && latest.current(), {
      rootMargin: '200px',
    })
    observer.observe(place.current!)
    return () => observer.disconnect()
  }, [isBusy])
  return (
    <div ref={place} className="flex h-9 items-center justify-center">
      <Spinner label={t`Reading more chats`} />
    </div>
  )
}

interface ChatRowProps {
  chat: Chat
  /** Heading of a day, shown above its first chat. */
  day: string | null
  isOpen: boolean
}

const ChatRow = ({ chat, day, isOpen }: ChatRowProps) => (
  <li>
    {day && <p className="px-2.5 pt-2 pb-1 text-xs text-muted">{day}</p>}
    <div className={cx('group flex items-center rounded-control hover:bg-hover', isOpen && 'bg-hover')}>
      <Link
        to="/chat/$agentId/$chatId"
        params={{ agentId: chat.agent_id, chatId: chat.id }}
        title={chat.title}
        dir="auto"
        className="min-w-0 flex-1 truncate rounded-control py-1.5 ps-2.5 pointer-coarse:py-2.5"
      >
        {chat.title}
      </Link>
      <div
        className={cx(
          !isOpen && 'pointer-fine:opacity-0',
          'group-focus-within:opacity-100 group-hover:opacity-100 has-[:popover-open]:opacity-100',
        )}
      >
        <ChatMenu chat={chat} isOpen={isOpen} />
      </div>
    </div>
  </li>
)
