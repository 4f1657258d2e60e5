import type { Agent } from '@docent/sdk'
import { type ReactNode, useState } from 'react'
import {
  type Ask,
  ask,
  Composer,
  createChat,
  isUnderWay,
  preloadMarkdown,
  stop,
  type Turn,
  useLiveAnswers,
} from '../../chats/chats.ts'
import { explain } from '../../platform/errors.ts'
import { shorten } from '../../platform/format.ts'
import { Button } from '../../ui/controls/button.tsx'
import { MessageSquarePlus } from '../../ui/icons.ts'
import { Notice } from '../../ui/notices/notice.tsx'
import { unawaited } from '../../ui/unawaited.ts'
import type { Side } from '../parts.ts'
import { openSideChat, useSideChat } from './side-chats.ts'
import { SideThread } from './side-thread.tsx'

const TITLE_LENGTH = 60

interface SideChatProps {
  side: Side
  agent: Agent
  /** As whose the answers are told. */
  name: string
  chatType: 'playground' | 'configuration'
  /** Said above the chat, however long it is. */
  hint?: ReactNode
  /** What stands there before the first question; it may ask one. */
  begin: (ask: (query: string) => void) => ReactNode
  /** What follows an answer. */
  after: (turn: Turn, path: { agentId: string; chatId: string }) => ReactNode
}

/** A chat beside the builder, with its questions and answers one below the other. */
export function SideChat({ side, agent, name, chatType, hint, begin, after }: SideChatProps) {
  const chatId = useSideChat(side, agent.id)
  const [problem, setProblem] = useState<string | null>(null)
  const live = useLiveAnswers()
  const running = [...live.values()].find(
    (answer) => answer.path.chatId === chatId && isUnderWay(answer) && answer.state !== 'waiting',
  )

  async function send(query: string, more: Omit<Ask, 'query'> = {}) {
    setProblem(null)
    // Who builds may never ask: what shows answers comes while the first one is on its way.
    preloadMarkdown()
    try {
      const id = chatId ?? (await createChat(agent.id, shorten(query, TITLE_LENGTH), chatType)).id
      ask({ agentId: agent.id, chatId: id }, { query, ...more })
      openSideChat(side, agent.id, id)
    } catch (error) {
      setProblem(explain(error))
      throw error
    }
  }

  return (
    <div className="relative flex min-h-0 flex-1 flex-col">
      {(hint || chatId) && (
        <div className="flex shrink-0 items-center justify-between gap-3 border-b border-line px-4 py-2 text-sm">
          <div className="min-w-0 flex-1 text-muted">{hint}</div>
          {chatId && (
            <Button icon={MessageSquarePlus} onClick={() => openSideChat(side, agent.id, null)}>
              New chat
            </Button>
          )}
        </div>
      )}
      {chatId ? (
        <SideThread key={chatId} path={{ agentId: agent.id, chatId }} name={name} after={after} />
      ) : (
        <div className="min-h-0 flex-1 overflow-y-auto scroll-quiet px-4 py-8">
          {begin((query) => unawaited(send(query).catch(() => {})))}
        </div>
      )}
      <div className="shrink-0 px-3 pb-3 sm:px-4 sm:pb-4">
        {problem && <Notice className="mb-2">{problem}</Notice>}
        <Composer
          agentId={side === 'try' ? agent.id : undefined}
          agentName={name}
          isEager={false}
          onAsk={send}
          onStop={running && (() => stop(running))}
        />
      </div>
    </div>
  )
}
