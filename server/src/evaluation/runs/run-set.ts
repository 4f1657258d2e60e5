import { type AccessService, type Caller, ForbiddenError, UnauthorizedError } from '../../access/access.ts'
import { AgentNotFoundError, type AgentService } from '../../agents/agents.ts'
import type { Tx, Writes } from '../../db.ts'
import { isoNow } from '../../platform/clock.ts'
import { commitChecked } from '../../platform/database/statements/commit-checked.ts'
import { DomainError } from '../../platform/errors.ts'
import type { TaskContext } from '../../queue/worker.ts'
import type { QuotaService, UsageService } from '../../usage/usage.ts'
import type { EmitEvent } from '../../webhooks/webhooks.ts'
import { type Totals, totalsOf } from '../measures/totals.ts'
import { crossedBy, valuesOf } from '../nightly/schedule.ts'
import { findSchedule } from '../nightly/schedules.store.ts'
import { type AnswerCaseOptions, type AnsweredCase, answerCase } from './answer-case.ts'
import { agentAtStart } from './definition.ts'
import { toCounted } from './outcome.ts'
import {
  beginRun,
  endRun,
  findRun,
  findRunBefore,
  listResults,
  noteInQuota,
  OPEN,
  type ResultRecord,
  type RunRecord,
  storeOutcome,
} from './runs.store.ts'

export interface RunSetOptions extends AnswerCaseOptions {
  writes: Writes
  agents: AgentService
  access: Pick<AccessService, 'byId'>
  usage: UsageService
  quotas: QuotaService
  emitEvent: EmitEvent
}

/** Cases of a run that are answered at once: the model and the index serve people first. */
const AT_ONCE = 2
/** How often a run looks whether somebody cancelled it. */
const LOOK_MS = 1_000

/** Ends a run before its last case, with a reason for the log and for people. */
class RunEndedError extends Error {}

const isOpen = (run: RunRecord | undefined): run is RunRecord =>
  run !== undefined && (OPEN as readonly string[]).includes(run.status)

/** Runs a question set against its agent, from where an earlier attempt left it. */
export class SetRunner {
  readonly #options: RunSetOptions

  constructor(options: RunSetOptions) {
    this.#options = options
  }

  /** Work of the task `evaluation.run`. @throws the signal's reason, and what the database throws */
  async run(runId: string, context: TaskContext): Promise<void> {
    const { db, writes, clock } = this.#options
    const { organizationId } = context
    const run = await findRun(db, organizationId, runId)
    if (!isOpen(run)) return
    if (!(await writes.commit((tx) => beginRun(tx, organizationId, runId, isoNow(clock))))) return
    try {
      await this.#answerAll(run, context)
      await this.end(run, 'completed')
    } catch (error) {
      if (!(error instanceof RunEndedError || error instanceof DomainError)) throw error
      await this.end(run, 'failed', error.message)
    }
  }

  /** Ends a run with the sums of what it has, unless it has ended. */
  async end(run: Pick<RunRecord, 'id' | 'organizationId'>, status: RunRecord['status'], errorMessage?: string) {
    const { writes, clock } = this.#options
    const { organizationId, id } = run
    return writes.commit(async (tx) => {
      const results = await listResults(tx, organizationId, id)
      const totals = totalsOf(results.flatMap(({ counted }) => counted ?? []))
      if (!(await endRun(tx, organizationId, id, { status, errorMessage, totals, at: isoNow(clock) }))) return false
      await this.#tell(tx, organizationId, id, totals)
      return true
    })
  }

  /** Sends what came of a run to the endpoints that want to know. */
  async #tell(tx: Tx, organizationId: string, id: string, totals: Totals): Promise<void> {
    const { emitEvent } = this.#options
    const run = await findRun(tx, organizationId, id)
    if (!run) return
    const { workspaceId } = run
    const data = {
      evaluation_run_id: run.id,
      evaluation_set_id: run.setId,
      agent_id: run.agentId,
      status: run.status as 'completed' | 'failed' | 'cancelled',
      is_scheduled: run.isScheduled,
      measures: valuesOf(totals),
    }
    await emitEvent(tx, organizationId, { type: 'evaluation.finished', workspaceId, data })
    if (!run.isScheduled || run.status !== 'completed') return
    const schedule = await findSchedule(tx, organizationId, run.setId)
    const before = schedule ? await findRunBefore(tx, organizationId, run) : undefined
    const alerts = crossedBy(schedule?.alerts ?? [], totals, before?.totals)
    if (alerts.length > 0)
      await emitEvent(tx, organizationId, { type: 'evaluation.regressed', workspaceId, data: { ...data, alerts } })
  }

  async #answerAll(run: RunRecord, context: TaskContext): Promise<void> {
    const { db, models } = this.#options
    const results = await listResults(db, run.organizationId, run.id)
    const pending = results.filter(({ status }) => status === 'pending')
    const judgeModel = run.judgeModel === null ? undefined : (await models.of(run)).resolve(run.judgeModel)
    const cancelled = this.#watch(run)
    const signal = AbortSignal.any([context.signal, cancelled.signal])
    const work = async () => {
      for (let next = pending.shift(); next; next = pending.shift())
        await this.#answerOne(run, next, judgeModel, signal, context)
    }
    const workers = Array.from({ length: AT_ONCE }, work)
    try {
      await Promise.all(workers)
    } catch (error) {
      // Nobody begins another case; one under way was counted, so its answer is kept.
      pending.length = 0
      await Promise.allSettled(workers)
      context.signal.throwIfAborted()
      if (!cancelled.isCancelled()) throw error
    } finally {
      cancelled.stop()
    }
  }

  async #answerOne(
    run: RunRecord,
    result: ResultRecord,
    judgeModel: Parameters<typeof answerCase>[1]['judgeModel'],
    signal: AbortSignal,
    context: TaskContext,
  ): Promise<void> {
    signal.throwIfAborted()
    const { writes, quotas } = this.#options
    const { starter, agent } = await this.#findSetting(run)
    // A refusal is a DomainError, which ends the run with its words.
    await commitChecked(writes, async (tx) => {
      // An earlier attempt, whose process was killed, may have counted it.
      if (!(await noteInQuota(tx, run.organizationId, run.id, result.caseId))) return
      await quotas.require(tx, starter, null)
      await quotas.count(tx, starter, null)
    })
    const answered = await answerCase(this.#options, { run, starter, agent, judgeModel }, result, signal)
    await this.#store(run, result, answered, context)
  }

  async #store(run: RunRecord, { caseId, asked }: ResultRecord, { outcome, used }: AnsweredCase, context: TaskContext) {
    const { writes, usage, clock, models } = this.#options
    const { organizationId, workspaceId, agentId, keyId } = run
    const model = outcome.model ?? (await models.idFor({ ...run, model: run.definition.model }))
    const priced = usage.price({
      workspaceId,
      agentId,
      model,
      virtualUserId: null,
      keyId,
      at: isoNow(clock),
      parts: used,
    })
    const stored = { ...outcome, model, costMicros: priced.costMicros }
    await writes.commit(async (tx) => {
      if (!(await context.isHeld(tx))) return
      const isNew = await storeOutcome(tx, organizationId, {
        runId: run.id,
        caseId,
        outcome: stored,
        counted: toCounted(asked.isAnswerable, stored),
      })
      if (!isNew) return
      await usage.record(tx, organizationId, priced)
    })
  }

  /** Starter of the run, and the agent as the run asks it. @throws RunEndedError where they may no longer measure it */
  async #findSetting({ organizationId, keyId, agentId, definition }: RunRecord) {
    const { agents, access } = this.#options
    try {
      const starter: Caller = await access.byId(organizationId, keyId)
      return { starter, agent: agentAtStart(await agents.getOwn(starter, agentId), definition) }
    } catch (error) {
      if (error instanceof UnauthorizedError) throw new RunEndedError('The key that started the run no longer works')
      if (error instanceof AgentNotFoundError || error instanceof ForbiddenError)
        throw new RunEndedError('Whoever started the run may no longer change the agent, or it was deleted')
      throw error
    }
  }

  /** Looks now and then whether the run was cancelled, or is gone. */
  #watch({ organizationId, id }: RunRecord) {
    const { db, logger } = this.#options
    const abort = new AbortController()
    let isCancelled = false
    const timer = setInterval(() => {
      findRun(db, organizationId, id).then(
        (run) => {
          if (isOpen(run)) return
          isCancelled = true
          abort.abort(new Error('The run was cancelled'))
        },
        (error) => logger.warn({ err: error }, 'it is not known whether an evaluation was cancelled'),
      )
    }, LOOK_MS)
    timer.unref()
    return {
      signal: abort.signal,
      isCancelled: () => isCancelled,
      stop: () => clearInterval(timer),
    }
  }
}
