import { type Kysely, sql } from 'kysely'

/** Semaphore of all processes together: so many permits for each id. */
export interface SharedSemaphore {
  /**
   * @param wanted permits of each id that this process wants to hold now, instead of those it held before
   * @returns permits that it holds: fewer where the other live processes left no more
   */
  hold(wanted: ReadonlyMap<string, number>): Promise<Map<string, number>>
  /** Removes ids of which nobody holds a permit. @returns how many */
  removeEmpty(limit: number): Promise<number>
}

/** Keeps the permits in PostgreSQL; those of dead processes no longer count. */
export function createSharedSemaphore<S>(db: Kysely<S>, processId: string, most: number): SharedSemaphore {
  return {
    async hold(wanted) {
      const { rows } = await sql<{ id: string; held: number }>`
        insert into stream_place as place (id, places)
        select id, jsonb_build_object(${processId}::text, least(wanted, ${most}))
        from unnest(${[...wanted.keys()]}::text[], ${[...wanted.values()]}::int[]) as asked (id, wanted)
        order by id
        on conflict (id) do update set places = (
          select others.places || case when granted > 0 then jsonb_build_object(${processId}::text, granted) else '{}' end
          from (
            select coalesce(jsonb_object_agg(key, value), '{}') as places, coalesce(sum(value::int), 0) as taken
            from jsonb_each(place.places)
            where key <> ${processId} and exists (
              select from server_process where server_process.id = key and beat >= 0 and ended_by is null)
          ) as others,
          lateral (select greatest(0, least((excluded.places ->> ${processId})::int, ${most} - others.taken)) as granted) as given)
        returning id, coalesce((places ->> ${processId})::int, 0) as held`.execute(db)
      return new Map(rows.map(({ id, held }) => [id, held]))
    },
    async removeEmpty(limit) {
      const { numAffectedRows } = await sql`
        delete from stream_place where id in (
          select id from stream_place
          where not exists (
            select from jsonb_each(places)
            where value <> '0' and exists (select from server_process where server_process.id = key))
          limit ${limit})`.execute(db)
      return Number(numAffectedRows ?? 0)
    },
  }
}
