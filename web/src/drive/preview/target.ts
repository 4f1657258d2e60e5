import type { DataSource, Location } from '@docent/sdk'
import { useQuery } from '@tanstack/react-query'
import { docent } from '../../access/access.ts'
import type { FilePosition } from '../addresses.ts'
import { rowsOf } from './passages/cited-rows.ts'

/** Passage to show. */
export interface Target {
  text: string
  location: Location
  /** Rows of a table that are meant, of those in the text. None if all of it is. */
  rows: string[]
  /** Ordinal in the file; null if the file no longer has the passage as cited. */
  ordinal: number | null
}

/** Passage that a URL points to; null if it points to none. */
export function useTarget(file: DataSource | undefined, { page, at, quote, rows }: FilePosition) {
  return useQuery({
    queryKey: ['passage', file?.id, file?.updated_at, page, at, quote, rows],
    enabled: file != null && file.found_version !== null,
    queryFn: async ({ signal }): Promise<Target | null> => {
      if (at === undefined && quote === undefined) return null
      const query = at === undefined ? { find: quote!, limit: 1 } : { start: at, limit: 1 }
      const { passages, found } = await docent().dataSources.text(file!.knowledge_base_id, file!.id, query, { signal })
      const isThere = at !== undefined || found !== null
      const [passage] = isThere ? passages : []
      const meant = rows?.split('\n') ?? []
      if (passage) return { ...passage, rows: rowsOf(passage.text).filter((row) => meant.includes(row)) }
      return quote === undefined ? null : { text: quote, location: page ? { page } : {}, rows: [], ordinal: null }
    },
  })
}
