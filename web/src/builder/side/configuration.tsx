import type { Agent } from '@docent/sdk'
import { t } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'
import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { useModels } from '../../agents/agents.ts'
import { type ChatPath, readSteps, type Turn } from '../../chats/chats.ts'
import { buttonClass } from '../../ui/controls/button.tsx'
import { ChevronRight } from '../../ui/icons.ts'
import { proposalsIn } from '../proposals/proposal.ts'
import { ProposalCard } from '../proposals/proposal-card.tsx'
import { SideChat } from './side-chat.tsx'

interface ConfigurationProps {
  agent: Agent
  isUnsaved: boolean
}

const BEGINNINGS = [
  t`Help me to write the instructions: ask me what you need to know.`,
  t`Which folders and tools should this agent have?`,
  t`Suggest shortcuts for what people will ask most.`,
]

const UNSAVED = t`Save or discard your changes first: proposals build on what is saved.`

/** Configuration chat: it proposes changes, and the person applies them. */
export function Configuration({ agent, isUnsaved }: ConfigurationProps) {
  const { data: models } = useModels()
  const model = agent.model ?? models?.default_model
  if (model?.startsWith('builtin/')) return <CannotConverse agentId={agent.id} model={model} />
  const lockReason = isUnsaved ? UNSAVED : null
  return (
    <SideChat
      side="configure"
      agent={agent}
      name={t`the assistant`}
      chatType="configuration"
      hint={lockReason ?? t`Proposes changes; you apply them.`}
      begin={(ask) => (
        <div className="mx-auto max-w-md text-center">
          <h2 className="font-display text-2xl leading-tight">
            <Trans>Set it up by talking</Trans>
          </h2>
          <p className="mt-2 text-muted text-pretty">
            <Trans>
              Say what the agent is for. The assistant asks back, and proposes instructions, folders, tools, jobs and
              shortcuts. Nothing changes until you apply it.
            </Trans>
          </p>
          <ul aria-label={t`Ways to begin`} className="mt-6 divide-y divide-line text-start">
            {BEGINNINGS.map((text) => (
              <li key={text}>
                <button
                  type="button"
                  onClick={() => ask(text)}
                  className="group flex w-full items-center justify-between gap-3 px-1.5 py-2.5 text-start text-muted transition-colors hover:text-ink"
                >
                  {text}
                  <ChevronRight size={15} className="shrink-0" aria-hidden />
                </button>
              </li>
            ))}
          </ul>
        </div>
      )}
      after={(turn, path) => <Proposals agent={agent} turn={turn} path={path} lockReason={lockReason} />}
    />
  )
}

interface ProposalsProps {
  agent: Agent
  turn: Turn
  path: ChatPath
  lockReason: string | null
}

/** Proposals of one answer. For answers from the history they are read from the run's events. */
function Proposals({ agent, turn, path, lockReason }: ProposalsProps) {
  const { data } = useQuery({
    queryKey: ['steps', turn.id],
    queryFn: ({ signal }) => readSteps(path, turn.id, signal),
    staleTime: Number.POSITIVE_INFINITY,
    enabled: turn.state === 'done' && !turn.hasAllSteps,
  })
  return proposalsIn(turn.hasAllSteps ? turn.steps : (data ?? [])).map((proposal, index) => {
    const id = `${turn.id} ${index}`
    return <ProposalCard key={id} id={id} agent={agent} proposal={proposal} lockReason={lockReason} />
  })
}

const CannotConverse = ({ agentId, model }: { agentId: string; model: string }) => (
  <div className="mx-auto max-w-md px-4 py-10 text-center">
    <h2 className="font-display text-2xl leading-tight">
      <Trans>This needs a model that converses</Trans>
    </h2>
    <p className="mt-2 mb-5 text-muted text-pretty">
      <Trans>
        The agent’s model, <code className="font-mono text-sm">{model}</code>, quotes documents and writes no texts of
        its own. Choose another model for the agent, or ask the operator of this server to set one up.
      </Trans>
    </p>
    <Link to="/agents/$agentId" params={{ agentId }} search={{ part: 'basics' }} className={buttonClass('secondary')}>
      <Trans>Choose a model</Trans>
    </Link>
  </div>
)
