import type { ApiKey, CreateApiKey, CreatedApiKey } from '@docent/sdk'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { queryClient, useWorkspaceId, wholeDocent } from '../../access/access.ts'

export const KEYS_PER_PAGE = 50

/** Keys of the workspace that were not revoked, newest first. @param page from 1 */
export function useKeys(page: number) {
  const workspaceId = useWorkspaceId()
  return useQuery({
    queryKey: ['api-keys', workspaceId, page],
    queryFn: () => wholeDocent().apiKeys.list(workspaceId, { page, page_size: KEYS_PER_PAGE }),
    placeholderData: keepPreviousData,
  })
}

/** All keys, to choose from. */
export function useAllKeys(isEnabled: boolean) {
  const workspaceId = useWorkspaceId()
  return useQuery({
    queryKey: ['api-keys', workspaceId, 'all'],
    queryFn: async () => {
      const all: ApiKey[] = []
      for (let page = 1; ; page++) {
        const { api_keys, has_more } = await wholeDocent().apiKeys.list(workspaceId, { page, page_size: 100 })
        all.push(...api_keys)
        if (!has_more) return all
      }
    },
    enabled: isEnabled,
  })
}

export async function createKey(workspaceId: string, fields: CreateApiKey): Promise<CreatedApiKey> {
  const key = await wholeDocent().apiKeys.create(workspaceId, fields)
  await refreshKeys()
  return key
}

export async function rotateKey(workspaceId: string, { id }: ApiKey, overlapSeconds: number): Promise<CreatedApiKey> {
  const key = await wholeDocent().apiKeys.rotate(workspaceId, id, { overlap_seconds: overlapSeconds })
  await refreshKeys()
  return key
}

export async function revokeKey(workspaceId: string, { id }: ApiKey): Promise<void> {
  await wholeDocent().apiKeys.revoke(workspaceId, id)
  await refreshKeys()
}

const refreshKeys = () => queryClient.invalidateQueries({ queryKey: ['api-keys'] })

/** Operation of the API, as its description has it. */
export interface Operation {
  id: string
  summary: string
  /** Whether it changes nothing. */
  isRead: boolean
}

interface Description {
  paths: Record<string, Record<string, { operationId: string; summary: string; tags: string[]; security?: unknown[] }>>
}

/** Every operation that needs a key, by tag. */
export const useOperations = () =>
  useQuery({
    queryKey: ['operations'],
    queryFn: async ({ signal }) => {
      const reply = await fetch('/openapi.json', { signal })
      const { paths } = (await reply.json()) as Description
      const groups = new Map<string, Operation[]>()
      for (const methods of Object.values(paths))
        for (const [method, { operationId, summary, tags, security }] of Object.entries(methods)) {
          if (security?.length === 0) continue
          const group = groups.get(tags[0]!) ?? []
          groups.set(tags[0]!, [...group, { id: operationId, summary, isRead: method === 'get' }])
        }
      return [...groups].map(([name, operations]) => ({ name, operations }))
    },
    staleTime: Number.POSITIVE_INFINITY,
  })
