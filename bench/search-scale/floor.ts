import { tableOf } from '../../server/src/search/lance/lance-engine.ts'
import { connectLance, type LanceStorage } from '../../server/src/search/lance/lance-library.ts'
import { PASSAGE_COLUMNS } from '../../server/src/search/lance/rows/lance-columns.ts'

export type Floor = (question: string, limit: number) => Promise<unknown>

/** Searches the engine's own table by LanceDB alone: the best passages by BM25 with all that a hit has, as Arrow. */
export async function openFloor(storage: LanceStorage, space: string): Promise<Floor> {
  const { lance, connection } = await connectLance(storage, false)
  const table = await connection.openTable(tableOf(space))
  return (question, limit) =>
    table
      .query()
      .fullTextSearch(new lance.MatchQuery(question, 'body'))
      .fastSearch()
      .select([...PASSAGE_COLUMNS, '_score'])
      .limit(limit)
      .toArrow()
}
