import { type IsNamed, namedHosts } from '../../content/markdown/inert-links/named-hosts.ts'
import type { LanguageModel, ModelMessage } from '../../platform/models/model.ts'
import type { HostPatterns } from '../../platform/outbound/host-patterns.ts'
import type { Logger } from '../../platform/telemetry/logger.ts'
import type { AttachedFile } from '../../retrieval/retrieval.ts'
import type { AgentRecord } from '../agent/agents.store.ts'
import { limitsOf, type RunLimits } from '../agent/limits.ts'
import type { Outputs, RunScope } from '../tools/tool.ts'
import type { Toolbox } from '../tools/toolbox.ts'
import { runLoop } from './agent-loop.ts'
import { type Citation, type CitationBook, createCitationBook } from './citations.ts'
import type { Recall } from './history.ts'
import { type Decision, type ReviewRequest, WaitingForReview } from './review.ts'
import type { RunEvents } from './run-events.ts'
import type { RunState } from './run-state.ts'

export interface RunInput {
  agent: AgentRecord
  run: RunScope
  modelOf: (agent: AgentRecord) => LanguageModel | Promise<LanguageModel>
  recall: Recall
  query: string
  /** Sent with the query. */
  files: AttachedFile[]
  /** Store for the files that tools make. */
  outputs: Outputs
  toolbox: Toolbox
  events: RunEvents
  /** State of a new run, or the stored state of a resumed one; kept up to date, also when the run fails. */
  state: RunState
  /** Decision of the person for whom the run waited. */
  decision?: Decision
  /** Called whenever the state is worth storing. */
  checkpoint: () => void
  signal: AbortSignal
  logger: Logger
  /** Hosts that answers may link to in any case. */
  isLinkHost: HostPatterns
  /** ISO date. */
  today: string
}

/** Parts that an agent and its sub-agents share in a run. */
export interface RunTree extends Omit<RunInput, 'agent' | 'recall' | 'query' | 'files' | 'events' | 'decision'> {
  limits: RunLimits
  citations: CitationBook
  /** Whether answers may link to a host. */
  isNamed: IsNamed
  takeDecision(): Decision
}

export interface RunOutput {
  citations: Citation[]
  /** Set when the run waits for a person; it resumes with its state and the decision. */
  waitsFor?: ReviewRequest
}

/**
 * One run of an agent, with all that the agents do that it calls.
 * @throws ModelError, LimitReachedError, or the signal's reason; events sent before remain valid.
 */
export async function runAgent(input: RunInput): Promise<RunOutput> {
  const { agent, query, files, events, state } = input
  let remembered: ModelMessage[] = []
  const recall: Recall = async (room) => {
    remembered = await input.recall(room)
    return remembered
  }
  const citations = createCitationBook(state.citations)
  let { decision } = input
  const tree: RunTree = {
    ...input,
    limits: limitsOf(agent.limits),
    citations,
    isNamed: namedHosts({
      texts: () => [agent.instructions, query, ...[...remembered, ...state.loop.turns].flatMap(wordsOfPerson)],
      patterns: input.isLinkHost,
    }),
    takeDecision() {
      if (!decision) throw new Error('A run was taken up that nobody has decided about')
      const taken = decision
      decision = undefined
      return taken
    },
  }
  try {
    const task = { agent, path: [agent.id], recall, query, files, events }
    const text = await runLoop(tree, task, state.loop)
    return { citations: citations.citedIn(text) }
  } catch (error) {
    if (!(error instanceof WaitingForReview)) throw error
    return { citations: [], waitsFor: error.request }
  }
}

/** Texts that a person wrote, as opposed to those found, read or said by a model. */
function wordsOfPerson(message: ModelMessage): string[] {
  if (message.role === 'user') return [message.question ?? message.content]
  return message.role === 'tool' && message.toolName === 'ask_person' ? [message.content] : []
}
