import type { Chat, ChatType } from '@docent/sdk'
import { t } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'
import { Link, useParams } from '@tanstack/react-router'
import { useState } from 'react'
import { AgentProblem, useAgent } from '../../agents/agents.ts'
import { openSideChat, type Side } from '../../builder/builder.ts'
import { SourcePanel, useChat } from '../../chats/chats.ts'
import { chatTypes } from '../../platform/chat-types.ts'
import { isMissing } from '../../platform/errors.ts'
import { Button, buttonClass } from '../../ui/controls/button.tsx'
import { Time } from '../../ui/data/time.tsx'
import { ArrowLeft, MessageSquare, Wrench } from '../../ui/icons.ts'
import { PageHeader } from '../../ui/layout/page-header.tsx'
import { Tag } from '../../ui/notices/badge.tsx'
import { EmptyState } from '../../ui/notices/empty-state.tsx'
import { LoadProblem } from '../../ui/notices/load-problem.tsx'
import { ReadProblem } from '../../ui/notices/read-problem.tsx'
import { useThreadMessages } from '../threads.queries.ts'
import { ThreadTurn } from './thread-turn.tsx'

/** Conversation with the cost of each answer. */
export function ThreadPage() {
  const { agentId = '', chatId = '' } = useParams({ strict: false })
  return <Thread key={chatId} agentId={agentId} chatId={chatId} />
}

function Thread({ agentId, chatId }: { agentId: string; chatId: string }) {
  const { data: chat, error: chatError } = useChat({ agentId, chatId })
  const { data: agent, error: agentError, refetch: refetchAgent } = useAgent(agentId)
  const {
    data: messages,
    error,
    refetch,
    hasNextPage,
    fetchNextPage,
    isFetchingNextPage,
  } = useThreadMessages(agentId, chatId)
  const [opened, setOpened] = useState<{ messageId: string; index: number } | null>(null)
  if (isMissing(agentError)) return <AgentProblem error={agentError} onRetry={refetchAgent} />
  if (isMissing(chatError))
    return (
      <>
        <PageHeader title={t`Thread`} />
        <LoadProblem
          error={chatError}
          title={t`This thread is not here`}
          way={
            <Link to="/agents/$agentId/threads" params={{ agentId }} className={buttonClass('primary')}>
              <Trans>All threads of {agent?.name ?? t`the agent`}</Trans>
            </Link>
          }
          onRetry={refetch}
        />
      </>
    )
  const openedMessage = messages?.find(({ id }) => id === opened?.messageId)
  const source = openedMessage?.citations.find(({ index }) => index === opened?.index)
  return (
    <div className="flex min-h-0 flex-1">
      <div className="flex min-w-0 flex-1 flex-col">
        <PageHeader title={chat?.title ?? t`Thread`} actions={chat && <OpenLink chat={chat} />} />
        <div className="min-h-0 flex-1 overflow-y-auto scroll-quiet">
          <div className="mx-auto max-w-[50rem] p-4 sm:p-6">
            <Link
              to="/agents/$agentId/threads"
              params={{ agentId }}
              className="mb-3 inline-flex items-center gap-1.5 text-sm text-muted hover:text-ink"
            >
              <ArrowLeft size={15} aria-hidden />
              <Trans>All threads of {agent?.name ?? t`the agent`}</Trans>
            </Link>
            {(chatError ?? error) && <ReadProblem error={chatError ?? error} onRetry={refetch} />}
            {chat && (
              <p className="flex flex-wrap items-center gap-2 text-sm text-muted">
                <Tag>
                  <span>{chatTypes()[chat.chat_type]}</span>
                </Tag>
                {Object.entries(chat.metadata).map(([key, value]) => (
                  <Tag key={key} title={`${key}: ${value}`}>
                    {key}: {value}
                  </Tag>
                ))}
                <span>
                  <Trans>Began</Trans> <Time iso={chat.created_at} />
                </span>
              </p>
            )}
            {messages?.length === 0 && (
              <EmptyState icon={MessageSquare} title={t`Nothing was asked`}>
                <Trans>The chat was made, and no question came.</Trans>
              </EmptyState>
            )}
            <div className="mt-6 space-y-10">
              {messages?.map((message) => (
                <ThreadTurn
                  key={message.id}
                  message={message}
                  onOpenSource={(index) => setOpened({ messageId: message.id, index })}
                />
              ))}
            </div>
            {hasNextPage && (
              <Button className="mt-6" isBusy={isFetchingNextPage} onClick={() => fetchNextPage()}>
                <Trans>Show later questions</Trans>
              </Button>
            )}
          </div>
        </div>
      </div>
      {source && <SourcePanel citation={source} answer={openedMessage?.response} onClose={() => setOpened(null)} />}
    </div>
  )
}

const SIDES: Partial<Record<ChatType, Side>> = { playground: 'try', configuration: 'configure' }

/** Link to continue the conversation: beside the builder, if it began there. */
function OpenLink({ chat: { id, agent_id: agentId, chat_type } }: { chat: Chat }) {
  const side = SIDES[chat_type]
  return side ? (
    <Link
      to="/agents/$agentId"
      params={{ agentId }}
      search={{ side, shows: 'side' }}
      onClick={() => openSideChat(side, agentId, id)}
      className={buttonClass()}
    >
      <Wrench size={16} aria-hidden />
      <Trans>Open in the builder</Trans>
    </Link>
  ) : (
    <Link to="/chat/$agentId/$chatId" params={{ agentId, chatId: id }} className={buttonClass()}>
      <MessageSquare size={16} aria-hidden />
      <Trans>Open as a chat</Trans>
    </Link>
  )
}
