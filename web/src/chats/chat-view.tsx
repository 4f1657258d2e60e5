import { useParams } from '@tanstack/react-router'
import { useCallback, useEffect, useMemo, useRef, useState } from 'react'
import { useAgent } from '../agents/agents.queries.ts'
import { explain } from '../platform/errors.ts'
import { Button } from '../ui/button.tsx'
import { ArrowDown } from '../ui/icons.ts'
import { Notice } from '../ui/notice.tsx'
import { PageHeader } from '../ui/page-header.tsx'
import { toast } from '../ui/toasts.tsx'
import { ChatMenu } from './chat-menu.tsx'
import { type ChatPath, useChat, useMessages } from './chats.queries.ts'
import { Composer } from './composer.tsx'
import { rememberAgent } from './last-agent.ts'
import { type Ask, isUnderWay } from './live-answer.ts'
import { ask, askAgain, follow, forget, stop, useLiveAnswers } from './live-answers.ts'
import { askInPlace } from './message-changes.ts'
import { SourcePanel } from './source-panel.tsx'
import { TurnView } from './turn-view.tsx'
import { type Turn, turnsOf } from './turns.ts'
import { useFollowScroll } from './use-follow-scroll.ts'
import { useStopKey } from './use-stop-key.ts'

/** A chat: its questions and answers, the passage that is open, and the box for the next question. */
export function ChatView() {
  const { agentId = '', chatId = '' } = useParams({ strict: false })
  return <OpenChat key={chatId} agentId={agentId} chatId={chatId} />
}

function OpenChat({ agentId, chatId }: ChatPath) {
  const path = useMemo(() => ({ agentId, chatId }), [agentId, chatId])
  const { data: agent } = useAgent(agentId)
  const { data: chat } = useChat(path)
  const { data: messages, error, refetch, hasNextPage, fetchNextPage, isFetchingNextPage } = useMessages(path)
  const live = useLiveAnswers()
  const [opened, setOpened] = useState<{ messageId: string; index: number } | null>(null)
  const [editedId, setEditedId] = useState<string | null>(null)
  const scroller = useRef<HTMLDivElement>(null)
  const content = useRef<HTMLDivElement>(null)
  const { isAway, toEnd, toQuestion } = useFollowScroll(scroller, content)
  useEffect(() => rememberAgent(agentId), [agentId])

  const answers = useMemo(() => [...live.values()].filter((answer) => answer.path.chatId === chatId), [live, chatId])
  const turns = useMemo(() => turnsOf(messages ?? [], answers), [messages, answers])

  // What still runs at the server although nobody here asked it, or the page was loaded anew, is read to its end.
  useEffect(() => {
    for (const message of messages ?? []) if (message.ai_resolution_status !== 'completed') follow(path, message)
  }, [messages, path])

  const send = (question: Ask) => {
    toQuestion()
    ask(path, question)
  }
  const onOpenSource = useCallback((messageId: string, index: number) => setOpened({ messageId, index }), [])
  const onAskAgain = useCallback(
    (turn: Turn, question?: Ask) => {
      const refused = live.get(turn.id)
      if (turn.state !== 'refused' || !refused || question) {
        if (refused && turn.state === 'refused') forget(refused)
        askInPlace(path, turn, question).catch((error) => toast(explain(error), { isError: true }))
      } else askAgain(refused)
    },
    [live, path],
  )
  // One that waits for a person keeps nobody from asking something else.
  const running = answers.find((answer) => isUnderWay(answer) && answer.state !== 'waiting')
  useStopKey(running && (() => stop(running)))

  const openedTurn = turns.find(({ id }) => id === opened?.messageId)
  const source = openedTurn?.citations.find(({ index }) => index === opened?.index)
  const last = turns.at(-1)
  const canEditLast = last && !last.shortcut && (last.state === 'done' || last.state === 'refused')
  const agentName = agent?.name ?? 'the agent'
  return (
    <div className="flex min-h-0 flex-1">
      <div className="relative flex min-w-0 flex-1 flex-col">
        <PageHeader title={chat?.title ?? 'Chat'} actions={chat && <ChatMenu chat={chat} isOpen />}>
          <h1 className="min-w-0 flex-1 truncate font-medium text-muted">{chat?.title}</h1>
        </PageHeader>
        <div ref={scroller} className="relative min-h-0 flex-1 overflow-y-auto scroll-quiet">
          <div ref={content} className="mx-auto max-w-[46rem] space-y-12 px-4 py-8 sm:px-8">
            {error && <Notice action={<Button onClick={() => refetch()}>Try again</Button>}>{explain(error)}</Notice>}
            {hasNextPage && (
              <Button isBusy={isFetchingNextPage} onClick={() => fetchNextPage()}>
                Show earlier questions
              </Button>
            )}
            {turns.map((turn) => (
              <TurnView
                key={turn.id}
                path={path}
                turn={turn}
                onOpenSource={onOpenSource}
                onAskAgain={onAskAgain}
                isLast={turn === last}
                isEdited={turn.id === editedId}
                onEdit={setEditedId}
              />
            ))}
          </div>
        </div>
        <Announcement turn={turns.at(-1)} agentName={agentName} />
        <div className="relative mx-auto w-full max-w-[46rem] px-3 pb-3 before:pointer-events-none before:absolute before:inset-x-0 before:-top-8 before:h-8 before:bg-linear-to-t before:from-paper sm:px-8 sm:pb-6">
          {isAway && (
            <div className="relative">
              <Button
                icon={ArrowDown}
                onClick={toEnd}
                className="absolute bottom-3 left-1/2 -translate-x-1/2 shadow-raised"
              >
                To the end
              </Button>
            </div>
          )}
          <Composer
            agentId={agentId}
            agentName={agentName}
            onAsk={async (query, more) => send({ query, ...more })}
            onStop={running && (() => stop(running))}
            onEditLast={canEditLast ? () => setEditedId(last.id) : undefined}
          />
        </div>
      </div>
      {source && <SourcePanel citation={source} onClose={() => setOpened(null)} />}
    </div>
  )
}

const saidOf = ({ state, review }: Turn, agentName: string) =>
  state === 'waiting' && review ? `${agentName} waits for you: ${review.text}` : `${agentName} is answering`

/** Tells those who listen that an answer is on its way, and reads it to them once it is whole: not token by token. */
function Announcement({ turn, agentName }: { turn: Turn | undefined; agentName: string }) {
  const seen = useRef(turn?.id)
  const isNew = turn !== undefined && turn.id !== seen.current
  const isComing = turn && turn.state !== 'done' && turn.state !== 'refused'
  return (
    <p aria-live="polite" className="sr-only">
      {isNew && (isComing ? saidOf(turn, agentName) : (turn.error ?? turn.response))}
    </p>
  )
}
