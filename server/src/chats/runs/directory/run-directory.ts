import { setTimeout as delay } from 'node:timers/promises'
import type { Tx } from '../../../db.ts'
import type { KernelParts } from '../../../kernel-parts.ts'
import type { Membership } from '../../../platform/cluster/membership/membership.ts'
import { patiently } from '../../../platform/database/patience.ts'
import { fenceOf, releaseMessage } from '../../messages/message-life.store.ts'
import { isDurable } from '../modes.ts'
import type { RunRegistry } from '../run-registry.ts'
import { CancelledError, InterruptedError } from '../runs.errors.ts'
import type { EndUnattended } from '../stored/interruptions.ts'
import { findHeld, type Held, listBefore, listRunning, type MessagePlace } from './holders.store.ts'
import type { Outcome, RemoteRuns } from './remote-runs.ts'

/** However well signals go, the database is asked again after this time. */
export const LOOK_AGAIN_MS = 500
/** Time until the next look where this process is about to run it. */
const LOOK_SOON_MS = 50
/** A run that has not ended so long after it was cancelled is left to its process. */
const CANCEL_PATIENCE_MS = 20_000

export interface RunDirectoryOptions extends Pick<KernelParts, 'db' | 'logger' | 'writes'> {
  membership: Membership
  registry: RunRegistry
  endUnattended: EndUnattended
}

/** Messages in progress before a place in a chat. */
export interface Before {
  count: number
  /** Whether any of them runs outside this process, whose own runs `chat-line.ts` keeps in order. */
  hasOthers: boolean
}

/**
 * Directory of runs: messages of a chat that are in progress in this process, in another one, or in none because a
 * process died or a review resumed them. The database records the owners; events come from the processes.
 * Implementations: `alone.ts` for a single process, `shared.ts` for several.
 */
export abstract class RunDirectory {
  protected readonly options: RunDirectoryOptions

  constructor(options: RunDirectoryOptions) {
    this.options = options
  }

  /** Learns what is in progress. */
  abstract start(): Promise<void>

  /**
   * A message of the chat was left to whichever worker claims it. To be called in the transaction that leaves it, after
   * that: then nothing that is accepted later overtakes it.
   */
  abstract expect(chatId: string): void

  /** Finds what comes before a message. Called in the transaction that accepts it, after it is stored. */
  abstract before(tx: Tx, place: MessagePlace): Promise<Before>

  /** Whether another process has it that lives. */
  abstract isHeldRemotely(held: Held): Promise<boolean>

  /** Resolves when what was in progress may have ended or begun, soon after that or a little later. */
  abstract untilChange(held: Held, signal?: AbortSignal): Promise<void>

  /**
   * Hands over all that another process shows of it after an event, but its end.
   * @returns why there is nothing more to hear; `unattended` when no other process has it
   */
  abstract follow(
    held: Held,
    after: number,
    write: Parameters<RemoteRuns['follow']>[2],
    signal: AbortSignal,
  ): Promise<Outcome | 'unattended'>

  /** Whether a message that is in progress and that this process does not run will be answered. */
  abstract goesOn(message: { mode: string }): boolean

  protected abstract cancelRemote(held: Held, signal: AbortSignal): Promise<unknown>

  /**
   * Resolves when nothing comes before a place in its chat but what this process runs, or cannot run any more because
   * its end was not stored. It never rejects: while the database cannot say, it is asked again.
   */
  async untilFirst(place: MessagePlace, signal: AbortSignal): Promise<void> {
    const { db, logger } = this.options
    while (!signal.aborted) {
      try {
        const before = await listBefore(db, place.organizationId, place)
        const first = before.find((held) => this.#isToCome(held))
        if (!first) return
        if (this.#isComing(first)) await delay(LOOK_SOON_MS, undefined, { signal }).catch(() => {})
        else await this.untilChange(first, signal)
      } catch (error) {
        logger.warn({ err: error, chat_id: place.chatId }, 'what comes first in a chat cannot be asked for')
        await delay(LOOK_AGAIN_MS, undefined, { signal }).catch(() => {})
      }
    }
  }

  /** Cancels a message in whichever process it runs, including a run that this process begins meanwhile. */
  async cancel(organizationId: string, messageId: string): Promise<void> {
    const { db, registry, endUnattended } = this.options
    const patience = AbortSignal.timeout(CANCEL_PATIENCE_MS)
    while (!patience.aborted) {
      const held = await findHeld(db, organizationId, messageId)
      if (held?.status !== 'in_progress') return
      const run = registry.find(organizationId, messageId)
      if (run) {
        run.cancel(new CancelledError())
        // A message whose end could not be stored is still in progress.
        if ((await run.done).errorMessage !== new CancelledError().message) await delay(LOOK_SOON_MS)
      } else if (this.#isComing(held)) await delay(LOOK_SOON_MS)
      else if (await this.isHeldRemotely(held)) await this.cancelRemote(held, AbortSignal.timeout(LOOK_AGAIN_MS))
      else await endUnattended(held, new CancelledError().message)
    }
  }

  /** Cancels all messages in progress in a chat. */
  async cancelChat(organizationId: string, chatId: string): Promise<void> {
    const running = await listRunning(this.options.db, organizationId, chatId)
    await Promise.all(running.map((messageId) => this.cancel(organizationId, messageId)))
  }

  /** Ends a message that is not retried, unless a process is running it. */
  async giveUp(organizationId: string, messageId: string, reason: string): Promise<void> {
    const { db, registry, endUnattended } = this.options
    if (registry.find(organizationId, messageId)) return
    const held = await findHeld(db, organizationId, messageId)
    if (held?.status === 'in_progress' && !(await this.isHeldRemotely(held))) await endUnattended(held, reason)
  }

  /**
   * Releases a message that this process may have claimed and does not run, because the database did not confirm the
   * claim: another process resumes it, or its callers get the error that it was interrupted. Waits for the database.
   */
  async abandon(organizationId: string, messageId: string): Promise<void> {
    const { db, writes, endUnattended, logger } = this.options
    await patiently({}, async () => {
      const held = await findHeld(db, organizationId, messageId)
      if (held?.status !== 'in_progress' || !this.isOurs(held)) return
      if (!isDurable(held.mode)) await endUnattended(held, new InterruptedError().message)
      else
        await writes.commit(async (tx) => {
          await releaseMessage(tx, fenceOf(held))
          this.expect(held.chatId)
        })
    }).catch((error) => logger.error({ err: error, message_id: messageId }, 'a message could not be let go of'))
  }

  protected isOurs({ processId }: Pick<Held, 'processId'>): boolean {
    return processId === this.options.membership.id
  }

  /** Sums up the messages in progress before a place. */
  beforeOf(before: Pick<Held, 'id' | 'organizationId' | 'processId'>[]): Before {
    const isRunHere = (held: (typeof before)[number]) =>
      this.isOurs(held) && this.options.registry.find(held.organizationId, held.id)
    return { count: before.length, hasOthers: !before.every(isRunHere) }
  }

  #isComing(held: Held): boolean {
    return this.options.registry.isComing(held.organizationId, held.id)
  }

  /** Whether another process runs it, or will: what this one has and does not run continues only by its task. */
  #isToCome(held: Held): boolean {
    if (!this.isOurs(held) || this.#isComing(held)) return true
    return isDurable(held.mode) && !this.options.registry.find(held.organizationId, held.id)
  }
}
