import type { PutWebSearch } from '@docent/sdk'
import { queryOptions, useQuery } from '@tanstack/react-query'
import { queryClient, useWorkspaceId, wholeDocent } from '../../../access/access.ts'

const webSearchOf = (workspaceId: string) =>
  queryOptions({
    queryKey: ['web-search', workspaceId],
    queryFn: () => wholeDocent().webSearch.get(workspaceId),
  })

/** Provider of web search of the workspace. */
export const useWebSearch = () => useQuery(webSearchOf(useWorkspaceId()))

export async function putWebSearch(workspaceId: string, fields: PutWebSearch): Promise<void> {
  queryClient.setQueryData(webSearchOf(workspaceId).queryKey, await wholeDocent().webSearch.put(workspaceId, fields))
}

export async function removeWebSearch(workspaceId: string): Promise<void> {
  await wholeDocent().webSearch.delete(workspaceId)
  await queryClient.invalidateQueries(webSearchOf(workspaceId))
}

export const testWebSearch = (workspaceId: string, fields: PutWebSearch) =>
  wholeDocent().webSearch.test(workspaceId, fields, { timeoutMs: 45_000 })
