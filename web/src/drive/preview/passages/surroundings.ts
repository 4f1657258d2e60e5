import type { Citation, Passage } from '@docent/sdk'
import { useQuery } from '@tanstack/react-query'
import { docent } from '../../../access/access.ts'
import { citationPosition } from '../../addresses.ts'

const BEFORE = 2
const AFTER = 3

export interface Surroundings {
  before: Passage[]
  after: Passage[]
}

/** Passages around a cited one in its document; null if the document no longer has it. */
export const useSurroundings = ({ data_source_id, location, text }: Citation, isEnabled: boolean) =>
  useQuery({
    queryKey: ['surroundings', data_source_id, text],
    enabled: isEnabled,
    queryFn: async ({ signal }): Promise<Surroundings | null> => {
      const { knowledge_base_id } = await docent().dataSources.locate(data_source_id)
      const find = citationPosition({ location, text }).quote
      const query = { find, before: BEFORE, limit: BEFORE + 1 + AFTER }
      const { passages, found } = await docent().dataSources.text(knowledge_base_id, data_source_id, query, { signal })
      if (found === null) return null
      return {
        before: passages.filter(({ ordinal }) => ordinal < found),
        after: passages.filter(({ ordinal }) => ordinal > found),
      }
    },
  })
