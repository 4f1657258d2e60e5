import { setTimeout as delay } from 'node:timers/promises'
import type { Db, Writes } from '../../db.ts'
import { patiently } from '../../platform/database/patience.ts'
import type { Processes } from '../../platform/processes/processes.ts'
import type { Logger } from '../../platform/telemetry/logger.ts'
import type { EventBatch } from '../events/event-batch.ts'
import { fenceOf, releaseMessage } from '../message-life.store.ts'
import type { MessageRow } from '../messages.store.ts'
import { chatsInProgress, findHeld, type Held, listBefore, listRunning, type Place } from './holders.store.ts'
import type { EndUnattended } from './interruptions.ts'
import { isDurable } from './modes.ts'
import type { Outcome, RemoteRuns } from './remote-runs.ts'
import type { Run } from './run.ts'
import { CancelledError, InterruptedError } from './runs.errors.ts'

/** However well signals go, the database is asked again after so long. */
const LOOK_AGAIN_MS = 500
/** The same where this process is about to run it. */
const LOOK_SOON_MS = 50
/** A run that has not ended so long after it was cancelled is left to its process. */
const CANCEL_PATIENCE_MS = 20_000
/** What this process claimed and does not run after so long is none that it takes up: its end could not be stored. */
const TAKE_UP_MS = 5_000

export type Elsewhere = ReturnType<typeof createElsewhere>

/** The run of this process that answers a message of the organization. */
export type FindRun = (messageId: string) => Run | undefined

export interface ElsewhereOptions {
  db: Db
  writes: Writes
  processes: Processes
  /** Undefined where this process has the database to itself. */
  remoteRuns: RemoteRuns | undefined
  endUnattended: EndUnattended
  logger: Logger
}

/**
 * What other processes of the installation run, and what is in progress while nobody runs it yet: left by a process that
 * died, or let go on by a review. The database says who has what; the processes themselves say the rest.
 */
export function createElsewhere({ db, writes, processes, remoteRuns, endUnattended, logger }: ElsewhereOptions) {
  /** Chats of which something may be in progress that is none of this process's runs; unknown where there are others. */
  const expectant = remoteRuns ? undefined : new Set<string>()
  const isOurs = ({ process_id }: Held) => process_id === processes.id
  const remoteOf = ({ organization_id: organizationId, id: messageId, process_id: processId }: Held) => ({
    processId,
    organizationId,
    messageId,
  })

  /** Whether a living process has it that is another one. */
  const isHeld = async (held: Held): Promise<boolean> =>
    remoteRuns !== undefined && held.process_id !== '' && !isOurs(held) && (await processes.isAlive(held.process_id))

  /** Resolves when what another process has of it may have ended, soon after that or a little later. */
  async function untilChange(held: Held, signal?: AbortSignal): Promise<void> {
    const patience = AbortSignal.timeout(LOOK_AGAIN_MS)
    const either = signal ? AbortSignal.any([signal, patience]) : patience
    if (remoteRuns && held.process_id !== '' && !isOurs(held)) {
      const outcome = await remoteRuns.watch(remoteOf(held), either)
      // Over there it is over, and its end may still be on its way into the database.
      if (outcome !== 'over') return
      const now = await findHeld(db, held.organization_id, held.id)
      if (now?.status !== 'in_progress' || now.process_id !== held.process_id) return
    }
    await delay(LOOK_AGAIN_MS, undefined, { signal: either }).catch(() => {})
  }

  /** Ends it, whoever has it; a run that this process begins meanwhile, too. */
  async function cancel(organizationId: string, messageId: string, findRun: FindRun): Promise<void> {
    const patience = AbortSignal.timeout(CANCEL_PATIENCE_MS)
    const begunBy = performance.now() + TAKE_UP_MS
    while (!patience.aborted) {
      const held = await findHeld(db, organizationId, messageId)
      if (held?.status !== 'in_progress') return
      const run = findRun(messageId)
      if (run) {
        run.cancel(new CancelledError())
        // One whose end could not be stored is in progress still.
        if ((await run.done).errorMessage !== new CancelledError().message) await delay(LOOK_SOON_MS)
      } else if (await isHeld(held)) await remoteRuns!.cancel(remoteOf(held), AbortSignal.timeout(LOOK_AGAIN_MS))
      else if (isOurs(held) && performance.now() < begunBy) await delay(LOOK_SOON_MS)
      else await endUnattended(held, new CancelledError().message)
    }
  }

  /**
   * Lets go of a message that this process may have claimed and does not run, because the database did not say whether
   * it did: others take it up, or whoever waits for it hears that it was interrupted. Waits until the database is there.
   */
  async function abandon(organizationId: string, messageId: string, mode: MessageRow['mode']): Promise<void> {
    // Alone, this process takes up what it has and does not run.
    if (!remoteRuns) return
    await patiently({}, async () => {
      const held = await findHeld(db, organizationId, messageId)
      if (held?.status !== 'in_progress' || !isOurs(held)) return
      if (isDurable(mode)) await writes.commit((tx) => releaseMessage(tx, fenceOf(held)))
      else await endUnattended(held, new InterruptedError().message)
    }).catch((error) => logger.error({ err: error, message_id: messageId }, 'a message could not be let go of'))
  }

  return {
    isHeld,
    untilChange,
    cancel,
    abandon,
    /** Whether other processes may work on the same database. */
    isShared: remoteRuns !== undefined,

    /** Something of the chat is in progress, or about to be, that is to be taken up here. */
    expect(chatId: string): void {
      expectant?.add(chatId)
    },

    async start(): Promise<void> {
      if (expectant) for (const chatId of await chatsInProgress(db)) expectant.add(chatId)
    },

    /** Whether anything of the chat may be in progress that is none of this process's runs. */
    mayHave: (chatId: string): boolean => expectant?.has(chatId) ?? true,

    /** Those before a place in its chat; `unseen` ones are none that this process runs already. */
    async before(db: Db, place: Place, findRun: FindRun): Promise<{ count: number; unseen: number }> {
      const held = await listBefore(db, place.organizationId, place)
      const unseen = held.filter(({ id }) => !findRun(id)).length
      if (unseen === 0) expectant?.delete(place.chatId)
      return { count: held.length, unseen }
    },

    /** Ends a message that is not tried again, unless somebody is at work on it. */
    async giveUp(organizationId: string, messageId: string, reason: string): Promise<void> {
      const held = await findHeld(db, organizationId, messageId)
      if (held?.status === 'in_progress' && !(await isHeld(held))) await endUnattended(held, reason)
    },

    /**
     * Resolves when no message of another process, or of none yet, stands before it in its chat, nor one that this
     * process has just claimed and is about to run. It never rejects: while the database cannot say, it is asked again.
     */
    async untilFirst(place: Place, findRun: FindRun, signal: AbortSignal): Promise<void> {
      const seenAt = new Map<string, number>()
      const isTakenUp = ({ id }: Held) => {
        const at = seenAt.get(id) ?? performance.now()
        seenAt.set(id, at)
        return !findRun(id) && performance.now() - at < TAKE_UP_MS
      }
      while (!signal.aborted) {
        try {
          const before = await listBefore(db, place.organizationId, place)
          const first = before.find((each) => !isOurs(each) || isTakenUp(each))
          if (!first) return
          await untilChange(first, signal)
        } catch (error) {
          logger.warn({ err: error, chat_id: place.chatId }, 'what comes first in a chat cannot be asked for')
          await delay(LOOK_AGAIN_MS, undefined, { signal }).catch(() => {})
        }
      }
    },

    /** All that another process shows of it after an event, but its end. */
    follow: (
      held: Held,
      after: number,
      write: (batch: EventBatch, seq: number) => void,
      signal: AbortSignal,
    ): Promise<Outcome> => remoteRuns!.follow(remoteOf(held), after, write, signal),

    /** Ends what others have in progress in a chat. */
    async cancelChat(organizationId: string, chatId: string, findRun: FindRun): Promise<void> {
      const running = await listRunning(db, organizationId, chatId)
      await Promise.all(running.map((messageId) => cancel(organizationId, messageId, findRun)))
    },
  }
}
