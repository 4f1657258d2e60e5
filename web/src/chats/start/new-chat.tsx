import type { Agent } from '@docent/sdk'
import { t } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'
import { Link, useNavigate, useParams } from '@tanstack/react-router'
import { useEffect, useState } from 'react'
import { AgentProblem, useAgent, useCanChange } from '../../agents/agents.ts'
import { explain } from '../../platform/errors.ts'
import { shorten } from '../../platform/format.ts'
import { buttonClass } from '../../ui/controls/button.tsx'
import { Notice } from '../../ui/notices/notice.tsx'
import type { Ask } from '../answers/live-answer.ts'
import { ask } from '../answers/live-answers.ts'
import { ReadersNote } from '../chat/readers-note.tsx'
import { createChat } from '../chats.queries.ts'
import { Composer } from '../composer/composer.tsx'
import { OfflineNote } from '../composer/later-notes.ts'
import { preloadMarkdown } from '../text/rich-text.tsx'
import { ExampleQuestions } from './example-questions.tsx'
import { rememberAgent } from './last-agent.ts'

const TITLE_LENGTH = 60

/** Start of a chat: the agent, and example questions. */
export function NewChat() {
  const { agentId = '' } = useParams({ strict: false })
  const { data: agent, error, refetch } = useAgent(agentId)
  const [problem, setProblem] = useState<string | null>(null)
  const navigate = useNavigate()
  useEffect(() => rememberAgent(agentId), [agentId])

  async function begin(query: string, more: Omit<Ask, 'query'> = {}) {
    setProblem(null)
    try {
      const chat = await createChat(agentId, shorten(query, TITLE_LENGTH))
      const path = { agentId, chatId: chat.id }
      ask(path, { query, ...more })
      await navigate({ to: '/chat/$agentId/$chatId', params: path })
    } catch (error) {
      setProblem(explain(error))
      throw error
    }
  }

  if (error) return <AgentProblem error={error} onRetry={refetch} />
  if (!agent) return null
  return (
    // People who write or reach for a question soon read an answer.
    <div
      data-takes-files
      className="min-h-0 flex-1 overflow-y-auto scroll-quiet"
      onInput={preloadMarkdown}
      onPointerDown={preloadMarkdown}
    >
      <title>{`${agent.name} · Docent`}</title>
      <div className="mx-auto flex min-h-full max-w-2xl flex-col justify-center px-4 py-10 sm:px-6 sm:pb-[16vh]">
        <h1 className="text-center font-display text-[clamp(2.1rem,5vw,3rem)] leading-[1.08] text-balance">
          <Trans>What would you like to know?</Trans>
        </h1>
        <p className="mx-auto mt-3 mb-8 max-w-lg text-center text-muted text-pretty">
          <strong className="font-semibold text-ink">
            <bdi>{agent.name}</bdi>
          </strong>
          {agent.description ? (
            <>
              : <bdi>{agent.description}</bdi>
            </>
          ) : (
            USUAL[agent.knowledge_base_ids.length > 0 ? 'folders' : 'none']
          )}
        </p>
        {problem && <Notice className="mb-3">{problem}</Notice>}
        <Composer
          key={agentId}
          hasCards
          draftKey={`new ${agentId}`}
          agentId={agentId}
          agentName={agent.name}
          onAsk={begin}
        />
        <div className="min-h-6">
          <OfflineNote agentId={agentId} />
        </div>
        <ReadersNote agentId={agentId} />
        {agent.knowledge_base_ids.length > 0 ? (
          <ExampleQuestions folderIds={agent.knowledge_base_ids} onAsk={(query) => begin(query).catch(() => {})} />
        ) : (
          <NoFolders agent={agent} />
        )}
      </div>
    </div>
  )
}

/** Default description of an agent, with and without folders. */
const USUAL = {
  folders: t` answers from its folders, with the passages it used.`,
  none: t` answers without folders, from what you write and attach.`,
}

/** Hint for people who can give the agent folders; it may do without on purpose. */
function NoFolders({ agent }: { agent: Agent }) {
  if (!useCanChange(agent)) return null
  return (
    <div className="mt-6 flex flex-wrap items-center justify-center gap-3 text-muted">
      <Trans>
        This agent has no folders to answer from.
        <Link
          to="/agents/$agentId"
          params={{ agentId: agent.id }}
          search={{ part: 'knowledge' }}
          className={buttonClass('secondary')}
        >
          Choose folders
        </Link>
      </Trans>
    </div>
  )
}
