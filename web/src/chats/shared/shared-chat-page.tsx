import type { Citation, SharedMessage } from '@docent/sdk'
import { plural, t } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'
import { Link, useParams } from '@tanstack/react-router'
import { useCallback, useState } from 'react'
import { Button, buttonClass } from '../../ui/controls/button.tsx'
import { Time } from '../../ui/data/time.tsx'
import { Share2 } from '../../ui/icons.ts'
import { PageHeader } from '../../ui/layout/page-header.tsx'
import { Banner } from '../../ui/notices/banner.tsx'
import { LoadProblem } from '../../ui/notices/load-problem.tsx'
import { CitedAnswer } from '../sources/cited-answer.tsx'
import { SourcePanel } from '../sources/source-panel.tsx'
import { useSharedChat } from './shared-chats.queries.ts'

/** A chat that somebody of the workspace shared, to be read. */
export function SharedChatPage() {
  const { shareId = '' } = useParams({ strict: false })
  return <SharedChat key={shareId} id={shareId} />
}

function SharedChat({ id }: { id: string }) {
  const { data, error, refetch, hasNextPage, fetchNextPage, isFetchingNextPage } = useSharedChat(id)
  const [opened, setOpened] = useState<{ citation: Citation; answer: string } | null>(null)
  if (error)
    return (
      <>
        <PageHeader title={t`Shared chat`} />
        <LoadProblem
          error={error}
          title={t`This chat is not shared`}
          way={
            <Link to="/chat" className={buttonClass('primary')}>
              <Trans>To your chats</Trans>
            </Link>
          }
          onRetry={refetch}
        />
      </>
    )
  const chat = data?.pages[0]
  return (
    <div className="flex min-h-0 flex-1">
      <div className="flex min-w-0 flex-1 flex-col">
        <PageHeader title={chat?.title ?? t`Shared chat`} />
        {chat && (
          <Banner icon={Share2}>
            {chat.is_own ? (
              <Trans>You shared this chat of yours with the workspace. Agent: {chat.agent_name}.</Trans>
            ) : (
              <Trans>
                {chat.shared_by} shared this chat with the workspace: you can read it. Agent: {chat.agent_name}.
              </Trans>
            )}{' '}
            {!chat.follows && (
              <Trans>
                As it was <Time iso={chat.updated_at} />.
              </Trans>
            )}
          </Banner>
        )}
        <div className="min-h-0 flex-1 overflow-y-auto scroll-quiet">
          <div className="mx-auto max-w-[50rem] space-y-10 p-4 sm:p-6">
            {data?.pages.flatMap(({ messages }) =>
              messages.map((message) => <SharedTurn key={message.id} message={message} onOpen={setOpened} />),
            )}
            {hasNextPage && (
              <Button isBusy={isFetchingNextPage} onClick={() => fetchNextPage()}>
                <Trans>Show later questions</Trans>
              </Button>
            )}
          </div>
        </div>
      </div>
      {opened && <SourcePanel {...opened} onClose={() => setOpened(null)} />}
    </div>
  )
}

interface SharedTurnProps {
  message: SharedMessage
  onOpen: (source: { citation: Citation; answer: string }) => void
}

function SharedTurn({ message, onOpen }: SharedTurnProps) {
  const { query, response, citations, hidden_citations: hidden } = message
  const openSource = useCallback(
    (index: number) => {
      const citation = citations.find((one) => one.index === index)
      if (citation) onOpen({ citation, answer: response })
    },
    [citations, response, onOpen],
  )
  return (
    <article className="space-y-3">
      <h2 dir="auto" className="rounded-card bg-canvas px-4 py-3 font-medium whitespace-pre-wrap wrap-anywhere">
        {query}
      </h2>
      <CitedAnswer message={message} onOpenSource={openSource} />
      {hidden > 0 && (
        <p className="text-sm text-muted">
          {plural(hidden, { one: '# source is not open to you', other: '# sources are not open to you' })}
        </p>
      )}
    </article>
  )
}
