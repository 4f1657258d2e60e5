import type { WebhookDelivery } from '@docent/sdk'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { queryClient, useWorkspaceId, wholeDocent } from '../../access/access.ts'

export const DELIVERIES_PER_PAGE = 50
const LIVE_EVERY_MS = 3_000

export type DeliveryStatus = WebhookDelivery['status']

export function useWebhookSecret() {
  const workspaceId = useWorkspaceId()
  return useQuery({
    queryKey: ['webhook-secret', workspaceId],
    queryFn: () => wholeDocent().webhooks.secret.get(workspaceId),
  })
}

export async function rotateSecret(workspaceId: string): Promise<void> {
  const secret = await wholeDocent().webhooks.secret.rotate(workspaceId)
  queryClient.setQueryData(['webhook-secret', workspaceId], secret)
}

const isPending = ({ status }: WebhookDelivery) => status === 'waiting' || status === 'pending'

/** Deliveries, newest first; refreshed while some are pending. @param page from 1 */
export function useDeliveries(status: DeliveryStatus | undefined, page: number) {
  const workspaceId = useWorkspaceId()
  return useQuery({
    queryKey: ['deliveries', workspaceId, status, page],
    queryFn: () =>
      wholeDocent().webhooks.deliveries.list(workspaceId, { status, page, page_size: DELIVERIES_PER_PAGE }),
    placeholderData: keepPreviousData,
    refetchInterval: ({ state }) => (state.data?.deliveries.some(isPending) ? LIVE_EVERY_MS : false),
  })
}

/** One delivery with its attempts. */
export function useDelivery(id: string) {
  const workspaceId = useWorkspaceId()
  return useQuery({
    queryKey: ['delivery', workspaceId, id],
    queryFn: () => wholeDocent().webhooks.deliveries.get(workspaceId, id),
    refetchInterval: ({ state }) => (state.data && isPending(state.data) ? LIVE_EVERY_MS : false),
  })
}

export async function redeliver(workspaceId: string, id: string): Promise<void> {
  await wholeDocent().webhooks.deliveries.redeliver(workspaceId, id)
  await Promise.all(
    ['deliveries', 'delivery'].map((key) => queryClient.invalidateQueries({ queryKey: [key, workspaceId] })),
  )
}
