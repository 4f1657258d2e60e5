import { t } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'
import { Link, useParams, useSearch } from '@tanstack/react-router'
import { useEffect, useState } from 'react'
import { AgentFace, AgentProblem, useAgent } from '../../agents/agents.ts'
import { isMissing } from '../../platform/errors.ts'
import { withMessages } from '../../platform/language.ts'
import { cx } from '../../ui/class-names.ts'
import { buttonClass } from '../../ui/controls/button.tsx'
import { later } from '../../ui/later.tsx'
import { PageHeader } from '../../ui/layout/page-header.tsx'
import { LoadProblem } from '../../ui/notices/load-problem.tsx'
import { type Ask, isOnItsWay } from '../answers/live-answer.ts'
import { ask, stop } from '../answers/live-answers.ts'
import { useStopKey } from '../answers/use-stop-key.ts'
import { type ChatPath, useChat } from '../chats.queries.ts'
import { Composer } from '../composer/composer.tsx'
import { OfflineNote } from '../composer/later-notes.ts'
import { useModelChoice } from '../models/use-model-choice.ts'
import { SourcePanel } from '../sources/source-panel.tsx'
import { rememberAgent } from '../start/last-agent.ts'
import { Announcement } from '../turns/thread/announcement.tsx'
import { ThreadColumn } from '../turns/thread/thread-column.tsx'
import { useThread } from '../turns/thread/use-thread.ts'
import { useShownMessage } from '../turns/use-shown-message.ts'
import { ChatMenu } from './chat-menu.tsx'
import { ChatModel } from './chat-model.tsx'
import { ReadersNote } from './readers-note.tsx'
import { ToEndButton } from './to-end-button.tsx'

const InProject = later(async () => (await withMessages('projects', () => import('../projects.pages.ts'))).InProject)

/** Chat: its questions and answers, the open passage, and the composer. */
export function ChatView() {
  const { agentId = '', chatId = '' } = useParams({ strict: false })
  const { error: agentError, refetch: refetchAgent } = useAgent(agentId)
  const { error: chatError, refetch: refetchChat } = useChat({ agentId, chatId })
  if (isMissing(agentError)) return <AgentProblem error={agentError} onRetry={refetchAgent} />
  if (isMissing(chatError))
    return (
      <>
        <PageHeader title={t`Chat`} />
        <LoadProblem
          error={chatError}
          title={t`This chat is not here`}
          way={
            <Link to="/chat/$agentId" params={{ agentId }} className={buttonClass('primary')}>
              <Trans>New chat</Trans>
            </Link>
          }
          onRetry={refetchChat}
        />
      </>
    )
  return <OpenChat key={chatId} agentId={agentId} chatId={chatId} />
}

function OpenChat({ agentId, chatId }: ChatPath) {
  const thread = useThread({ agentId, chatId })
  const { path, answers, turns, source, closeSource, isScrolledUp, toEnd, toQuestion } = thread
  useShownMessage(thread, useSearch({ strict: false, select: ({ message }) => message }))
  const { data: agent } = useAgent(agentId)
  const { data: chat } = useChat(path)
  const [chosen, setChosen] = useState<string | null>()
  const [editedId, setEditedId] = useState<string | null>(null)
  useEffect(() => rememberAgent(agentId), [agentId])

  const choice = useModelChoice(agentId)
  // A chat continues with the model that it was last asked with.
  const model = chosen === undefined ? (turns.at(-1)?.model ?? null) : chosen
  const send = (question: Ask) => {
    toQuestion()
    ask(path, { ...question, model: choice ? model : null })
  }
  // An answer that waits for a person does not block further questions.
  const running = answers.find(isOnItsWay)
  useStopKey(running && (() => stop(running)))

  const last = turns.at(-1)
  const canEditLast = last && !last.shortcut && (last.state === 'done' || last.state === 'refused')
  const agentName = agent?.name ?? t`the agent`
  // A title made of the first question would repeat what is below it.
  const isSaidBelow = chat !== undefined && turns[0]?.query.startsWith(chat.title.replace(/…$/, ''))
  return (
    <div data-takes-files className="flex min-h-0 flex-1">
      <div className="relative flex min-w-0 flex-1 flex-col">
        <PageHeader
          title={chat?.title ?? t`Chat`}
          actions={
            chat && (
              <>
                {choice && <ChatModel choice={choice} model={model} onChoose={setChosen} />}
                <ChatMenu chat={chat} isOpen />
              </>
            )
          }
        >
          <div className="flex min-w-0 flex-1 items-center gap-2.5">
            {agent && <AgentFace agent={agent} />}
            <p dir="auto" className={cx('font-medium', isSaidBelow ? 'min-w-0 truncate' : 'shrink-0 max-sm:hidden')}>
              {agent?.name}
            </p>
            <h1 dir="auto" className={isSaidBelow ? 'sr-only' : 'min-w-0 truncate font-medium text-muted'}>
              {chat?.title}
            </h1>
            {chat?.project_id && <InProject projectId={chat.project_id} />}
          </div>
        </PageHeader>
        <ThreadColumn
          thread={thread}
          className="mx-auto max-w-[46rem] space-y-12 px-4 py-8 sm:px-8"
          slot={(turn) => ({ isLast: turn === last, isEdited: turn.id === editedId, onEdit: setEditedId })}
        />
        <Announcement turn={last} agentName={agentName} />
        <div className="relative mx-auto w-full max-w-[46rem] px-3 pb-3 before:pointer-events-none before:absolute before:inset-x-0 before:-top-8 before:h-8 before:bg-linear-to-t before:from-paper sm:px-8 sm:pb-6">
          {isScrolledUp && <ToEndButton onClick={toEnd} />}
          <Composer
            draftKey={chatId}
            agentId={agentId}
            model={choice ? model : null}
            agentName={agentName}
            onAsk={async (query, more) => send({ query, ...more })}
            onStop={running && (() => stop(running))}
            onEditLast={canEditLast ? () => setEditedId(last.id) : undefined}
          />
          {/* In the room below the box, which would otherwise move when it is known. */}
          <div className="sm:-mb-5 sm:min-h-5">
            <OfflineNote agentId={agentId} model={choice ? model : null} />
            <ReadersNote agentId={agentId} />
          </div>
        </div>
      </div>
      {source && <SourcePanel citation={source} answer={thread.answer} onClose={closeSource} />}
    </div>
  )
}
