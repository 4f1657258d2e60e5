import type { SharedAgent } from '@docent/sdk'
import { t } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'
import { useEffect, useState } from 'react'
import { useUserEnded } from '../access/access.ts'
import { branded, LinkStart, SideThread } from '../builder/builder.ts'
import {
  type Ask,
  ask,
  Composer,
  createChat,
  isOnItsWay,
  preloadMarkdown,
  stop,
  useLiveAnswers,
} from '../chats/chats.ts'
import { explain } from '../platform/errors.ts'
import { shorten } from '../platform/format.ts'
import { cx } from '../ui/class-names.ts'
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
  const brand = branded(agent.color)
  const live = useLiveAnswers()
  const running = [...live.values()].find((answer) => answer.path.chatId === chatId && isOnItsWay(answer))
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
      const id = chatId ?? (await createChat(agentId, shorten(query, TITLE_LENGTH), { chatType: 'standard' })).id
      ask({ agentId, chatId: id }, { query, ...more })
      setChatId(id)
    } catch (error) {
      setProblem(explain(error))
      throw error
    }
  }

  return (
    <main data-takes-files {...brand} className={cx('relative flex h-dvh flex-col bg-paper', brand.className)}>
      <title>{name}</title>
      <header className="flex min-h-14 shrink-0 items-center gap-1 border-b border-line py-2 pe-2 ps-4 sm:ps-6">
        {agent.logo_url && <img src={agent.logo_url} alt="" className="me-2 max-h-8 max-w-32 object-contain" />}
        <h1 className="min-w-0 flex-1 truncate font-display text-2xl leading-tight">
          <bdi>{name}</bdi>
        </h1>
        <EarlierChats agentId={agentId} openId={chatId} onOpen={setChatId} />
        {chatId && <IconButton label={t`New chat`} icon={MessageSquarePlus} onClick={() => setChatId(null)} />}
        {isEmbedded && <IconButton label={t`Close the chat`} icon={X} onClick={() => notifyHost('close')} />}
      </header>
      <div className="relative mx-auto flex min-h-0 w-full max-w-[48rem] flex-1 flex-col">
        {chatId ? (
          <SideThread key={chatId} path={{ agentId, chatId }} name={name} after={() => null} />
        ) : (
          <LinkStart
            greeting={agent.greeting}
            description={agent.description}
            questions={agent.starter_questions}
            onAsk={(question) => send(question).catch(() => {})}
          />
        )}
        <div className="shrink-0 px-3 pb-2 sm:px-4">
          {hasEnded ? (
            <Notice className="mb-2">
              <Trans>You are no longer signed in here: reload the page of the website.</Trans>
            </Notice>
          ) : (
            problem && <Notice className="mb-2">{problem}</Notice>
          )}
          <Composer
            draftKey={chatId ?? `shared ${agentId}`}
            agentName={name}
            onAsk={send}
            onStop={running && (() => stop(running))}
          />
          <p className="pt-2 text-center text-xs text-muted">
            <Trans>Answers may be wrong. Check what matters.</Trans>
          </p>
        </div>
      </div>
    </main>
  )
}
