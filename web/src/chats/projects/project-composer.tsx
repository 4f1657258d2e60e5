import type { Project } from '@docent/sdk'
import { t } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'
import { Link, useNavigate } from '@tanstack/react-router'
import { useId, useState } from 'react'
import { useAgents } from '../../agents/agents.ts'
import { explain } from '../../platform/errors.ts'
import { shorten } from '../../platform/format.ts'
import { buttonClass } from '../../ui/controls/button.tsx'
import { Select } from '../../ui/fields/choice.tsx'
import { Notice } from '../../ui/notices/notice.tsx'
import { unawaited } from '../../ui/unawaited.ts'
import type { Ask } from '../answers/live-answer.ts'
import { ask } from '../answers/live-answers.ts'
import { createChat } from '../chats.queries.ts'
import { Composer } from '../composer/composer.tsx'
import { lastAgentId } from '../start/last-agent.ts'
import { changeProject } from './projects.queries.ts'

const TITLE_LENGTH = 60

/** Box for the first question of a new chat in a project, and the agent that answers. */
export function ProjectComposer({ project }: { project: Project }) {
  const { data: agents } = useAgents()
  const [chosenId, setChosenId] = useState<string | null>(null)
  const [problem, setProblem] = useState<string | null>(null)
  const selectId = useId()
  const navigate = useNavigate()
  if (!agents) return null
  const agent =
    [chosenId, project.agent_id, lastAgentId()]
      .map((wanted) => agents.find(({ id }) => id === wanted))
      .find((one) => one !== undefined) ?? agents[0]
  if (!agent)
    return (
      <p className="text-muted">
        <Trans>An agent answers the questions of a project, and there is none yet.</Trans>{' '}
        <Link to="/agents" className={buttonClass('secondary')}>
          <Trans>Agents</Trans>
        </Link>
      </p>
    )
  const agentId = agent.id

  /** The agent stays the project's for everybody, as far as the person may change that. */
  function choose(id: string) {
    setChosenId(id)
    if (project.can_change) unawaited(changeProject(project.id, { agent_id: id }))
  }
  async function begin(query: string, more: Omit<Ask, 'query'> = {}) {
    setProblem(null)
    try {
      const chat = await createChat(agentId, shorten(query, TITLE_LENGTH), { projectId: project.id })
      const path = { agentId, chatId: chat.id }
      ask(path, { query, ...more })
      await navigate({ to: '/chat/$agentId/$chatId', params: path })
    } catch (error) {
      setProblem(explain(error))
      throw error
    }
  }

  return (
    <section aria-label={t`New chat`} data-takes-files>
      <div className="mb-2 flex items-center gap-2 text-sm text-muted">
        <label htmlFor={selectId} className="shrink-0">
          <Trans>Answers come from</Trans>
        </label>
        <Select
          id={selectId}
          value={agentId}
          onChange={({ target }) => choose(target.value)}
          className="w-auto min-w-0 max-w-56"
        >
          {agents.map(({ id, name }) => (
            <option key={id} value={id}>
              {name}
            </option>
          ))}
        </Select>
      </div>
      {problem && <Notice className="mb-3">{problem}</Notice>}
      <Composer
        key={agentId}
        draftKey={`project ${project.id}`}
        agentId={agentId}
        agentName={agent.name}
        isEager={false}
        onAsk={begin}
      />
    </section>
  )
}
