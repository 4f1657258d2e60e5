import type { Caller } from '../../access/access.ts'
import {
  type AgentRecord,
  LimitReachedError,
  limitsOf,
  listedPriceOf,
  newRunState,
  type Outputs,
  runAgent,
  type Spent,
  type Toolbox,
  totalOf,
} from '../../agents/agents.ts'
import type { KernelParts } from '../../kernel-parts.ts'
import { isoNow } from '../../platform/clock.ts'
import { DomainError } from '../../platform/errors.ts'
import type { LanguageModel, ModelUsage } from '../../platform/models/model.ts'
import type { Models } from '../../platform/models/models.ts'
import type { HostPatterns } from '../../platform/outbound/host-patterns.ts'
import { type Judgement, judge } from '../measures/judge.ts'
import { measure } from '../measures/measures.ts'
import { findAgain } from '../sets/current-files.ts'
import type { Outcome } from './outcome.ts'
import type { AskedCase, ResultRecord, RunRecord } from './runs.store.ts'

export interface AnswerCaseOptions extends Pick<KernelParts, 'clock' | 'db' | 'logger'> {
  models: Models
  toolbox: Toolbox
  /** Hosts that answers may link to in any case. */
  isLinkHost: HostPatterns
}

export interface AnsweredCase {
  outcome: Outcome
  used: Spent[]
}

/** Passages of a result that are kept, and characters of each. */
const MOST_FOUND = 10
const MOST_OF_PASSAGE = 1_000
const MOST_OF_ANSWER = 50_000

const NEEDS_PERSON = 'The agent asked a person, and nobody answers in an evaluation'

/** The run of a case, and who asks whom. */
export interface CaseSetting {
  run: RunRecord
  /** Starter of the run, with the rights of now. */
  starter: Caller
  agent: AgentRecord
  judgeModel: LanguageModel | undefined
}

/**
 * Answers a case as a question of the one who started the run would be answered, with their rights, and measures the
 * answer. A failure of the agent is an outcome.
 * @throws the signal's reason
 */
export async function answerCase(
  options: AnswerCaseOptions,
  { run, starter, agent, judgeModel }: CaseSetting,
  { caseId, asked }: ResultRecord,
  signal: AbortSignal,
): Promise<AnsweredCase> {
  const { db, logger } = options
  const state = newRunState()
  const begun = performance.now()
  let text = ''
  let model: LanguageModel | undefined
  let answered: Awaited<ReturnType<typeof runAgent>> | undefined
  let errorMessage: string | null = null
  try {
    answered = await withinTime(agent, signal, (limited) =>
      ask(
        options,
        { run, starter, agent, caseId, question: asked.question, state, signal: limited },
        {
          onText: (more) => {
            text += more
          },
          onModel: (one) => {
            model ??= one
          },
        },
      ),
    )
    if (answered.waitsFor) errorMessage = NEEDS_PERSON
  } catch (error) {
    signal.throwIfAborted()
    if (!(error instanceof DomainError)) logger.error({ err: error }, 'a case of an evaluation failed')
    errorMessage =
      error instanceof DomainError ? error.message : 'The agent failed; the log of the server has the reason'
  }
  const latencyMs = Math.round(performance.now() - begun)
  const judged = errorMessage === null && judgeModel ? await tryJudge(judgeModel, asked, text, signal) : undefined
  const used: Spent[] = [...state.spent]
  if (judged?.usage) {
    used.push({ agentId: agent.id, model: judgeModel!.id, usage: judged.usage, ...listedPriceOf(judgeModel!) })
  }
  const citations = answered?.citations ?? []
  const files = await findAgain(db, starter, agent.knowledgeBaseIds, asked.expectedFiles)
  const expected = files.map(({ id, passage }) => ({ id, passage }))
  const measures =
    errorMessage === null
      ? measure(
          { ...asked, expected },
          {
            text,
            found: state.citations,
            citedIds: citations.map(({ data_source_id }) => data_source_id),
            hasDocuments: agent.knowledgeBaseIds.length > 0,
            judged: judged?.judgement,
          },
        )
      : null
  const total = totalOf(used)
  const outcome: Outcome = {
    answer: text.slice(0, MOST_OF_ANSWER).toWellFormed(),
    errorMessage,
    citations: citations.slice(0, MOST_FOUND).map((one) => ({ ...one, text: cut(one.text) })),
    found: state.citations.slice(0, MOST_FOUND).map(({ data_source_id, title, location, text: words }) => ({
      data_source_id,
      title,
      location,
      text: cut(words),
    })),
    expected,
    measures,
    judgement: judged?.judgement ?? null,
    judgeError: judged?.error ?? null,
    model: model?.id ?? agent.model,
    latencyMs,
    inputTokens: total.inputTokens,
    outputTokens: total.outputTokens,
    costMicros: null,
  }
  return { outcome, used }
}

const cut = (text: string): string => text.slice(0, MOST_OF_PASSAGE).toWellFormed()

interface Asking extends Pick<CaseSetting, 'run' | 'starter'> {
  agent: AgentRecord
  caseId: string
  question: string
  state: ReturnType<typeof newRunState>
  signal: AbortSignal
}

function ask(
  { clock, models, toolbox, logger, isLinkHost }: AnswerCaseOptions,
  { run, starter, agent, caseId, question, state, signal }: Asking,
  { onText, onModel }: { onText(text: string): void; onModel(model: LanguageModel): void },
) {
  return runAgent({
    agent,
    // Without a virtual user, nothing that is remembered of people is read or written.
    run: {
      organizationId: run.organizationId,
      workspaceId: run.workspaceId,
      chatId: run.id,
      messageId: caseId,
      virtualUserId: null,
      rightsHolderId: starter.rightsHolderId,
    },
    modelOf: async (one) => {
      const model = await models.resolveFor(one)
      onModel(model)
      return model
    },
    recall: async () => [],
    query: question,
    files: [],
    outputs: keptInMemory(),
    toolbox,
    events: {
      reasoning() {},
      endReasoning() {},
      response: (texts) => onText(texts.join('')),
      toolCallStart() {},
      toolCallResult() {},
      toolCallEnd() {},
    },
    state,
    checkpoint() {},
    signal,
    logger,
    isLinkHost,
    today: isoNow(clock).slice(0, 10),
  })
}

/** Files that tools make in an evaluation: read by later calls of the same case, and gone with it. */
function keptInMemory(): Outputs {
  const made: { fileName: string; mediaType: string; content: Buffer }[] = []
  return {
    count: () => made.length,
    async add(file) {
      made.push(file)
      return { key: `file_${made.length}` }
    },
    read: async (fileName) => made.findLast((file) => file.fileName === fileName),
  }
}

/** Gives a case the time that the agent has for an answer. */
async function withinTime<R>(agent: AgentRecord, signal: AbortSignal, work: (limited: AbortSignal) => Promise<R>) {
  const { maxSeconds } = limitsOf(agent.limits)
  const limit = new AbortController()
  const timer = setTimeout(() => limit.abort(new LimitReachedError('max_seconds', maxSeconds)), maxSeconds * 1000)
  try {
    return await work(AbortSignal.any([signal, limit.signal]))
  } finally {
    clearTimeout(timer)
  }
}

/** The answer stays where its judge fails. */
async function tryJudge(
  model: LanguageModel,
  asked: AskedCase,
  answer: string,
  signal: AbortSignal,
): Promise<{ judgement?: Judgement | undefined; usage?: ModelUsage; error: string | null }> {
  try {
    const { judgement, usage } = await judge(model, { ...asked, answer }, signal)
    return { judgement, usage, error: judgement ? null : 'The judge gave no grade that can be read' }
  } catch (error) {
    signal.throwIfAborted()
    if (!(error instanceof DomainError)) throw error
    return { error: error.message }
  }
}
