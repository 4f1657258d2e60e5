import type { Query } from './operations.ts'
import { at, type CallOptions, type Transport } from './transport.ts'

/**
 * Deliveries of async queries to their webhooks. For keys of a workspace's admins and owners; its id is in `me()`. Any
 * other key, and any other workspace: DocentError `FORBIDDEN`.
 */
export const webhooks = (transport: Transport) => {
  const secret = (workspaceId: string) => at`/workspaces/${workspaceId}/webhook-secret`
  const all = (workspaceId: string) => at`/workspaces/${workspaceId}/webhook-deliveries`
  return {
    /** Secret that signs the webhooks: a receiver checks them with it, as the Standard Webhooks specification says. */
    secret: {
      get: (workspaceId: string, options?: CallOptions) =>
        transport.data<'webhooks.secret.get'>('GET', secret(workspaceId), options),

      /** Makes a new secret; the old one signs along for 24 hours. */
      rotate: (workspaceId: string, options?: CallOptions) =>
        transport.data<'webhooks.secret.rotate'>('POST', `${secret(workspaceId)}/rotate`, options),
    },

    /** Results on their way, and those that arrived or were given up. One that is not there: `DELIVERY_NOT_FOUND`. */
    deliveries: {
      /** Newest first, of every status and 50 a page if not told otherwise; pages count from 1. */
      list: (workspaceId: string, query?: Query<'webhooks.deliveries.list'>, options?: CallOptions) =>
        transport.data<'webhooks.deliveries.list'>('GET', all(workspaceId), { ...options, query }),

      /** With its attempts, and what the receiver said to each. */
      get: (workspaceId: string, id: string, options?: CallOptions) =>
        transport.data<'webhooks.deliveries.get'>('GET', all(workspaceId) + at`/${id}`, options),

      /** Delivers again, now. @throws DocentError `DELIVERY_WAITING` while its message is being answered */
      redeliver: (workspaceId: string, id: string, options?: CallOptions) =>
        transport.data<'webhooks.deliveries.redeliver'>('POST', all(workspaceId) + at`/${id}/redeliver`, options),
    },
  }
}
