import type { BeginSourceLogin, Docent, Integration, PutSourceApp } from '@docent/sdk'
import { useQuery } from '@tanstack/react-query'
import { queryClient, wholeDocent } from '../../access/access.ts'
import { hasLoginQuery, takeLoginQuery } from '../../platform/login-query.ts'

type SourceProvider = BeginSourceLogin['provider']
/** App at a provider of documents, as it is shown. */
export type SourceApp = Awaited<ReturnType<Docent['integrations']['apps']>>['apps'][number]

const LIVE_EVERY_MS = 2_000

/** All integrations, newest first; refreshed while one is syncing. */
export const useIntegrations = () =>
  useQuery({
    queryKey: ['integrations'],
    queryFn: async () => {
      const all: Integration[] = []
      for (let page = 1; ; page++) {
        const found = await wholeDocent().integrations.list({ page, page_size: 100 })
        all.push(...found.integrations)
        if (!found.has_more) return all
      }
    },
    refetchInterval: ({ state }) => (state.data?.some(({ status }) => status === 'syncing') ? LIVE_EVERY_MS : false),
  })

export async function createIntegration(
  fields: Parameters<ReturnType<typeof wholeDocent>['integrations']['create']>[0],
) {
  await wholeDocent().integrations.create(fields)
  await refresh()
}

export async function syncIntegration(id: string): Promise<void> {
  await wholeDocent().integrations.sync(id)
  await refresh()
}

export async function updateIntegration(
  id: string,
  changes: Parameters<ReturnType<typeof wholeDocent>['integrations']['update']>[1],
): Promise<void> {
  await wholeDocent().integrations.update(id, changes)
  await refresh()
}

export async function cancelSync(id: string): Promise<void> {
  await wholeDocent().integrations.cancel(id)
  await refresh()
}

/** The first items that the sync which runs, or the last one, left out. */
export const useProblems = (id: string) =>
  useQuery({
    queryKey: ['integrations', id, 'problems'],
    queryFn: () => wholeDocent().integrations.problems(id, { page_size: 100 }),
  })

/** Names at the root of a source. */
export const testIntegration = async (
  settings: Parameters<ReturnType<typeof wholeDocent>['integrations']['test']>[0],
) => (await wholeDocent().integrations.test(settings)).entries.map(({ name }) => name)

export async function deleteIntegration(id: string): Promise<void> {
  await wholeDocent().integrations.delete(id)
  await refresh()
}

/** Providers at which people can log in. */
export const useSourceApps = () =>
  useQuery({
    queryKey: ['source-apps'],
    queryFn: () => wholeDocent().integrations.apps(),
  })

/** Sets the app of the workspace at a provider. */
export async function putSourceApp(workspaceId: string, provider: SourceProvider, app: PutSourceApp): Promise<void> {
  await wholeDocent().integrations.putApp(workspaceId, provider, app)
  await refreshApps()
}

export async function removeSourceApp(workspaceId: string, provider: SourceProvider): Promise<void> {
  await wholeDocent().integrations.deleteApp(workspaceId, provider)
  await refreshApps()
}

const refreshApps = () => queryClient.invalidateQueries({ queryKey: ['source-apps'] })

/** Begins the login at a provider. @returns the page to go to */
export const connectSource = async (provider: string): Promise<string> =>
  (await wholeDocent().integrations.connect(provider as SourceProvider)).authorization_url

export const SOURCE_RETURN = ['source-return']

/** Whether a person came back from a provider, and has not closed the form yet. */
export const isBackFromSource = (): boolean => hasLoginQuery() || queryClient.getQueryState(SOURCE_RETURN) !== undefined

/** Login with which a person comes back. It is finished once, however often the router mounts the page again. */
export const useSourceReturn = () =>
  useQuery({
    queryKey: SOURCE_RETURN,
    queryFn: async () => {
      const query = takeLoginQuery()
      if (!query) throw new Error('The login is over')
      const { id, connection } = await wholeDocent().integrations.finishConnect(query)
      return { id, account: connection.account }
    },
    staleTime: Number.POSITIVE_INFINITY,
    gcTime: Number.POSITIVE_INFINITY,
    retry: false,
    retryOnMount: false,
    refetchOnWindowFocus: false,
    refetchOnReconnect: false,
  })

const refresh = () =>
  Promise.all(['integrations', 'folders', 'folder'].map((key) => queryClient.invalidateQueries({ queryKey: [key] })))
