import type { PutWebSearch } from '@docent/sdk'
import { queryOptions, useQuery } from '@tanstack/react-query'
import { docent, queryClient, useWorkspaceId } from '../../../access/access.ts'

const webSearchOf = (workspaceId: string) =>
  queryOptions({
    queryKey: ['web-search', workspaceId],
    queryFn: () => docent().webSearch.get(workspaceId),
  })

/** Provider of web search of the workspace. */
export const useWebSearch = () => useQuery(webSearchOf(useWorkspaceId()))

export async function putWebSearch(workspaceId: string, fields: PutWebSearch): Promise<void> {
  queryClient.setQueryData(webSearchOf(workspaceId).queryKey, await docent().webSearch.put(workspaceId, fields))
}

export async function removeWebSearch(workspaceId: string): Promise<void> {
  await docent().webSearch.delete(workspaceId)
  await queryClient.invalidateQueries(webSearchOf(workspaceId))
}

export const testWebSearch = (workspaceId: string, fields: PutWebSearch) =>
  docent().webSearch.test(workspaceId, fields, { timeoutMs: 45_000 })
