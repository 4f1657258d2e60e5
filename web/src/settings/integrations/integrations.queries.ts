import type { Integration } from '@docent/sdk'
import { useQuery } from '@tanstack/react-query'
import { docent, queryClient } from '../../access/access.ts'

const LIVE_EVERY_MS = 2_000

/** All integrations, newest first; refreshed while one is syncing. */
export const useIntegrations = () =>
  useQuery({
    queryKey: ['integrations'],
    queryFn: async () => {
      const all: Integration[] = []
      for (let page = 1; ; page++) {
        const found = await docent().integrations.list({ page, page_size: 100 })
        all.push(...found.integrations)
        if (!found.has_more) return all
      }
    },
    refetchInterval: ({ state }) => (state.data?.some(({ status }) => status === 'syncing') ? LIVE_EVERY_MS : false),
  })

export async function createIntegration(fields: Parameters<ReturnType<typeof docent>['integrations']['create']>[0]) {
  await docent().integrations.create(fields)
  await refresh()
}

export async function syncIntegration(id: string): Promise<void> {
  await docent().integrations.sync(id)
  await refresh()
}

export async function deleteIntegration(id: string): Promise<void> {
  await docent().integrations.delete(id)
  await refresh()
}

const refresh = () =>
  Promise.all(['integrations', 'folders', 'folder'].map((key) => queryClient.invalidateQueries({ queryKey: [key] })))
