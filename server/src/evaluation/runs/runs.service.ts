import type { Caller } from '../../access/access.ts'
import type { AgentService } from '../../agents/agents.ts'
import { recordAudit } from '../../audit/record-audit.ts'
import type { Tx } from '../../db.ts'
import type { KernelParts } from '../../kernel-parts.ts'
import { isoNow } from '../../platform/clock.ts'
import { takeAdvisoryLock } from '../../platform/database/statements/advisory-locks.ts'
import { commitChecked } from '../../platform/database/statements/commit-checked.ts'
import { invalidField } from '../../platform/errors.ts'
import type { QuotaService } from '../../usage/usage.ts'
import { EvaluationLimitError, EvaluationRunNotFoundError, EvaluationSetNotFoundError } from '../evaluation.errors.ts'
import { compareCases, compareTotals } from '../measures/compare.ts'
import { totalsOf } from '../measures/totals.ts'
import { listCases } from '../sets/cases.store.ts'
import type { SetPath } from '../sets/sets.schemas.ts'
import { holdSet } from '../sets/sets.store.ts'
import { changedFields, definitionOf, versionOf } from './definition.ts'
import type { SetRunner } from './run-set.ts'
import type { RunListQuery, RunPath } from './runs.schemas.ts'
import {
  countOpenRuns,
  deleteRuns,
  type FullResult,
  findRun,
  insertRun,
  listFullResults,
  listOldRuns,
  listResults,
  listRuns,
  type ResultRecord,
  type RunRecord,
} from './runs.store.ts'
import { findShown } from './shown-results.ts'

export interface EvaluationRunOptions extends Pick<KernelParts, 'clock' | 'db' | 'newId' | 'queue' | 'writes'> {
  agents: AgentService
  quotas: QuotaService
  runner: SetRunner
}

/** Runs that wait or work in a workspace at once, and runs that are kept of a set. */
const MOST_OPEN = 10
const MOST_KEPT = 200

/** A run whose texts a caller sees as far as they may read the files. */
export interface ShownResult {
  result: FullResult
  isShown: boolean
}

export class EvaluationRunService {
  readonly #options: EvaluationRunOptions

  constructor(options: EvaluationRunOptions) {
    this.#options = options
  }

  /**
   * Begins a run of a set, with the rights of the caller, against the agent as it is now.
   * @throws EvaluationSetNotFoundError, EvaluationLimitError, QuotaExceededError, ValidationError for a set without cases
   */
  async start(caller: Caller, path: SetPath): Promise<RunRecord> {
    return (await this.#start(caller, path, undefined))!
  }

  /** Begins the run of a night, if `take` takes the night in the same transaction. @throws as `start` */
  async startNight(caller: Caller, path: SetPath, take: (tx: Tx) => Promise<boolean>): Promise<void> {
    await this.#start(caller, path, take)
  }

  async #start(
    caller: Caller,
    { agent_id, evaluation_set_id }: SetPath,
    take: ((tx: Tx) => Promise<boolean>) | undefined,
  ): Promise<RunRecord | undefined> {
    const { writes, agents } = this.#options
    const agent = await agents.getOwn(caller, agent_id)
    const definition = definitionOf(agent)
    return commitChecked(writes, async (tx) => {
      await takeAdvisoryLock(tx, 'evaluation', agent.workspaceId)
      const set = await holdSet(tx, caller.organizationId, agent.id, evaluation_set_id)
      if (!set) throw new EvaluationSetNotFoundError()
      if (take && !(await take(tx))) return undefined
      return this.#insert(tx, caller, { agentId: agent.id, set, definition, isScheduled: take !== undefined })
    })
  }

  async #insert(
    tx: Tx,
    caller: Caller,
    {
      agentId,
      set,
      definition,
      isScheduled,
    }: {
      agentId: string
      set: { id: string; judgeModel: string | null; name: string }
      definition: RunRecord['definition']
      isScheduled: boolean
    },
  ): Promise<RunRecord> {
    const { queue, quotas, newId, clock } = this.#options
    const { organizationId, workspaceId, keyId } = caller
    const cases = await listCases(tx, organizationId, set.id)
    if (cases.length === 0) throw invalidField('evaluation_set_id', 'names a set without cases: add some first')
    if ((await countOpenRuns(tx, organizationId, workspaceId)) >= MOST_OPEN)
      throw new EvaluationLimitError(
        `${MOST_OPEN} runs of this workspace wait or are at work: wait until one has ended`,
      )
    await quotas.require(tx, caller, null)
    const at = isoNow(clock)
    const run: RunRecord = {
      id: newId(),
      organizationId,
      workspaceId,
      agentId,
      setId: set.id,
      status: 'waiting',
      errorMessage: null,
      version: versionOf(definition),
      definition,
      judgeModel: set.judgeModel,
      keyId,
      caseCount: cases.length,
      doneCount: 0,
      totals: null,
      isScheduled,
      startedAt: null,
      endedAt: null,
      createdAt: at,
    }
    await deleteRuns(tx, organizationId, await listOldRuns(tx, organizationId, set.id, MOST_KEPT - 1))
    await insertRun(tx, run.organizationId, run, cases)
    await queue.enqueue(tx, organizationId, 'evaluation.run', { runId: run.id })
    await this.#record(tx, caller, 'started', run, { evaluation_set_id: set.id, cases: cases.length })
    return run
  }

  /** @throws AgentNotFoundError, ForbiddenError, EvaluationRunNotFoundError */
  async get(caller: Caller, { agent_id, evaluation_run_id }: RunPath): Promise<RunRecord> {
    const { db, agents } = this.#options
    const agent = await agents.getOwn(caller, agent_id)
    const run = await findRun(db, caller.organizationId, evaluation_run_id)
    if (run?.agentId !== agent.id) throw new EvaluationRunNotFoundError()
    return run
  }

  async list(caller: Caller, agentId: string, { page, page_size, evaluation_set_id: setId }: RunListQuery) {
    const { db, agents } = this.#options
    const agent = await agents.getOwn(caller, agentId)
    const range = { limit: page_size, offset: (page - 1) * page_size }
    return listRuns(db, caller.organizationId, { agentId: agent.id, setId }, range)
  }

  /** Results of a run in the order of its cases. @throws as `get` */
  async results(caller: Caller, path: RunPath, range: { limit: number; offset: number }) {
    const { db } = this.#options
    const run = await this.get(caller, path)
    const page = await listFullResults(db, caller.organizationId, run.id, range)
    const isShown = await findShown(db, caller, page)
    return { results: page.map((result): ShownResult => ({ result, isShown: isShown(result) })), total: run.caseCount }
  }

  /** Ends a run; what it has stays. One that has ended is left as it is. @throws as `get` */
  async cancel(caller: Caller, path: RunPath): Promise<RunRecord> {
    const { writes, runner } = this.#options
    const run = await this.get(caller, path)
    if (await runner.end(run, 'cancelled')) await writes.commit((tx) => this.#record(tx, caller, 'cancelled', run))
    return this.get(caller, path)
  }

  /** Two runs of an agent side by side. @throws as `get`, ValidationError for runs of different sets */
  async compare(caller: Caller, path: RunPath, beforeId: string) {
    const { db } = this.#options
    const after = await this.get(caller, path)
    const before = await this.get(caller, { ...path, evaluation_run_id: beforeId })
    if (before.setId !== after.setId) throw invalidField('before_id', 'must be a run of the same question set')
    const [was, is] = [
      await listResults(db, caller.organizationId, before.id),
      await listResults(db, caller.organizationId, after.id),
    ]
    const isShown = await findShown(db, caller, [...was, ...is])
    const byCase = Map.groupBy([...was, ...is], ({ caseId }) => caseId)
    const cases = compareCases(was, is)
    const isAnswerable = (caseId: string) => byCase.get(caseId)!.at(-1)!.asked.isAnswerable
    return {
      before,
      after,
      changedFields: changedFields(before.definition, after.definition),
      measures: compareTotals(sumUp(was), sumUp(is), cases, isAnswerable),
      cases: cases.map((one) => {
        const results = byCase.get(one.caseId)!
        return { ...one, question: results.every(isShown) ? results.at(-1)!.asked.question : null }
      }),
    }
  }

  #record(
    tx: Tx,
    caller: Caller,
    change: 'started' | 'cancelled',
    run: RunRecord,
    details: object = {},
  ): Promise<void> {
    return recordAudit(tx, caller, {
      action: `evaluation_run.${change}`,
      at: isoNow(this.#options.clock),
      target: { type: 'evaluation_run', id: run.id },
      details: { agent_id: run.agentId, ...details },
      workspaceId: run.workspaceId,
    })
  }
}

const sumUp = (results: readonly ResultRecord[]) => totalsOf(results.flatMap(({ counted }) => counted ?? []))
