import { hostname } from 'node:os'
import type { Kysely } from 'kysely'
import type { Logger } from '../../telemetry/logger.ts'
import type { PubSub } from '../pubsub/pubsub.ts'
import type { Membership, ProcessRole } from './membership.ts'
import {
  claimEnd,
  deleteProcess,
  insertProcess,
  isThere,
  LEFT,
  listProcesses,
  markLeft,
  type ProcessTables,
  recordHeartbeat,
  type SeenRow,
} from './process-rows.ts'
import { type Repeated, repeat } from './repeat.ts'

const BEAT_EVERY_MS = 3_000
const DEAD_AFTER_MS = 15_000
/** Two beats: who only lost its connection listens again by then, or beats without. */
const GONE_AFTER_MS = 6_000
/** Payload: the id of a process that has said goodbye. */
const LEFT_CHANNEL = 'processes.left'

export interface SharedMembershipOptions<S extends ProcessTables> {
  db: Kysely<S>
  pubsub: PubSub
  /** Id of this process; the connection that its signals listen on holds its `presenceOf`. */
  id: string
  role: ProcessRole
  logger: Logger
  beatEveryMs?: number
  deadAfterMs?: number
  goneAfterMs?: number
}

/** State of another process, as this one knows it. */
interface Seen {
  role: ProcessRole
  beat: number
  /** Time for which its heartbeat has not advanced. */
  stillMs: number
  /** Its connection was there, once, while this process had its own. */
  wasPresent: boolean
  /** Time for which that connection has been gone without a heartbeat; undefined while it is open. */
  goneMs: number | undefined
}

export const createSharedMembership = <S extends ProcessTables>({ db, ...options }: SharedMembershipOptions<S>) =>
  new SharedMembership({ ...options, db: db as unknown as Kysely<ProcessTables> })

/**
 * Processes that share a database. Each raises its beat every 3 seconds; one whose beat another one sees standing still
 * for 15 seconds, by its own clock alone, is dead. What nobody looked at does not count: neither a pause of the observer
 * nor an absence of the database makes anybody dead. One that was killed is noticed sooner: its connection ends with it,
 * and 6 seconds without that and without a beat are enough, for an observer who kept its own connection all the time.
 */
class SharedMembership implements Membership {
  readonly id: string
  readonly #options: SharedMembershipOptions<ProcessTables>
  readonly #beatEveryMs: number
  readonly #listeners = new Set<(id: string) => void | Promise<void>>()
  readonly #beats: Repeated
  readonly #looks: Repeated
  #subscriptions: (() => void)[] = []
  #seen = new Map<string, Seen>()
  #lookedAt = performance.now()

  constructor(options: SharedMembershipOptions<ProcessTables>) {
    const { id, logger, beatEveryMs: everyMs = BEAT_EVERY_MS } = options
    this.id = id
    this.#options = options
    this.#beatEveryMs = everyMs
    const isUnheard = 'the heartbeat of this process cannot be written'
    this.#beats = repeat(() => this.#beat(), { everyMs, logger, what: isUnheard })
    this.#looks = repeat(() => this.#look(), { everyMs, logger, what: 'the other processes cannot be looked at' })
  }

  async isAlive(other: string): Promise<boolean> {
    if (other === this.id) return true
    const known = this.#seen.get(other)
    return known ? !this.#isStill(known) : isThere(this.#options.db, other)
  }

  onDeath(listener: (id: string) => void | Promise<void>): () => void {
    this.#listeners.add(listener)
    return () => this.#listeners.delete(listener)
  }

  count(): ReturnType<Membership['count']> {
    const counts = { all: 0, api: 0, worker: 0 }
    counts[this.#options.role]++
    for (const other of this.#seen.values()) if (!this.#isStill(other)) counts[other.role]++
    return counts
  }

  async start(): Promise<void> {
    const { pubsub } = this.#options
    await this.#enter()
    this.#subscriptions = [
      pubsub.onGap(() => this.#forgetPresence()),
      pubsub.subscribe(LEFT_CHANNEL, (other) => {
        if (other !== this.id) this.#looks.now()
      }),
    ]
    this.#beats.start()
    this.#looks.start()
  }

  async stop(): Promise<void> {
    const { db, pubsub } = this.#options
    for (const unsubscribe of this.#subscriptions) unsubscribe()
    await this.#looks.stop()
    await this.#beats.stop()
    await markLeft(db, this.id, new Date().toISOString())
    pubsub.publish(LEFT_CHANNEL, this.id)
  }

  #enter(): Promise<boolean> {
    const { db, role } = this.#options
    const at = new Date().toISOString()
    const times = { beat: 0, beat_at: at, started_at: at, ended_by: null }
    return insertProcess(db, { id: this.id, role, host: hostname(), pid: process.pid, ...times })
  }

  async #beat(): Promise<void> {
    const { db, logger } = this.#options
    if (await recordHeartbeat(db, this.id, new Date().toISOString())) return
    // Until its end is dealt with, this fails, and is tried again with the next beat.
    if (await this.#enter())
      logger.warn({ process_id: this.id }, 'other processes took this one for dead, and see it again')
  }

  async #look(): Promise<void> {
    const rows = await listProcesses(this.#options.db)
    const now = performance.now()
    const passedMs = Math.min(now - this.#lookedAt, 2 * this.#beatEveryMs)
    this.#lookedAt = now
    const others = rows.filter((row) => row.id !== this.id)
    // The same outage may have taken their connections.
    if (!rows.some((row) => row.id === this.id && row.isPresent)) this.#forgetPresence()
    this.#seen = new Map(others.map((row) => [row.id, this.#watched(row, passedMs)]))
    for (const row of others) if (this.#isStill(this.#seen.get(row.id)!)) await this.#end(row)
  }

  #watched({ id, role, beat, ended_by, isPresent }: SeenRow, passedMs: number): Seen {
    const before = this.#seen.get(id)
    const isSame = before?.beat === beat
    const stillMs = isSame ? before.stillMs + passedMs : 0
    const wasPresent = isPresent || before?.wasPresent === true
    const isGone = wasPresent && !isPresent && isSame
    const goneMs = isGone ? (before.goneMs === undefined ? 0 : before.goneMs + passedMs) : undefined
    return { role, beat, stillMs: ended_by ? this.#deadAfterMs : stillMs, wasPresent, goneMs }
  }

  #isStill({ beat, stillMs, goneMs = 0 }: Seen): boolean {
    const { goneAfterMs = GONE_AFTER_MS } = this.#options
    return beat === LEFT || stillMs >= this.#deadAfterMs || goneMs >= goneAfterMs
  }

  get #deadAfterMs(): number {
    return this.#options.deadAfterMs ?? DEAD_AFTER_MS
  }

  #forgetPresence(): void {
    for (const one of this.#seen.values()) Object.assign(one, { wasPresent: false, goneMs: undefined })
  }

  async #end(row: SeenRow): Promise<void> {
    const { db, logger } = this.#options
    if (!(await claimEnd(db, row, this.id))) return
    logger.info({ process_id: row.id, host: row.host, left: row.beat === LEFT }, 'a process has ended')
    for (const listener of this.#listeners) await listener(row.id)
    await deleteProcess(db, row.id)
    this.#seen.delete(row.id)
  }
}
