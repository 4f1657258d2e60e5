import type { AgentRecord } from '../../agents/agents.store.ts'
import type { Citation } from '../../agents/citations.ts'
import { LimitReachedError, limitsOf } from '../../agents/limits.ts'
import type { ReviewRequest } from '../../agents/review.ts'
import { runAgent } from '../../agents/run-agent.ts'
import { newRunState } from '../../agents/run-state.ts'
import type { Toolbox } from '../../agents/tools/toolbox.ts'
import type { Tx } from '../../db.ts'
import { type Clock, isoNow } from '../../platform/clock.ts'
import { DatabaseAwayError, isDatabaseAway } from '../../platform/database/errors.ts'
import { patiently, untilThere } from '../../platform/database/patience.ts'
import { DomainError } from '../../platform/errors.ts'
import type { HostPatterns } from '../../platform/http/host-patterns.ts'
import type { Models } from '../../platform/models/models.ts'
import type { Logger } from '../../platform/telemetry/logger.ts'
import type { ChatMemoryService } from '../memory/memory.service.ts'
import type { Recollection } from '../memory/recall.ts'
import type { OutputService } from '../outputs.service.ts'
import { toReview } from '../reviews.wire.ts'
import type { ChatMaterial } from './chat-material.ts'
import { isDurable } from './modes.ts'
import { createProgress } from './progress.ts'
import type { Run } from './run.ts'
import type { LogEntry } from './run-log.ts'
import type { Ending, RunStore, RunTurn } from './run-store.ts'
import { CancelledError, InterruptedError } from './runs.errors.ts'
import type { RunMetrics } from './runs.metrics.ts'
import type { StoredRun } from './stored-run.ts'

/** Answers one message to its end or to a review, and stores that. Never throws: what goes wrong is its `error_message`. */
export type AnswerMessage = (run: Run, task: AnswerTask) => Promise<void>

export interface AnswerTask {
  turn: RunTurn
  agent: AgentRecord
  query: string
  /** Whether the chat has any files; to look for some that are not there does no harm. */
  hasFiles: boolean
  /** Where the run goes on. */
  stored?: StoredRun
}

export interface AnswerMessageOptions {
  clock: Clock
  models: Models
  toolbox: Toolbox
  outputs: OutputService
  material: ChatMaterial
  memory: Pick<ChatMemoryService, 'recall' | 'afterAnswer'>
  store: RunStore
  metrics: RunMetrics
  /** Hosts that answers may link to, whoever names them. */
  isLinkHost: HostPatterns
  logger: Logger
}

/** While the database is away, whoever waits for an answer at a connection waits so much longer before it fails. */
const AWAY_PATIENCE_MS = 60_000
/** How a run ends whose end cannot be written, for as long as that is so. */
export const NOT_STORED = 'The answer could not be stored; send the query again'

export function createAnswerMessage(options: AnswerMessageOptions): AnswerMessage {
  const { clock, models, toolbox, outputs, material, memory, store, metrics, isLinkHost, logger } = options
  const storeProgressOf = createProgress(store)

  return async (run, { turn, agent, query, hasFiles, stored }) => {
    const { organizationId, messageId } = turn
    const state = stored?.agents ?? newRunState()
    const made = outputs.of(organizationId, messageId, stored?.outputCount ?? 0)
    let { decision } = stored ?? {}
    let hasState = stored !== undefined
    let citations: Citation[] = []
    let recollection: Recollection | undefined
    let waitsFor: ReviewRequest | undefined
    let errorMessage: string | null = null

    const { maxSeconds } = limitsOf(agent.limits)
    const timeLeftMs = maxSeconds * 1000 - (stored?.activeMs ?? 0)
    const timer = setTimeout(() => run.cancel(new LimitReachedError('max_seconds', maxSeconds)), timeLeftMs)
    const stopProgress = storeProgressOf(run, turn)
    const ended = metrics.begin()
    try {
      run.signal.throwIfAborted()
      const output = await whileDatabaseIsAway(async () =>
        runAgent({
          agent,
          run: turn,
          modelOf,
          async recall(room) {
            recollection = await memory.recall(turn, room)
            return recollection.messages
          },
          query,
          files: hasFiles ? await material.files(turn, run.signal) : [],
          outputs: made,
          toolbox,
          events: run.events,
          state,
          decision,
          checkpoint,
          signal: run.signal,
          logger,
          isLinkHost,
          today: isoNow(clock).slice(0, 10),
        }),
      )
      citations = output.citations
      waitsFor = output.waitsFor
      ended(waitsFor ? 'waiting' : 'completed')
    } catch (error) {
      ended({ error })
      errorMessage = reasonOf(error)
    }
    clearTimeout(timer)
    stopProgress()
    if (waitsFor) return suspend(waitsFor)

    const isTakenUpAgain = isDurable(turn.mode) && run.signal.reason instanceof InterruptedError
    const log = run.seal(errorMessage, citations)
    // A message that goes on elsewhere stays as it is, in progress.
    const ending = endingWith(errorMessage, log)
    const isStored = isTakenUpAgain ? await store.release(turn) : await store.end(turn, { ...ending, after: remember })
    finish(isStored)

    /** What nobody waits for at a connection waits for as long as the run may take. */
    function whileDatabaseIsAway<R>(step: () => Promise<R>): Promise<R> {
      const ms = isDurable(turn.mode) ? undefined : AWAY_PATIENCE_MS
      return patiently({ signal: run.signal, ms }, () => untilThere(step))
    }

    function finish(isStored: boolean): void {
      run.finish(isStored ? undefined : NOT_STORED)
      if (!isStored) store.endLater(turn, endingWith(NOT_STORED, [...run.log]))
    }

    function endingWith(errorMessage: string | null, log: LogEntry[]): Ending {
      return {
        response: run.response,
        reasoning: run.reasoning,
        errorMessage,
        citations,
        log,
        outputCount: made.count(),
        model: agent.model ?? models.defaultModelId,
        spent: state.spent,
        hasState,
      }
    }

    async function remember(tx: Tx): Promise<void> {
      const { response } = run
      if (!recollection || response === '' || modelOf(agent).onlyQuotes) return
      await memory.afterAnswer(tx, turn, recollection, { query, response })
    }

    function checkpoint(): void {
      hasState = true
      decision = undefined
      store.checkpoint(turn, storedRun([...run.log]))
    }

    async function suspend(request: ReviewRequest): Promise<void> {
      const review = store.reviewOf(turn, request)
      decision = undefined
      const log = run.sealWaiting(toReview(review))
      finish(await store.suspend(turn, storedRun(log), review))
    }

    function storedRun(log: StoredRun['log']): StoredRun {
      return {
        agents: state,
        log,
        response: run.response,
        reasoning: run.reasoning,
        outputCount: made.count(),
        activeMs: run.activeMs,
        decision,
      }
    }
  }

  function modelOf(agent: AgentRecord) {
    return models.resolve(agent.model ?? models.defaultModelId)
  }

  function reasonOf(error: unknown): string {
    if (isDatabaseAway(error)) return new DatabaseAwayError(error).message
    if (error instanceof DomainError || error instanceof CancelledError || error instanceof InterruptedError)
      return error.message
    logger.error({ err: error }, 'a run failed')
    return 'The agent failed for a reason that is not yours; the log of the server has it'
  }
}
