import type { Agent } from '@docent/sdk'
import { t } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'
import { useQuery } from '@tanstack/react-query'
import { docent } from '../../access/access.ts'
import { type ChatPath, ExampleQuestions, type Turn } from '../../chats/chats.ts'
import { formatDollars, formatNumber } from '../../platform/format.ts'
import { SideChat } from './side-chat.tsx'

interface PlaygroundProps {
  agent: Agent
  isUnsaved: boolean
}

/** Chat to try the saved agent. */
export const Playground = ({ agent, isUnsaved }: PlaygroundProps) => (
  <SideChat
    side="try"
    agent={agent}
    name={agent.name}
    chatType="playground"
    hint={isUnsaved && t`This tries the agent as it is saved: save to try your changes.`}
    begin={(ask) => (
      <div className="mx-auto max-w-md text-center">
        <h2 className="font-display text-2xl leading-tight">
          <Trans>Try it</Trans>
        </h2>
        <p className="mt-2 text-muted text-pretty">
          <Trans>
            Ask what people will ask. You see each tool that it uses, and what the answer took. These chats stay out of
            the list of chats.
          </Trans>
        </p>
        {agent.knowledge_base_ids.length > 0 && <ExampleQuestions folderIds={agent.knowledge_base_ids} onAsk={ask} />}
      </div>
    )}
    after={(turn, path) => turn.state === 'done' && <AnswerCost path={path} turn={turn} />}
  />
)

/** Cost of an answer: model, tokens and price. */
function AnswerCost({ path: { agentId, chatId }, turn }: { path: ChatPath; turn: Turn }) {
  const { data } = useQuery({
    queryKey: ['message-usage', turn.id],
    queryFn: () => docent().chats.messages.get(agentId, chatId, turn.id, { usage: true }),
    staleTime: Number.POSITIVE_INFINITY,
  })
  const usage = data?.usage
  if (!usage) return null
  const { input_tokens, cached_input_tokens, output_tokens, cost_usd, model } = usage
  const facts = [
    model,
    t`${formatNumber(input_tokens)} tokens read${cached_input_tokens > 0 ? t` (${formatNumber(cached_input_tokens)} cached)` : ''}`,
    t`${formatNumber(output_tokens)} written`,
    cost_usd !== null && formatDollars(cost_usd),
  ]
  return <p className="text-sm text-muted wrap-anywhere">{facts.filter(Boolean).join(' · ')}</p>
}
