import { setTimeout as delay } from 'node:timers/promises'
import type { Db } from '../../../db.ts'
import { isDatabaseAway } from '../../../platform/database/away-errors.ts'
import { patiently } from '../../../platform/database/patience.ts'
import { EventBatch, type EventReader, type Readable } from '../../events/event-batch.ts'
import { findMessage, type MessageRecord } from '../../messages/messages.store.ts'
import type { Run } from '../run.ts'
import { type LogEntry, lastSeqOf, replay, toPing } from '../run-log.ts'
import type { RunRegistry } from '../run-registry.ts'
import { logOf, storedEvents } from '../stored/stored-events.ts'
import { findHeld, type Held } from './holders.store.ts'
import type { RunDirectory } from './run-directory.ts'

const LOOK_AGAIN_MS = 250
const PING_MS = 5_000
/** Patience of those who wait for an end while the database is away. */
const AWAY_PATIENCE_MS = 60_000

export type Follower = ReturnType<typeof createFollower>

export interface FollowerOptions {
  db: Db
  registry: Pick<RunRegistry, 'find'>
  directory: Pick<RunDirectory, 'untilChange' | 'follow'>
}

/**
 * Waits with messages that are not at their end, wherever and whenever they continue: in a run of this process, after a
 * review, or in another process, which tells what it shows.
 */
export function createFollower({ db, registry, directory }: FollowerOptions) {
  async function untilSettled(organizationId: string, messageId: string): Promise<MessageRecord | undefined> {
    for (;;) {
      await registry.find(organizationId, messageId)?.done
      const held = await findHeld(db, organizationId, messageId)
      if (held?.status !== 'in_progress') return held && findMessage(db, organizationId, messageId)
      await directory.untilChange(held)
    }
  }

  return {
    /** @returns the message once it waits or is at its end; undefined when it is deleted. */
    settled: (organizationId: string, messageId: string): Promise<MessageRecord | undefined> =>
      patiently({ ms: AWAY_PATIENCE_MS }, () => untilSettled(organizationId, messageId)),

    /** Its events to the very end, across reviews; with `untilReview`, to the first one. */
    events: (organizationId: string, messageId: string, { untilReview = false } = {}): Readable => ({
      read(reader, after = -1) {
        const following = new Following(reader, after, {
          untilReview,
          directory,
          findRun: () => registry.find(organizationId, messageId),
          findHeld: () => findHeld(db, organizationId, messageId),
          findMessage: () => findMessage(db, organizationId, messageId),
        })
        return () => following.stop()
      },
    }),
  }
}

interface Sources {
  untilReview: boolean
  directory: Pick<RunDirectory, 'follow'>
  findRun: () => Run | undefined
  findHeld: () => Promise<Held | undefined>
  findMessage: () => Promise<MessageRecord | undefined>
}

/** One reader of a message that is still in progress. */
class Following {
  readonly #reader: EventReader
  readonly #sources: Sources
  readonly #left = new AbortController()
  /** The newest event that the reader has. */
  #seen: number
  /** Version of the stored events passed on last: they are not read again while nobody adds to them. */
  #passedOn = ''
  #pings = 0
  #lastWriteAt = performance.now()
  #stopRun = () => {}
  /** Holder of the run as last seen. */
  #held: Held | undefined

  constructor(reader: EventReader, after: number, sources: Sources) {
    this.#reader = reader
    this.#seen = after
    this.#sources = sources
    this.#begin()
  }

  stop(): void {
    this.#left.abort()
    this.#stopRun()
  }

  #begin(): void {
    this.#follow().catch((error) => {
      if (isDatabaseAway(error) && !this.#left.signal.aborted) this.#beginLater()
      else this.#end()
    })
  }

  #beginLater(): void {
    this.#pingIfSilent(this.#held)
    setTimeout(() => this.#left.signal.aborted || this.#begin(), LOOK_AGAIN_MS)
  }

  async #follow(): Promise<void> {
    const { signal } = this.#left
    const { directory, findRun, findHeld, untilReview } = this.#sources
    let hasJustLooked = false
    while (!signal.aborted) {
      const run = findRun()
      if (run) return this.#readRun(run)
      const held = await findHeld()
      if (signal.aborted) return
      if (!held) return this.#end()
      this.#held = held
      if (held.status === 'completed') return this.#tellRest()
      const outcome =
        held.status === 'in_progress'
          ? await directory.follow(held, this.#seen, (batch, seq) => this.#write(batch, seq), signal)
          : 'unattended'
      if (outcome !== 'unattended') {
        if (outcome !== 'silence' && !hasJustLooked) {
          hasJustLooked = true
          continue
        }
        if (outcome === 'silence') await this.#tellStored()
      } else {
        const stored = `${held.status} ${held.attempt}`
        if (stored !== this.#passedOn) await this.#tellStored()
        this.#passedOn = stored
        if (held.status === 'waiting' && untilReview) return this.#end()
      }
      this.#pingIfSilent(held)
      await delay(LOOK_AGAIN_MS, undefined, { signal }).catch(() => {})
      hasJustLooked = false
    }
  }

  #readRun(run: Run): void {
    const pause = () => {
      this.#seen = run.lastSeq
      this.#begin()
    }
    this.#stopRun = run.read(
      {
        write: (batch) => this.#reader.write(batch),
        end: () => this.#reader.end(),
        ...(!this.#sources.untilReview && { pause }),
      },
      this.#seen,
    )
  }

  /** Tells the stored events so far; of a message that nobody runs yet, that it is there. */
  async #tellStored(): Promise<void> {
    const message = await this.#sources.findMessage()
    if (!message || this.#left.signal.aborted) return
    const log: LogEntry[] = message.events === '[]' ? [{ type: 'metadata', seq: 0 }] : logOf(message)
    const lastSeq = lastSeqOf(log)
    if (lastSeq <= this.#seen) return
    const texts = { messageId: message.id, response: message.response, reasoning: message.reasoning }
    this.#write(new EventBatch(replay(log, texts, this.#seen)), lastSeq)
  }

  #pingIfSilent(held: Held | undefined): void {
    if (!held || performance.now() - this.#lastWriteAt < PING_MS) return
    const { status, processId, attempt } = held
    // A new part of the run leaves a gap in the numbers, which pings may use. Otherwise the next number belongs to an
    // event, which a client that resumes after a ping must not miss.
    const hasRoom = status === 'waiting' || (processId === '' && attempt > 0)
    if (hasRoom) this.#pings++
    this.#write(new EventBatch([toPing(this.#seen + this.#pings)]), this.#seen)
  }

  async #tellRest(): Promise<void> {
    const message = await this.#sources.findMessage()
    if (this.#left.signal.aborted) return
    if (message) storedEvents(message).read(this.#reader, this.#seen)
    else this.#end()
  }

  #write(batch: EventBatch, seq: number): void {
    this.#lastWriteAt = performance.now()
    if (seq > this.#seen) this.#pings = 0
    this.#seen = seq
    this.#reader.write(batch)
  }

  #end(): void {
    this.#reader.end()
  }
}
