import type { CreateWebhookEndpoint, UpdateWebhookEndpoint, WebhookEventDelivery } from '@docent/sdk'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { queryClient, useWorkspaceId, wholeDocent } from '../../../access/access.ts'

export const EVENTS_PER_PAGE = 20
const LIVE_EVERY_MS = 3_000

/** Endpoints of the workspace, of which there are twenty at most. */
export function useEndpoints() {
  const workspaceId = useWorkspaceId()
  return useQuery({
    queryKey: ['webhook-endpoints', workspaceId],
    queryFn: async () => (await wholeDocent().webhooks.endpoints.list(workspaceId)).webhook_endpoints,
  })
}

const isPending = ({ status }: WebhookEventDelivery) => status === 'pending'

/** Events sent to an endpoint, newest first; refreshed while some are pending. @param page from 1 */
export function useEvents(endpointId: string, page: number) {
  const workspaceId = useWorkspaceId()
  return useQuery({
    queryKey: ['webhook-events', workspaceId, endpointId, page],
    queryFn: () =>
      wholeDocent().webhooks.endpoints.deliveries.list(workspaceId, endpointId, { page, page_size: EVENTS_PER_PAGE }),
    placeholderData: keepPreviousData,
    refetchInterval: ({ state }) => (state.data?.deliveries.some(isPending) ? LIVE_EVERY_MS : false),
  })
}

/** Event with its body and its attempts. */
export function useEvent(endpointId: string, id: string) {
  const workspaceId = useWorkspaceId()
  return useQuery({
    queryKey: ['webhook-event', workspaceId, endpointId, id],
    queryFn: () => wholeDocent().webhooks.endpoints.deliveries.get(workspaceId, endpointId, id),
    refetchInterval: ({ state }) => (state.data && isPending(state.data) ? LIVE_EVERY_MS : false),
  })
}

const refresh = (...keys: string[]) =>
  Promise.all(keys.map((key) => queryClient.invalidateQueries({ queryKey: [key] })))

export async function createEndpoint(workspaceId: string, endpoint: CreateWebhookEndpoint) {
  const made = await wholeDocent().webhooks.endpoints.create(workspaceId, endpoint)
  await refresh('webhook-endpoints')
  return made
}

export async function updateEndpoint(workspaceId: string, id: string, changes: UpdateWebhookEndpoint): Promise<void> {
  await wholeDocent().webhooks.endpoints.update(workspaceId, id, changes)
  await refresh('webhook-endpoints')
}

export async function deleteEndpoint(workspaceId: string, id: string): Promise<void> {
  await wholeDocent().webhooks.endpoints.delete(workspaceId, id)
  await refresh('webhook-endpoints')
}

export async function rotateEndpoint(workspaceId: string, id: string) {
  const rotated = await wholeDocent().webhooks.endpoints.rotate(workspaceId, id)
  await refresh('webhook-endpoints')
  return rotated
}

export async function testEndpoint(workspaceId: string, id: string): Promise<void> {
  await wholeDocent().webhooks.endpoints.test(workspaceId, id)
  await refresh('webhook-events')
}

export async function redeliverEvent(workspaceId: string, endpointId: string, id: string): Promise<void> {
  await wholeDocent().webhooks.endpoints.deliveries.redeliver(workspaceId, endpointId, id)
  await refresh('webhook-events', 'webhook-event')
}
