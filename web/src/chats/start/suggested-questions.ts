import type { DataSource } from '@docent/sdk'
import { queryOptions, useQuery } from '@tanstack/react-query'
import { docent } from '../../access/access.ts'
import { candidates } from './question-candidates.ts'

/** Questions shown at once. */
const MOST = 3
/** Passages of a file that are looked at for headings. */
const READ = 20

export interface Suggestion {
  question: string
  fileId: string
}

/** Questions that the files can answer: each was asked of the search, and found its own file first. */
export const useSuggestions = (files: DataSource[] | undefined) => useQuery(suggestionsQuery(files ?? []))

const suggestionsQuery = (files: DataSource[]) =>
  queryOptions({
    queryKey: ['suggestions', ...files.slice(0, MOST).map(({ id, updated_at }) => `${id} ${updated_at}`)],
    queryFn: async ({ signal }) => {
      const found = await Promise.all(files.slice(0, MOST).map((file) => findQuestion(file, signal)))
      return found.filter((one) => one !== undefined)
    },
    enabled: files.length > 0,
    staleTime: Number.POSITIVE_INFINITY,
  })

async function findQuestion(file: DataSource, signal: AbortSignal): Promise<Suggestion | undefined> {
  const { knowledge_base_id: folderId, id } = file
  const { passages } = await docent().dataSources.text(folderId, id, { limit: READ }, { signal })
  for (const { question, heading } of candidates(file, passages)) {
    const [best] = await docent().knowledgeBases.search(folderId, { query: question, limit: 1 }, { signal })
    const isItself = best?.data_source_id === id && (!heading || best.location.heading_path?.includes(heading))
    if (isItself) return { question, fileId: id }
  }
  return undefined
}
