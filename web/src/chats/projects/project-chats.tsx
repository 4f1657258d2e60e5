import { t } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'
import { Link } from '@tanstack/react-router'
import { useId } from 'react'
import { formatTime } from '../../platform/format.ts'
import { Button } from '../../ui/controls/button.tsx'
import { ReadProblem } from '../../ui/notices/read-problem.tsx'
import { useHiddenChats } from '../chat/chat-deletions.ts'
import { ChatMenu } from '../chat/chat-menu.tsx'
import { useProjectChats } from './projects.queries.ts'

/** Own chats of a project, the last used first. */
export function ProjectChats({ projectId }: { projectId: string }) {
  const { data, error, refetch, hasNextPage, fetchNextPage, isFetchingNextPage } = useProjectChats(projectId)
  const hidden = useHiddenChats()
  const id = useId()
  const chats = data?.filter((chat) => !hidden.has(chat.id))
  return (
    <section aria-labelledby={id}>
      <h2 id={id} className="mb-1 font-medium">
        <Trans>Chats</Trans>
      </h2>
      <p className="mb-2 text-sm text-muted">
        <Trans>Only you see yours.</Trans>
      </p>
      {error && <ReadProblem error={error} onRetry={refetch} />}
      {chats?.length === 0 && (
        <p className="rounded-card border border-dashed border-line-strong/60 px-4 py-6 text-center text-muted text-pretty">
          <Trans>Ask above to begin the first chat, or move one here from its menu.</Trans>
        </p>
      )}
      <ul aria-label={t`Chats`}>
        {chats?.map((chat) => (
          <li
            key={chat.id}
            className="flex items-center gap-2 rounded-control border-b border-line last:border-b-0 hover:bg-hover"
          >
            <Link
              to="/chat/$agentId/$chatId"
              params={{ agentId: chat.agent_id, chatId: chat.id }}
              className="flex min-w-0 flex-1 items-center gap-3 rounded-control px-3 py-2.5"
            >
              <span dir="auto" className="min-w-0 flex-1 truncate">
                {chat.title}
              </span>
              <span className="shrink-0 text-sm text-muted">{formatTime(chat.last_message_at ?? chat.created_at)}</span>
            </Link>
            <ChatMenu chat={chat} isOpen={false} />
          </li>
        ))}
      </ul>
      {hasNextPage && (
        <Button className="mt-3" isBusy={isFetchingNextPage} onClick={() => fetchNextPage()}>
          <Trans>Show more</Trans>
        </Button>
      )}
    </section>
  )
}
