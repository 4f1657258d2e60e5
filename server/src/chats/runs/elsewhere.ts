import { setTimeout as delay } from 'node:timers/promises'
import type { Db } from '../../db.ts'
import type { Processes } from '../../platform/processes/processes.ts'
import { findHeld, type Held, listBefore, listRunning, type Place } from './holders.store.ts'
import type { EndUnattended } from './interruptions.ts'
import type { Outcome, RemoteRuns } from './remote-runs.ts'
import { CancelledError, InterruptedError } from './runs.errors.ts'

/** However well signals go, the database is asked again after so long. */
const LOOK_AGAIN_MS = 500
/** A run that has not ended so long after it was cancelled is left to its process. */
const CANCEL_PATIENCE_MS = 20_000
/** What this process claimed and does not run after so long is none that it takes up: its end could not be stored. */
const TAKE_UP_MS = 5_000

export type Elsewhere = ReturnType<typeof createElsewhere>

export interface ElsewhereOptions {
  db: Db
  processes: Processes
  remoteRuns: RemoteRuns
  endUnattended: EndUnattended
}

/** What the other processes of the installation run. The database says who has what; they themselves say the rest. */
export function createElsewhere({ db, processes, remoteRuns, endUnattended }: ElsewhereOptions) {
  const isOurs = ({ process_id }: Held) => process_id === processes.id
  const remoteOf = ({ organization_id: organizationId, id: messageId, process_id: processId }: Held) => ({
    processId,
    organizationId,
    messageId,
  })

  /** Whether a living process has it that is another one. */
  const isHeld = async (held: Held): Promise<boolean> =>
    held.process_id !== '' && !isOurs(held) && (await processes.isAlive(held.process_id))

  /** Resolves when what another process has of it may have ended, soon after that or a little later. */
  async function untilChange(held: Held, signal?: AbortSignal): Promise<void> {
    const patience = AbortSignal.timeout(LOOK_AGAIN_MS)
    const either = signal ? AbortSignal.any([signal, patience]) : patience
    if (held.process_id !== '' && !isOurs(held)) {
      const outcome = await remoteRuns.watch(remoteOf(held), either)
      // Over there it is over, and its end may still be on its way into the database.
      if (outcome !== 'over') return
      const now = await findHeld(db, held.organization_id, held.id)
      if (now?.status !== 'in_progress' || now.process_id !== held.process_id) return
    }
    await delay(LOOK_AGAIN_MS, undefined, { signal: either }).catch(() => {})
  }

  async function cancel(organizationId: string, messageId: string): Promise<void> {
    const patience = AbortSignal.timeout(CANCEL_PATIENCE_MS)
    while (!patience.aborted) {
      const held = await findHeld(db, organizationId, messageId)
      if (held?.status !== 'in_progress') return
      if (held.process_id === '') await endUnattended(held, new CancelledError().message)
      else if (await isHeld(held)) await remoteRuns.cancel(remoteOf(held), AbortSignal.timeout(LOOK_AGAIN_MS))
      else if (isOurs(held)) await delay(LOOK_AGAIN_MS)
      else await endUnattended(held, new InterruptedError().message)
    }
  }

  return {
    isHeld,
    untilChange,
    cancel,

    /** Those before a place in its chat that others have, or nobody yet. */
    async before(db: Db, place: Place): Promise<{ count: number; ofOthers: Held[] }> {
      const held = await listBefore(db, place.organizationId, place)
      return { count: held.length, ofOthers: held.filter((each) => !isOurs(each)) }
    },

    /**
     * Resolves when no message of another process, or of none yet, stands before it in its chat, nor one that this
     * process has just claimed and is about to run.
     * @param isHere whether this process runs a message
     */
    async untilFirst(place: Place, isHere: (messageId: string) => boolean, signal: AbortSignal): Promise<void> {
      const seenAt = new Map<string, number>()
      const isTakenUp = ({ id }: Held) => {
        const at = seenAt.get(id) ?? performance.now()
        seenAt.set(id, at)
        return !isHere(id) && performance.now() - at < TAKE_UP_MS
      }
      while (!signal.aborted) {
        const before = await listBefore(db, place.organizationId, place)
        const first = before.find((each) => !isOurs(each) || isTakenUp(each))
        if (!first) return
        await untilChange(first, signal)
      }
    },

    /** All that another process shows of it after an event, but its end. */
    follow: (
      held: Held,
      after: number,
      write: (chunk: string, seq: number) => void,
      signal: AbortSignal,
    ): Promise<Outcome> => remoteRuns.follow(remoteOf(held), after, write, signal),

    /** Ends what others have in progress in a chat. */
    async cancelChat(organizationId: string, chatId: string): Promise<void> {
      const running = await listRunning(db, organizationId, chatId)
      await Promise.all(running.map((messageId) => cancel(organizationId, messageId)))
    },
  }
}
