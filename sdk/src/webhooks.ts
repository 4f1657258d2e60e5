import type { CallOptions, Transport } from './http/transport.ts'
import type { Query } from './operations.ts'
import type { WebhookBody } from './types.ts'
import type { WebhookHeaders } from './webhook-body.ts'

/**
 * Deliveries of async queries to their webhooks. For keys of a workspace's admins and owners; its id is in `me()`. Any
 * other key, and any other workspace: DocentError `FORBIDDEN`.
 */
export const webhooks = (transport: Transport) => ({
  /**
   * Checks that a delivery is from this service and at most five minutes old, and reads its body. Needs no API key.
   * After a rotation both secrets are good for 24 hours; with several, one that fits is enough.
   * @param body as it came, not parsed @param headers of a `Request`, or of Node's `IncomingMessage`
   * @throws DocentError `WEBHOOK_SIGNATURE_INVALID`, or `WEBHOOK_SECRET_INVALID` for a secret that is none
   */
  unwrap: async (
    body: string | ArrayBuffer | Uint8Array,
    headers: WebhookHeaders,
    secret: string | readonly string[],
  ): Promise<WebhookBody> => {
    // Loaded by receivers alone: pages, which bundle the client, have no use for it.
    const { unwrapWebhook } = await import('./webhook-body.ts')
    return unwrapWebhook(body, headers, secret)
  },

  /** Secret that signs the webhooks: a receiver checks them with it, as the Standard Webhooks specification says. */
  secret: {
    get: (workspaceId: string, options?: CallOptions) =>
      transport.data('GET /workspaces/{workspace_id}/webhook-secret', [workspaceId], options),

    /** Makes a new secret; the old one signs along for 24 hours. */
    rotate: (workspaceId: string, options?: CallOptions) =>
      transport.data('POST /workspaces/{workspace_id}/webhook-secret/rotate', [workspaceId], options),
  },

  /** Results on their way, and those that arrived or were given up. One that is not there: `DELIVERY_NOT_FOUND`. */
  deliveries: {
    /** Newest first, of every status and 50 a page by default; pages count from 1. */
    list: (workspaceId: string, query?: Query<'webhooks.deliveries.list'>, options?: CallOptions) =>
      transport.list('GET /workspaces/{workspace_id}/webhook-deliveries', [workspaceId], { ...options, query }),

    /** With its attempts, and what the receiver said to each. */
    get: (workspaceId: string, id: string, options?: CallOptions) =>
      transport.data('GET /workspaces/{workspace_id}/webhook-deliveries/{delivery_id}', [workspaceId, id], options),

    /** Delivers again, now. @throws DocentError `DELIVERY_WAITING` while its message is being answered */
    redeliver: (workspaceId: string, id: string, options?: CallOptions) =>
      transport.data(
        'POST /workspaces/{workspace_id}/webhook-deliveries/{delivery_id}/redeliver',
        [workspaceId, id],
        options,
      ),
  },
})
