import { type Kysely, sql } from 'kysely'

/** Spare tokens of a lease may be used for this long after it was asked for. */
export const SPARE_MS = 100

export interface Asked {
  id: string
  perSecond: number
  burst: number
  /** Tokens for what waits already. */
  need: number
  /** Tokens beside them for what comes within `SPARE_MS`. */
  spare: number
}

export interface Leased {
  granted: number
  /** Tokens left in the bucket. */
  left: number
}

/** Token buckets that processes share, in PostgreSQL, by its clock. */
export interface TokenLeases {
  /**
   * Takes tokens for everything asked in one turn of the event loop, or while the statement before is under way, in one
   * statement.
   */
  lease(asked: Asked): Promise<Leased>
  /** Forgets buckets that are full. @returns how many */
  removeFull(limit: number): Promise<number>
}

const LARGEST_BATCH = 500

export function createTokenLeases<S>(db: Kysely<S>): TokenLeases {
  type Waiting = { asked: Asked; resolve(leased: Leased): void; reject(error: unknown): void }
  let waiting: Waiting[] = []
  let isSending = false

  /** A statement changes a row once: anyone who asks for the same bucket again comes with the next one. */
  function takeBatch(): Waiting[] {
    const batch = new Map<string, Waiting>()
    const later: Waiting[] = []
    for (const one of waiting)
      if (batch.size < LARGEST_BATCH && !batch.has(one.asked.id)) batch.set(one.asked.id, one)
      else later.push(one)
    waiting = later
    return [...batch.values()]
  }

  async function sendAll(): Promise<void> {
    while (waiting.length > 0) {
      const batch = takeBatch()
      try {
        const leased = await leaseAll(
          db,
          batch.map(({ asked }) => asked),
        )
        for (const { asked, resolve } of batch) resolve(leased.get(asked.id)!)
      } catch (error) {
        for (const { reject } of batch) reject(error)
      }
    }
    isSending = false
  }

  return {
    lease(asked) {
      return new Promise((resolve, reject) => {
        waiting.push({ asked, resolve, reject })
        if (isSending) return
        isSending = true
        setImmediate(() => {
          sendAll().catch(reject)
        })
      })
    },
    async removeFull(limit) {
      const { numAffectedRows } = await sql`
        delete from rate_bucket where id in (
          select id from rate_bucket
          where filled_at + burst / per_second + 1 < extract(epoch from clock_timestamp()) limit ${limit})`.execute(db)
      return Number(numAffectedRows ?? 0)
    },
  }
}

/**
 * A bucket never holds more than its burst, spare tokens that processes may still use included: those of the last
 * `SPARE_MS` are in the slot of time that is now, or the one before.
 */
async function leaseAll<S>(db: Kysely<S>, asked: Asked[]): Promise<Map<string, Leased>> {
  const column = (name: keyof Asked) => asked.map((one) => one[name])
  const slotOf = sql.raw(`* ${1000 / SPARE_MS}`)
  const { rows } = await sql<{ id: string; granted: number; tokens: number }>`
    insert into rate_bucket as bucket
      (id, per_second, burst, need, spare, tokens, filled_at, slot, held, held_before, granted)
    select id, per_second, burst, need, spare, burst - granted, now, floor(now ${slotOf}), greatest(0, granted - need), 0, granted
    from unnest(${column('id')}::text[], ${column('perSecond')}::float8[], ${column('burst')}::float8[],
        ${column('need')}::float8[], ${column('spare')}::float8[]) as asked (id, per_second, burst, need, spare),
      lateral (select least(need + spare, floor(burst)) as granted) as full_one,
      (select extract(epoch from clock_timestamp())::float8 as now) as clock
    order by id
    on conflict (id) do update set
      (per_second, burst, need, spare, tokens, filled_at, slot, held, held_before, granted) = (
        select excluded.per_second, excluded.burst, excluded.need, excluded.spare,
          available - granted, now, slot, held + greatest(0, granted - excluded.need), held_before, granted
        from (select greatest(extract(epoch from clock_timestamp())::float8, bucket.filled_at) as now) as clock,
          lateral (select floor(now ${slotOf})::bigint as slot) as present,
          lateral (select
            case when bucket.slot = present.slot then bucket.held else 0 end as held,
            case bucket.slot when present.slot then bucket.held_before when present.slot - 1 then bucket.held else 0 end
              as held_before) as lent,
          lateral (select least(excluded.burst - held - held_before,
            bucket.tokens + (now - bucket.filled_at) * excluded.per_second) as available) as filled,
          lateral (select greatest(0, least(excluded.need + excluded.spare, floor(available))) as granted) as given)
    returning id, granted, tokens`.execute(db)
  return new Map(rows.map(({ id, granted, tokens }) => [id, { granted, left: tokens }]))
}
