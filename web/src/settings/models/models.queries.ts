import type {
  ChooseSearchIndex,
  ModelProviderSettings,
  PutModelDefaults,
  PutModelProvider,
  SearchIndex,
} from '@docent/sdk'
import { queryOptions, useQuery } from '@tanstack/react-query'
import { queryClient, useWorkspaceId, wholeDocent } from '../../access/access.ts'
import { refreshModels } from '../../agents/agents.ts'

const providersOf = (workspaceId: string) =>
  queryOptions({
    queryKey: ['model-providers', workspaceId],
    queryFn: async () => (await wholeDocent().modelProviders.list(workspaceId)).model_providers,
  })

const defaultsOf = (workspaceId: string) =>
  queryOptions({
    queryKey: ['model-defaults', workspaceId],
    queryFn: () => wholeDocent().modelDefaults.get(workspaceId),
  })

const indexOf = (workspaceId: string) =>
  queryOptions({
    queryKey: ['search-index', workspaceId],
    queryFn: () => wholeDocent().searchIndex.get(workspaceId),
    refetchInterval: ({ state }) => (state.data?.building?.state === 'building' ? 1_000 : false),
  })

/** Providers of models, those of the environment first. */
export const useModelProviders = () => useQuery(providersOf(useWorkspaceId()))

/** Models that the workspace chose, and what holds where it chose none. */
export const useModelDefaults = () => useQuery(defaultsOf(useWorkspaceId()))

/** Embedding model behind the search, asked again and again while an index is being built. */
export const useSearchIndex = () => useQuery(indexOf(useWorkspaceId()))

export const chooseSearchIndex = async (workspaceId: string, choice: ChooseSearchIndex): Promise<SearchIndex> =>
  keepIndex(workspaceId, await wholeDocent().searchIndex.choose(workspaceId, choice))

export const cancelSearchIndex = async (workspaceId: string): Promise<SearchIndex> =>
  keepIndex(workspaceId, await wholeDocent().searchIndex.cancel(workspaceId))

export const testEmbeddingModel = (workspaceId: string, model: string) =>
  wholeDocent().searchIndex.test(workspaceId, { model })

export async function putModelProvider(workspaceId: string, name: string, fields: PutModelProvider): Promise<void> {
  await wholeDocent().modelProviders.put(workspaceId, name, fields)
  await refresh(workspaceId)
}

export async function removeModelProvider(workspaceId: string, { name }: ModelProviderSettings): Promise<void> {
  await wholeDocent().modelProviders.delete(workspaceId, name)
  await refresh(workspaceId)
}

/** @param fields settings to try; absent: those that are stored */
export const testModelProvider = (workspaceId: string, name: string, fields?: PutModelProvider) =>
  wholeDocent().modelProviders.test(workspaceId, name, fields)

export async function putModelDefaults(workspaceId: string, defaults: PutModelDefaults): Promise<void> {
  queryClient.setQueryData(
    defaultsOf(workspaceId).queryKey,
    await wholeDocent().modelDefaults.put(workspaceId, defaults),
  )
  await refreshModels()
}

/** Chooses a reranker, and leaves the other choices as they are stored. */
export async function putReranking(workspaceId: string, reranking: string | null): Promise<void> {
  const { server: _, ...stored } = await wholeDocent().modelDefaults.get(workspaceId)
  await putModelDefaults(workspaceId, { ...stored, reranking })
}

export const testReranker = (workspaceId: string, model: string) =>
  wholeDocent().modelDefaults.testReranking(workspaceId, { model })

const refresh = (workspaceId: string) =>
  Promise.all([queryClient.invalidateQueries(providersOf(workspaceId)), refreshModels()])

function keepIndex(workspaceId: string, index: SearchIndex): SearchIndex {
  queryClient.setQueryData(indexOf(workspaceId).queryKey, index)
  return index
}
