import type { ModelProviderSettings, PutModelDefaults, PutModelProvider } from '@docent/sdk'
import { queryOptions, useQuery } from '@tanstack/react-query'
import { docent, queryClient, useWorkspaceId } from '../../access/access.ts'
import { refreshModels } from '../../agents/agents.ts'

const providersOf = (workspaceId: string) =>
  queryOptions({
    queryKey: ['model-providers', workspaceId],
    queryFn: async () => (await docent().modelProviders.list(workspaceId)).model_providers,
  })

const defaultsOf = (workspaceId: string) =>
  queryOptions({
    queryKey: ['model-defaults', workspaceId],
    queryFn: () => docent().modelDefaults.get(workspaceId),
  })

/** Providers of models, those of the environment first. */
export const useModelProviders = () => useQuery(providersOf(useWorkspaceId()))

/** Models that the workspace chose, and what holds where it chose none. */
export const useModelDefaults = () => useQuery(defaultsOf(useWorkspaceId()))

export async function putModelProvider(workspaceId: string, name: string, fields: PutModelProvider): Promise<void> {
  await docent().modelProviders.put(workspaceId, name, fields)
  await refresh(workspaceId)
}

export async function removeModelProvider(workspaceId: string, { name }: ModelProviderSettings): Promise<void> {
  await docent().modelProviders.delete(workspaceId, name)
  await refresh(workspaceId)
}

/** @param fields settings to try; absent: those that are stored */
export const testModelProvider = (workspaceId: string, name: string, fields?: PutModelProvider) =>
  docent().modelProviders.test(workspaceId, name, fields)

export async function putModelDefaults(workspaceId: string, defaults: PutModelDefaults): Promise<void> {
  queryClient.setQueryData(defaultsOf(workspaceId).queryKey, await docent().modelDefaults.put(workspaceId, defaults))
  await refreshModels()
}

const refresh = (workspaceId: string) =>
  Promise.all([queryClient.invalidateQueries(providersOf(workspaceId)), refreshModels()])
