import { type AccessService, UnauthorizedError } from '../../access/access.ts'
import type { KernelParts } from '../../kernel-parts.ts'
import { isoNow } from '../../platform/clock.ts'
import { DomainError } from '../../platform/errors.ts'
import { createSweep, type Sweep } from '../../platform/sweep.ts'
import type { EvaluationRunService } from '../runs/runs.service.ts'
import { type DueSet, listDue, takeNight } from './nightly.store.ts'
import { nextNight } from './schedule.ts'

export interface NightlyRunsOptions extends Pick<KernelParts, 'clock' | 'db' | 'logger' | 'writes'> {
  access: Pick<AccessService, 'byId'>
  evaluationRuns: EvaluationRunService
}

const EVERY_MS = 30_000
const AT_ONCE = 20

/**
 * Begins the runs of sets whose hour has come. The night is taken in the transaction that stores the run, so each has
 * one, whatever process looks first; a server that was down begins it late, once.
 */
export function createNightlyRuns({ db, writes, clock, logger, access, evaluationRuns }: NightlyRunsOptions): Sweep {
  async function begin(set: DueSet): Promise<void> {
    const night = { nextAt: nextNight(set.schedule, clock(), new Date(set.dueAt)).toISOString() }
    try {
      const caller = await access.byId(set.organizationId, set.keyId)
      const path = { agent_id: set.agentId, evaluation_set_id: set.id }
      await evaluationRuns.startNight(caller, path, (tx) => takeNight(tx, set, { ...night, problem: null }))
    } catch (error) {
      if (!(error instanceof DomainError)) throw error
      const problem = error instanceof UnauthorizedError ? KEY_GONE : error.message
      await writes.commit((tx) => takeNight(tx, set, { ...night, problem }))
    }
  }

  return createSweep({
    what: 'nightly evaluations',
    everyMs: EVERY_MS,
    limit: AT_ONCE,
    logger,
    log: { done: 'began runs whose hour had come', failed: 'runs by schedule could not be begun' },
    async step(limit) {
      const due = await listDue(db, isoNow(clock), limit)
      for (const set of due) await begin(set)
      return due.length
    },
  })
}

const KEY_GONE = 'The key that set the schedule no longer works: set the schedule again'
