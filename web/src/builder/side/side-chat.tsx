import type { Agent } from '@docent/sdk'
import { Trans } from '@lingui/react/macro'
import { type ReactNode, useState } from 'react'
import {
  type Ask,
  ask,
  Composer,
  createChat,
  isOnItsWay,
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
  /** Name shown as the author of the answers. */
  name: string
  chatType: 'playground' | 'configuration'
  /** Hint above the chat, shown at all times. */
  hint?: ReactNode
  /** Content before the first question; it may ask one. */
  begin: (ask: (query: string) => void) => ReactNode
  /** Content below an answer. */
  after: (turn: Turn, path: { agentId: string; chatId: string }) => ReactNode
}

/** Chat beside the builder. */
export function SideChat({ side, agent, name, chatType, hint, begin, after }: SideChatProps) {
  const chatId = useSideChat(side, agent.id)
  const [problem, setProblem] = useState<string | null>(null)
  const live = useLiveAnswers()
  const running = [...live.values()].find((answer) => answer.path.chatId === chatId && isOnItsWay(answer))

  async function send(query: string, more: Omit<Ask, 'query'> = {}) {
    setProblem(null)
    // Most visits of the builder ask nothing, so the renderer loads while the first answer is under way.
    preloadMarkdown()
    try {
      const id = chatId ?? (await createChat(agent.id, shorten(query, TITLE_LENGTH), { chatType })).id
      ask({ agentId: agent.id, chatId: id }, { query, ...more })
      openSideChat(side, agent.id, id)
    } catch (error) {
      setProblem(explain(error))
      throw error
    }
  }

  return (
    <div data-takes-files className="relative flex min-h-0 flex-1 flex-col">
      {(hint || chatId) && (
        <div className="flex shrink-0 items-center justify-between gap-3 border-b border-line px-4 py-2 text-sm">
          <div className="min-w-0 flex-1 text-muted">{hint}</div>
          {chatId && (
            <Button icon={MessageSquarePlus} onClick={() => openSideChat(side, agent.id, null)}>
              <Trans>New chat</Trans>
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
          draftKey={chatId ?? `${side} ${agent.id}`}
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
