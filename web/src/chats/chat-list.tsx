import type { Chat } from '@docent/sdk'
import { Link } from '@tanstack/react-router'
import { explain } from '../platform/errors.ts'
import { Button } from '../ui/button.tsx'
import { cx } from '../ui/class-names.ts'
import { ChatMenu } from './chat-menu.tsx'
import { useChats } from './chats.queries.ts'

interface ChatListProps {
  agentId: string
  openId: string | null
}

/** The chats of an agent, newest first. */
export function ChatList({ agentId, openId }: ChatListProps) {
  const { data: chats, error, hasNextPage, fetchNextPage, isFetchingNextPage, refetch } = useChats(agentId)
  if (error)
    return (
      <div className="px-2.5 text-sm text-muted">
        <p className="mb-2">{explain(error)}</p>
        <Button onClick={() => refetch()}>Try again</Button>
      </div>
    )
  if (chats?.length === 0) return <p className="px-2.5 py-1 text-sm text-muted">Your chats will be listed here.</p>
  return (
    <>
      <ul aria-label="Chats">
        {chats?.map((chat) => (
          <ChatRow key={chat.id} chat={chat} isOpen={chat.id === openId} />
        ))}
      </ul>
      {hasNextPage && (
        <Button variant="quiet" className="mt-1 shrink-0" isBusy={isFetchingNextPage} onClick={() => fetchNextPage()}>
          Show more
        </Button>
      )}
    </>
  )
}

const ChatRow = ({ chat, isOpen }: { chat: Chat; isOpen: boolean }) => (
  <li className={cx('group flex items-center rounded-control hover:bg-hover', isOpen && 'bg-hover')}>
    <Link
      to="/chat/$agentId/$chatId"
      params={{ agentId: chat.agent_id, chatId: chat.id }}
      title={chat.title}
      className="min-w-0 flex-1 truncate rounded-control py-1.5 pl-2.5 pointer-coarse:py-2.5"
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
  </li>
)
