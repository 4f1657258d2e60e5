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
  raiseBeat,
  type SeenRow,
} from './process-rows.ts'
import { repeat } from './repeat.ts'

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
  /** For how long its beat was seen to stand still. */
  stillMs: number
  /** Its connection was there, once, while this process had its own. */
  wasPresent: boolean
  /** For how long that connection was seen to be gone, without a beat; undefined while it is not. */
  goneMs: number | undefined
}

/**
 * Processes that share a database. Each raises its beat every 3 seconds; one whose beat another one sees standing still
 * for 15 seconds, by its own clock alone, is dead. What nobody looked at does not count: neither a pause of the observer
 * nor an absence of the database makes anybody dead. One that was killed is noticed sooner: its connection ends with it,
 * and 6 seconds without that and without a beat are enough, for an observer who kept its own connection all the time.
 */
export function createSharedMembership<S extends ProcessTables>(options: SharedMembershipOptions<S>): Membership {
  const { pubsub, id, role, logger } = options
  const { beatEveryMs = BEAT_EVERY_MS, deadAfterMs = DEAD_AFTER_MS, goneAfterMs = GONE_AFTER_MS } = options
  const db = options.db as unknown as Kysely<ProcessTables>
  const listeners = new Set<(id: string) => void | Promise<void>>()
  let seen = new Map<string, Seen>()
  let lookedAt = performance.now()

  const isStill = ({ beat, stillMs, goneMs = 0 }: Seen) =>
    beat === LEFT || stillMs >= deadAfterMs || goneMs >= goneAfterMs

  const enter = () => {
    const at = new Date().toISOString()
    const row = { id, role, host: hostname(), pid: process.pid, beat: 0, beat_at: at, started_at: at, ended_by: null }
    return insertProcess(db, row)
  }

  async function beat(): Promise<void> {
    if (await raiseBeat(db, id, new Date().toISOString())) return
    // Until its end is dealt with, this fails, and is tried again with the next beat.
    if (await enter()) logger.warn({ process_id: id }, 'other processes took this one for dead, and see it again')
  }

  async function look(): Promise<void> {
    const rows = await listProcesses(db)
    const now = performance.now()
    const passedMs = Math.min(now - lookedAt, 2 * beatEveryMs)
    lookedAt = now
    const others = rows.filter((row) => row.id !== id)
    // The same outage may have taken their connections.
    if (!rows.some((row) => row.id === id && row.isPresent)) forgetPresence()
    seen = new Map(others.map((row) => [row.id, watched(row, passedMs)]))
    for (const row of others) if (isStill(seen.get(row.id)!)) await end(row)
  }

  function watched({ id, role, beat, ended_by, isPresent }: SeenRow, passedMs: number): Seen {
    const before = seen.get(id)
    const isSame = before?.beat === beat
    const stillMs = isSame ? before.stillMs + passedMs : 0
    const wasPresent = isPresent || before?.wasPresent === true
    const isGone = wasPresent && !isPresent && isSame
    const goneMs = isGone ? (before.goneMs === undefined ? 0 : before.goneMs + passedMs) : undefined
    return { role, beat, stillMs: ended_by ? deadAfterMs : stillMs, wasPresent, goneMs }
  }

  function forgetPresence(): void {
    for (const one of seen.values()) Object.assign(one, { wasPresent: false, goneMs: undefined })
  }

  async function end(row: SeenRow): Promise<void> {
    if (!(await claimEnd(db, row, id))) return
    logger.info({ process_id: row.id, host: row.host, left: row.beat === LEFT }, 'a process has ended')
    for (const listener of listeners) await listener(row.id)
    await deleteProcess(db, row.id)
    seen.delete(row.id)
  }

  const beats = repeat(beat, {
    everyMs: beatEveryMs,
    logger,
    what: 'other processes cannot be told that this one lives',
  })
  const looks = repeat(look, { everyMs: beatEveryMs, logger, what: 'the other processes cannot be looked at' })
  const leaves: (() => void)[] = []

  return {
    id,

    async isAlive(other) {
      if (other === id) return true
      const known = seen.get(other)
      return known ? !isStill(known) : isThere(db, other)
    },

    onDeath(listener) {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },

    count() {
      const counts = { all: 0, api: 0, worker: 0 }
      counts[role]++
      for (const other of seen.values()) if (!isStill(other)) counts[other.role]++
      return counts
    },

    async start() {
      await enter()
      leaves.push(
        pubsub.onGap(forgetPresence),
        pubsub.subscribe(LEFT_CHANNEL, (other) => {
          if (other !== id) looks.now()
        }),
      )
      beats.start()
      looks.start()
    },

    async stop() {
      for (const leave of leaves) leave()
      await looks.stop()
      await beats.stop()
      await markLeft(db, id, new Date().toISOString())
      pubsub.publish(LEFT_CHANNEL, id)
    },
  }
}
