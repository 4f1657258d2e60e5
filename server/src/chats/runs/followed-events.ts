import { setTimeout as delay } from 'node:timers/promises'
import type { Db } from '../../db.ts'
import { findMessage, type MessageRow } from '../messages.store.ts'
import type { Run, RunReader } from './run.ts'
import { DONE, type LogEntry, lastSeqOf, pingFrame, replay } from './run-log.ts'
import type { Runs } from './runs.ts'
import { logOf, type Readable, storedEvents } from './stored-events.ts'

const LOOK_AGAIN_MS = 500
const PING_MS = 5_000

/**
 * Waits with messages that are not at their end, wherever and whenever they go on: in a run of this process, after a
 * review, or in another process, whose progress shows in the database.
 */
export function createFollower({ db, runs }: { db: Db; runs: Runs }) {
  return {
    /** @returns the message once it waits or is at its end; undefined when it is deleted. */
    async settled(organizationId: string, messageId: string): Promise<MessageRow | undefined> {
      for (;;) {
        await runs.find(organizationId, messageId)?.done
        const message = await findMessage(db, organizationId, messageId)
        if (message?.status !== 'in_progress') return message
        await delay(LOOK_AGAIN_MS)
      }
    },

    /** Its events to the very end, across reviews. */
    events: (organizationId: string, messageId: string): Readable => ({
      read(reader, after = -1) {
        const following = new Following(reader, after, {
          findRun: () => runs.find(organizationId, messageId),
          findMessage: () => findMessage(db, organizationId, messageId),
        })
        return () => following.stop()
      },
    }),
  }
}

interface Sources {
  findRun: () => Run | undefined
  findMessage: () => Promise<MessageRow | undefined>
}

/** One reader of a message that goes on. */
class Following {
  readonly #reader: RunReader
  readonly #sources: Sources
  readonly #left = new AbortController()
  #seen: number
  #pings = 0
  #lastWriteAt = performance.now()
  #stopRun = () => {}

  constructor(reader: RunReader, after: number, sources: Sources) {
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
    this.#follow().catch(() => this.#end())
  }

  async #follow(): Promise<void> {
    const { signal } = this.#left
    while (!signal.aborted) {
      const run = this.#sources.findRun()
      if (run) return this.#readRun(run)
      const message = await this.#sources.findMessage()
      if (signal.aborted) return
      if (!message) return this.#end()
      if (message.status === 'completed') return void storedEvents(message).read(this.#reader, this.#seen)
      this.#tellNews(message)
      this.#pingIfSilent()
      await delay(LOOK_AGAIN_MS, undefined, { signal }).catch(() => {})
    }
  }

  #readRun(run: Run): void {
    this.#stopRun = run.read(
      {
        write: (chunk) => this.#reader.write(chunk),
        end: () => this.#reader.end(),
        pause: () => {
          this.#seen = run.lastSeq
          this.#begin()
        },
      },
      this.#seen,
    )
  }

  /** What a run that waits showed before; of one in another process, that it is there. */
  #tellNews(message: MessageRow): void {
    const log: LogEntry[] = message.status === 'waiting' ? logOf(message) : [{ type: 'metadata', seq: 0 }]
    const lastSeq = lastSeqOf(log)
    if (lastSeq <= this.#seen) return
    const texts = { messageId: message.id, response: message.response, reasoning: message.reasoning }
    this.#write(replay(log, texts, this.#seen))
    this.#seen = lastSeq
  }

  #pingIfSilent(): void {
    if (performance.now() - this.#lastWriteAt >= PING_MS) this.#write(pingFrame(this.#seen + ++this.#pings))
  }

  #write(chunk: string): void {
    this.#lastWriteAt = performance.now()
    this.#reader.write(chunk)
  }

  #end(): void {
    this.#reader.write(DONE)
    this.#reader.end()
  }
}
