import {
  type AgentRecord,
  type Citation,
  LimitReachedError,
  limitsOf,
  newRunState,
  type Outputs,
  type ReviewRequest,
  type RunOutput,
  type RunState,
  runAgent,
  type Toolbox,
} from '../../agents/agents.ts'
import type { KernelParts } from '../../kernel-parts.ts'
import { isoNow } from '../../platform/clock.ts'
import { DatabaseAwayError, isDatabaseAway } from '../../platform/database/away-errors.ts'
import { patiently, untilThere } from '../../platform/database/patience.ts'
import { DomainError } from '../../platform/errors.ts'
import type { LanguageModel } from '../../platform/models/model.ts'
import type { Models } from '../../platform/models/models.ts'
import type { HostPatterns } from '../../platform/outbound/host-patterns.ts'
import type { InProject } from '../../projects/projects.ts'
import type { ChatMemoryService } from '../memory/memory.service.ts'
import type { Recollection } from '../memory/recall.ts'
import type { Remembered } from '../memory/turns.store.ts'
import type { OutputService } from '../outputs/outputs.service.ts'
import { toReview } from '../reviews/reviews.wire.ts'
import type { ChatTitles } from '../titles/titles.service.ts'
import type { ChatMaterial } from './chat-material.ts'
import { type Given, withGiven } from './given.ts'
import { isDurable } from './modes.ts'
import type { Run } from './run.ts'
import type { LogEntry } from './run-log.ts'
import { CancelledError, InterruptedError } from './runs.errors.ts'
import type { RunMetrics } from './runs.metrics.ts'
import type { StoreProgressOf } from './stored/progress.ts'
import type { Ending, RunStore, RunTarget } from './stored/run-store.ts'
import type { StoredRun } from './stored/stored-run.ts'

/** `answerMessage` with its dependencies. */
export type AnswerMessage = (run: Run, task: AnswerTask) => Promise<void>

export interface AnswerTask {
  target: RunTarget
  agent: AgentRecord
  query: string
  /** Whether the chat has any files; to look for some that are not there does no harm. */
  hasFiles: boolean
  /** Project that the chat is in. */
  projectId: string | null
  /** Memory of the chat, if it was read when the message was accepted. */
  remembered?: Remembered | undefined
  /** Whether the chat may have branches, so that this is to be looked up. */
  mayBranch: boolean
  given?: Given | undefined
  /** State to resume from. */
  stored?: StoredRun
}

export interface AnswerMessageOptions extends Pick<KernelParts, 'clock' | 'logger'> {
  models: Models
  toolbox: Toolbox
  outputs: OutputService
  inProject: InProject
  material: ChatMaterial
  memory: Pick<ChatMemoryService, 'recall' | 'recallGiven' | 'isDueAfter' | 'afterAnswer'>
  titles: Pick<ChatTitles, 'isWanted' | 'afterFirstAnswer'>
  store: RunStore
  storeProgressOf: StoreProgressOf
  metrics: RunMetrics
  /** Hosts that answers may link to in any case. */
  isLinkHost: HostPatterns
}

/** Time that a connected client waits for its answer while the database is away, before the message fails. */
const AWAY_PATIENCE_MS = 60_000
/** How a run ends whose end cannot be written, for as long as that is so. */
export const NOT_STORED = 'The answer could not be stored; send the query again'

/** Answers one message to its end or to a review, and stores that. Never throws: what goes wrong is its `error_message`. */
export const answerMessage = (options: AnswerMessageOptions, run: Run, task: AnswerTask): Promise<void> =>
  new Answering(options, run, task).runToEnd()

/** One message that is being answered: the run, and what becomes of it beside what it says and shows. */
class Answering {
  readonly #options: AnswerMessageOptions
  readonly #run: Run
  readonly #task: AnswerTask
  readonly #state: RunState
  readonly #made: Outputs
  readonly #given: Given | undefined
  #decision: StoredRun['decision']
  #hasState: boolean
  #citations: Citation[] = []
  #recollection: Recollection | undefined
  #model: LanguageModel | undefined
  #needsTitle = false

  constructor(options: AnswerMessageOptions, run: Run, task: AnswerTask) {
    const { target, stored } = task
    this.#options = options
    this.#run = run
    this.#task = task
    this.#state = stored?.agents ?? newRunState()
    this.#made = options.outputs.of(target.organizationId, target.messageId, stored?.outputCount ?? 0)
    this.#given = task.given ?? stored?.given
    this.#decision = stored?.decision
    this.#hasState = stored !== undefined
  }

  async runToEnd(): Promise<void> {
    const { agent, target, stored } = this.#task
    const { metrics, storeProgressOf } = this.#options
    const run = this.#run
    const { maxSeconds } = limitsOf(agent.limits)
    const timeLeftMs = maxSeconds * 1000 - (stored?.activeMs ?? 0)
    const timer = setTimeout(() => run.cancel(new LimitReachedError('max_seconds', maxSeconds)), timeLeftMs)
    const stopProgress = storeProgressOf(run, target)
    const ended = metrics.begin()
    let waitsFor: ReviewRequest | undefined
    let errorMessage: string | null = null
    try {
      run.signal.throwIfAborted()
      const output = await this.#whileDatabaseIsAway(() => this.#runAgent())
      this.#citations = output.citations
      waitsFor = output.waitsFor
      ended(waitsFor ? 'waiting' : 'completed')
    } catch (error) {
      ended({ error })
      errorMessage = this.#reasonOf(error)
    }
    clearTimeout(timer)
    stopProgress()
    if (waitsFor) await this.#suspend(waitsFor)
    else await this.#end(errorMessage)
  }

  async #runAgent(): Promise<RunOutput> {
    const { clock, toolbox, material, memory, titles, inProject, isLinkHost, logger } = this.#options
    const { target, agent, query, hasFiles, projectId } = this.#task
    const { events, signal } = this.#run
    const ancestors = this.#task.mayBranch ? await material.ancestors(target) : undefined
    return runAgent({
      agent: withGiven(await inProject(target, projectId, agent), this.#given),
      run: target,
      modelOf: (one) => this.#findModel(one),
      recall: async (room) => {
        if (this.#given?.history) return memory.recallGiven(this.#given.history, room)
        // For a second look it is no longer new.
        const remembered = this.#recollection ? undefined : this.#task.remembered
        this.#recollection = await memory.recall({ ...target, ancestors }, room, remembered)
        const isFirst = this.#recollection.messages.length === 0
        this.#needsTitle = isFirst && (await titles.isWanted(agent))
        return this.#recollection.messages
      },
      query,
      files: hasFiles ? await material.files({ ...target, ownFiles: this.#given?.ownFiles }, ancestors, signal) : [],
      outputs: this.#made,
      toolbox,
      events,
      state: this.#state,
      decision: this.#decision,
      checkpoint: () => this.#checkpoint(),
      signal,
      logger,
      isLinkHost,
      today: isoNow(clock).slice(0, 10),
    })
  }

  /** The agent that was asked comes first, then those that it calls. */
  async #findModel(agent: AgentRecord): Promise<LanguageModel> {
    const model = await this.#options.models.resolveFor(agent)
    this.#model ??= model
    return model
  }

  /** A run that nobody waits for at a connection waits for as long as it may take. */
  #whileDatabaseIsAway<R>(step: () => Promise<R>): Promise<R> {
    const ms = isDurable(this.#task.target.mode) ? undefined : AWAY_PATIENCE_MS
    return patiently({ signal: this.#run.signal, ms }, () => untilThere(step))
  }

  async #end(errorMessage: string | null): Promise<void> {
    const { store } = this.#options
    const { target } = this.#task
    const log = this.#run.seal(errorMessage, this.#citations)
    // A message that another process continues stays as it is, in progress.
    const isTakenUpAgain = isDurable(target.mode) && this.#run.signal.reason instanceof InterruptedError
    const ending = { ...this.#endingWith(errorMessage, log), after: this.#rememberAfter() }
    this.#finish(isTakenUpAgain ? await store.release(target) : await store.end(target, ending))
  }

  async #suspend(request: ReviewRequest): Promise<void> {
    const { store } = this.#options
    const { target } = this.#task
    const review = store.reviewOf(target, request)
    this.#decision = undefined
    const log = this.#run.sealWaiting(toReview(review))
    this.#finish(await store.suspend(target, this.#storedRun(log), review))
  }

  #finish(isStored: boolean): void {
    this.#run.finish(isStored ? undefined : NOT_STORED)
    if (!isStored) this.#options.store.endLater(this.#task.target, this.#endingWith(NOT_STORED, [...this.#run.log]))
  }

  #endingWith(errorMessage: string | null, log: LogEntry[]): Ending {
    const { response, reasoning } = this.#run
    return {
      response,
      reasoning,
      errorMessage,
      citations: this.#citations,
      log,
      outputCount: this.#made.count(),
      model: this.#model?.id ?? this.#task.agent.model ?? this.#options.models.defaultModelId,
      spent: this.#state.spent,
      hasState: this.#hasState,
    }
  }

  /** Writes of the chat's memory and the order of a title together with the answer; mostly none. */
  #rememberAfter(): Ending['after'] {
    const { memory, titles } = this.#options
    const { target, query } = this.#task
    const known = this.#recollection
    const answered = { query, response: this.#run.response }
    if (!known || answered.response === '') return undefined
    const isDue = !this.#model?.onlyQuotes && memory.isDueAfter(target.chatId, known, answered)
    if (!isDue && !this.#needsTitle) return undefined
    return async (tx) => {
      if (isDue) await memory.afterAnswer(tx, target, known, answered)
      if (this.#needsTitle) await titles.afterFirstAnswer(tx, target)
    }
  }

  #checkpoint(): void {
    this.#hasState = true
    this.#decision = undefined
    this.#options.store.checkpoint(this.#task.target, this.#storedRun([...this.#run.log]))
  }

  #storedRun(log: StoredRun['log']): StoredRun {
    const { response, reasoning, activeMs } = this.#run
    return {
      agents: this.#state,
      log,
      response,
      reasoning,
      outputCount: this.#made.count(),
      activeMs,
      decision: this.#decision,
      given: this.#given,
    }
  }

  #reasonOf(error: unknown): string {
    if (isDatabaseAway(error)) return new DatabaseAwayError(error).message
    if (error instanceof DomainError || error instanceof CancelledError || error instanceof InterruptedError)
      return error.message
    this.#options.logger.error({ err: error }, 'a run failed')
    return 'The agent failed for a reason that is not yours; the log of the server has it'
  }
}
