import { isDatabaseAway } from '../platform/database/away-errors.ts'
import type { Logger } from '../platform/telemetry/logger.ts'
import { catalog } from './catalog.ts'
import type { ClaimedTask, SettingsOfKind, WorkedQueue } from './queue.ts'
import type { GivenUpHandlers, GivenUpReason } from './troubles/given-up.ts'
import type { Suspects } from './troubles/suspects.ts'
import type { TaskContext, TaskHandlers } from './worker.ts'

export interface AttemptOptions {
  queue: WorkedQueue
  handlers: TaskHandlers
  givenUp: GivenUpHandlers
  suspects: Suspects
  logger: Logger
}

const CRASHED = 'the server ended again and again while it was at work on this task'
const LONGEST_BACKOFF_MS = 600_000

/** Delay after failure number `failures`: 1 s, 4 s, 16 s ... up to 10 minutes. */
export const backoffMs = (failures: number): number => Math.min(1000 * 4 ** (failures - 1), LONGEST_BACKOFF_MS)

/**
 * Makes one attempt at a claimed task, after which it is done and gone, back in the queue, or among the dead.
 * @returns in how many ms it is tried again, if it failed
 */
export type Attempt = (task: ClaimedTask, signal: AbortSignal) => Promise<number | undefined>

export function createAttempt({ queue, handlers, givenUp, suspects, logger }: AttemptOptions): Attempt {
  return async (task, signal) => {
    const { kind } = task
    const { maxAttempts, payload }: SettingsOfKind = catalog[kind]
    const past = await suspects.recall(task)
    const failures = past.failures + 1
    const isLastAttempt = failures >= maxAttempts
    let isReadable = false
    let given!: never
    let isFinished = false
    const context: TaskContext = {
      organizationId: task.organizationId,
      attempt: task.attempt,
      isLastAttempt,
      signal,
      isHeld: (tx) => queue.isHeld(tx, task),
      async finishIn(tx) {
        await queue.finishIn(tx, task)
        await past.forgetIn(tx)
        isFinished = true
      },
      pause: past.pause,
      resume: past.begin,
    }

    /** Notifies the feature that waits for the task before it is marked dead. */
    async function giveUp(reason: GivenUpReason, error: string): Promise<number | undefined> {
      try {
        // The notification may crash the process, and a payload that no longer fits its schema notifies nobody.
        if (isReadable && !past.isBeyondHelp) await givenUp[kind](given, context, reason)
      } catch (cause) {
        logger.error({ err: cause, kind, task_id: task.id }, 'giving up a task could not be reported')
        await queue.retry(task, error, LONGEST_BACKOFF_MS)
        return LONGEST_BACKOFF_MS
      }
      await queue.bury(task, error)
      await past.forget()
      return undefined
    }

    async function fail(error: unknown): Promise<number | undefined> {
      const delayMs = isLastAttempt ? undefined : backoffMs(failures)
      const about = { err: error, kind, task_id: task.id, attempt: task.attempt, delay_ms: delayMs ?? 'never again' }
      logger.warn(about, 'task failed')
      const message = (error instanceof Error ? error.message : String(error)).slice(0, 2000)
      if (delayMs === undefined) return giveUp('failed', message)
      await past.fail()
      await queue.retry(task, message, delayMs)
      return delayMs
    }

    try {
      signal.throwIfAborted()
      given = payload.parse(task.payload) as never
      isReadable = true
      await past.begin(signal)
      signal.throwIfAborted()
      if (past.isGivenUp) return await giveUp('crashed', CRASHED)
      await handlers[kind](given, context)
      if (isFinished) return undefined
      await queue.finish(task)
      await past.forget()
      return undefined
    } catch (error) {
      if (!signal.aborted && !isDatabaseAway(error)) return await fail(error)
      // A task that was interrupted, or under way when the database went, is begun again by the worker that claims it
      // next: it has not failed.
      logger.info({ kind, task_id: task.id, attempt: task.attempt }, 'task interrupted')
      await queue.release(task)
      return undefined
    } finally {
      past.end()
    }
  }
}
