import type { DataSource, Location } from '@docent/sdk'
import { useQuery } from '@tanstack/react-query'
import { docent } from '../../access/access.ts'
import type { FilePosition } from '../addresses.ts'

/** Passage to show. */
export interface Target {
  text: string
  location: Location
  /** Ordinal in the file; null if the file no longer has the passage as cited. */
  ordinal: number | null
}

/** Passage that a URL points to; null if it points to none. */
export function useTarget(file: DataSource | undefined, { page, at, quote }: FilePosition) {
  return useQuery({
    queryKey: ['passage', file?.id, file?.updated_at, page, at, quote],
    enabled: file?.status === 'successful',
    queryFn: async ({ signal }): Promise<Target | null> => {
      if (at === undefined && quote === undefined) return null
      const query = at === undefined ? { find: quote!, limit: 1 } : { start: at, limit: 1 }
      const { passages, found } = await docent().dataSources.text(file!.knowledge_base_id, file!.id, query, { signal })
      const isThere = at !== undefined || found !== null
      const [passage] = isThere ? passages : []
      if (passage) return passage
      return quote === undefined ? null : { text: quote, location: page ? { page } : {}, ordinal: null }
    },
  })
}
