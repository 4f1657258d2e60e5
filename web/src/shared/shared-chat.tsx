import type { SharedAgent } from '@docent/sdk'
import { useEffect, useState } from 'react'
import { useUserEnded } from '../access/access.ts'
import { SideThread } from '../builder/builder.ts'
import {
  type Ask,
  ask,
  Composer,
  createChat,
  isRunning,
  preloadMarkdown,
  stop,
  useLiveAnswers,
} from '../chats/chats.ts'
import { explain } from '../platform/errors.ts'
import { shorten } from '../platform/format.ts'
import { IconButton } from '../ui/controls/button.tsx'
import { MessageSquarePlus, X } from '../ui/icons.ts'
import { Notice } from '../ui/notices/notice.tsx'
import { EarlierChats } from './earlier-chats.tsx'
import { notifyHost } from './host.ts'

const TITLE_LENGTH = 60

interface SharedChatProps {
  agent: SharedAgent
  /** Whether it is in a frame of another site. */
  isEmbedded: boolean
}

/** Chats of a visitor with the agent, one at a time. */
export function SharedChat({ agent, isEmbedded }: SharedChatProps) {
  const { agent_id: agentId, name } = agent
  const [chatId, setChatId] = useState<string | null>(null)
  const [problem, setProblem] = useState<string | null>(null)
  const hasEnded = useUserEnded()
  const live = useLiveAnswers()
  const running = [...live.values()].find(
    (answer) => answer.path.chatId === chatId && isRunning(answer) && answer.state !== 'waiting',
  )
  useEffect(preloadMarkdown, [])
  useEffect(() => {
    if (!isEmbedded) return
    const close = (event: KeyboardEvent) => {
      if (event.key === 'Escape' && !event.defaultPrevented) notifyHost('close')
    }
    addEventListener('keydown', close)
    return () => removeEventListener('keydown', close)
  }, [isEmbedded])

  async function send(query: string, more: Omit<Ask, 'query'> = {}) {
    setProblem(null)
    try {
      const id = chatId ?? (await createChat(agentId, shorten(query, TITLE_LENGTH), 'standard')).id
      ask({ agentId, chatId: id }, { query, ...more })
      setChatId(id)
    } catch (error) {
      setProblem(explain(error))
      throw error
    }
  }

  return (
    <main data-takes-files className="relative flex h-dvh flex-col bg-paper">
      <title>{name}</title>
      <header className="flex min-h-14 shrink-0 items-center gap-1 border-b border-line py-2 pe-2 ps-4 sm:ps-6">
        <h1 className="min-w-0 flex-1 truncate font-display text-2xl leading-tight">{name}</h1>
        <EarlierChats agentId={agentId} openId={chatId} onOpen={setChatId} />
        {chatId && <IconButton label="New chat" icon={MessageSquarePlus} onClick={() => setChatId(null)} />}
        {isEmbedded && <IconButton label="Close the chat" icon={X} onClick={() => notifyHost('close')} />}
      </header>
      <div className="relative mx-auto flex min-h-0 w-full max-w-[48rem] flex-1 flex-col">
        {chatId ? (
          <SideThread key={chatId} path={{ agentId, chatId }} name={name} after={() => null} />
        ) : (
          <div className="flex min-h-0 flex-1 flex-col justify-center overflow-y-auto scroll-quiet px-5 py-8 text-center">
            <p className="mx-auto max-w-lg font-display text-[clamp(1.6rem,5vw,2.4rem)] leading-[1.15] text-balance whitespace-pre-line">
              {agent.greeting || 'What would you like to know?'}
            </p>
            {agent.description && <p className="mx-auto mt-3 max-w-md text-muted text-pretty">{agent.description}</p>}
          </div>
        )}
        <div className="shrink-0 px-3 pb-2 sm:px-4">
          {hasEnded ? (
            <Notice className="mb-2">You are signed in here no longer: reload the page of the website.</Notice>
          ) : (
            problem && <Notice className="mb-2">{problem}</Notice>
          )}
          <Composer
            draftKey={chatId ?? `shared ${agentId}`}
            agentName={name}
            onAsk={send}
            onStop={running && (() => stop(running))}
          />
          <p className="pt-2 text-center text-xs text-muted">Answers may be wrong. Check what matters.</p>
        </div>
      </div>
    </main>
  )
}
