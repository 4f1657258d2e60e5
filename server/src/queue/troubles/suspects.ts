import type { Db, Tx, Writes } from '../../db.ts'
import { type Clock, isoNow } from '../../platform/clock.ts'
import type { Membership } from '../../platform/cluster/membership/membership.ts'
import type { Logger } from '../../platform/telemetry/logger.ts'
import type { ClaimedTask } from '../queue.ts'
import { createQuarantine, type Leave } from './quarantine.ts'
import { deleteOldTroubles, deleteTrouble, findTrouble, putTrouble, type Trouble } from './troubles.store.ts'

/** A task that was at work at this many deaths, alone at the last five of them, is not tried again. */
export const MOST_DEATHS = 8
/** Giving a task up may take the process down, too. */
const MOST_DEATHS_IN_ALL = MOST_DEATHS + 2
/** Longer than any task is tried. */
const KEPT_MS = 30 * 86_400_000

export interface SuspectsOptions {
  db: Db
  writes: Writes
  membership: Pick<Membership, 'id' | 'isAlive'>
  clock: Clock
  logger: Logger
}

export type Suspects = ReturnType<typeof createSuspects>

/**
 * Knows which tasks were at work when a process died. Whatever ended the process, all that it held are begun again;
 * what is at work at further deaths comes into quarantine, so that in the end each death has one task that it can be
 * put down to. A task that only waited, or whose process lives, is not blamed.
 */
export function createSuspects({ db, writes, membership, clock, logger }: SuspectsOptions) {
  const quarantine = createQuarantine()

  /** History of a task as of now, noted before it is begun: it waits, and its losses are accounted for. */
  async function assessTrouble({ id, attempt }: ClaimedTask): Promise<Trouble> {
    // Nothing can be known of a task that is begun for the first time.
    const known = attempt > 1 ? await findTrouble(db, id) : undefined
    const failures = known?.failures ?? 0
    const losses = attempt - 1 - failures
    const isLost = losses > (known?.losses ?? 0)
    const deaths = (known?.deaths ?? 0) + (isLost ? await deathsAtLoss(known) : 0)
    const trouble = { taskId: id, failures, losses, deaths, processId: null }
    if (isLost || (known && known.processId !== null)) await put(trouble)
    return trouble
  }

  const put = (trouble: Trouble) => writes.commit((tx) => putTrouble(tx, trouble, isoNow(clock)))

  /** Counts the first loss as a death: before a task is suspected, nobody records where it runs. */
  async function deathsAtLoss(known: Trouble | undefined): Promise<0 | 1> {
    if (!known || known.deaths === 0) return 1
    if (known.processId === null) return 0
    return (await membership.isAlive(known.processId)) ? 0 : 1
  }

  return {
    /** History of a claimed task. */
    async recall(task: ClaimedTask) {
      const trouble = await assessTrouble(task)
      const isSuspect = trouble.deaths > 0
      let leave: Leave | undefined

      async function forgetIn(tx: Tx): Promise<void> {
        if (task.attempt > 1) await deleteTrouble(tx, task.id)
      }

      async function note(processId: string | null): Promise<void> {
        await put({ ...trouble, processId }).catch((error) =>
          logger.warn({ err: error, task_id: task.id }, 'it could not be noted where a suspect task is at work'),
        )
      }

      return {
        failures: trouble.failures,
        isGivenUp: trouble.deaths >= MOST_DEATHS,
        /** Giving it up took processes down, too. */
        isBeyondHelp: trouble.deaths >= MOST_DEATHS_IN_ALL,

        /** Marks the task as running. Waits for its turn in quarantine, if it has to, or until the signal aborts. */
        async begin(signal: AbortSignal): Promise<void> {
          if (!isSuspect || leave) return
          leave = await quarantine.enter(trouble.deaths, signal)
          if (leave) await note(membership.id)
        },

        /** Marks the task as waiting: a death meanwhile is not its fault. */
        async pause(): Promise<void> {
          if (!isSuspect) return
          await note(null)
          leave?.()
          leave = undefined
        },

        /** The attempt is over, however it went. */
        end(): void {
          leave?.()
        },

        /** The attempt ended with an error. */
        async fail(): Promise<void> {
          await put({ ...trouble, failures: trouble.failures + 1 })
        },

        forgetIn,

        /** The task is done, or among the dead. */
        async forget(): Promise<void> {
          if (task.attempt > 1) await writes.commit(forgetIn)
        },
      }
    },

    /** Removes what is left of tasks that ended otherwise. @returns how much */
    removeOld: (limit: number): Promise<number> =>
      writes.commit((tx) => deleteOldTroubles(tx, new Date(clock().getTime() - KEPT_MS).toISOString(), limit)),
  }
}
