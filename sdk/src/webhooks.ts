import type { ListenOptions } from './http/listen-for-webhooks.ts'
import type { CallOptions, Transport } from './http/transport.ts'
import type { Query } from './operations.ts'
import type { CreateWebhookEndpoint, UpdateWebhookEndpoint, WebhookBody, WebhookDelivered } from './types.ts'
import type { WebhookEvent, WebhookHeaders } from './webhook-body.ts'

/**
 * Deliveries of async queries to their webhooks, and of events to the endpoints of a workspace. For keys of a workspace's admins and owners; its id is in `me()`. Any
 * other key, and any other workspace: DocentError `FORBIDDEN`.
 */
export const webhooks = (transport: Transport) => ({
  /**
   * Checks that a delivery is from this service and at most five minutes old, and reads its body. Needs no API key.
   * After a rotation both secrets are good for 24 hours; with several, one that fits is enough.
   * @param body as it came, not parsed @param headers of a `Request`, or of Node's `IncomingMessage`
   * @throws DocentError `WEBHOOK_SIGNATURE_INVALID`, `WEBHOOK_SECRET_INVALID` for a secret that is none, or
   * `WEBHOOK_KIND_UNEXPECTED` if it is an event
   */
  unwrap: async (
    body: string | ArrayBuffer | Uint8Array,
    headers: WebhookHeaders,
    secret: string | readonly string[],
  ): Promise<WebhookBody> => {
    // Loaded by receivers alone: pages, which bundle the client, have no use for it.
    const { readResult, unwrapWebhook } = await import('./webhook-body.ts')
    return readResult(await unwrapWebhook(body, headers, secret))
  },

  /**
   * Checks a delivery to an endpoint of a workspace as `unwrap` does, and reads its event, which `type` tells apart.
   * @param secret of the endpoint @throws DocentError as `unwrap`; `WEBHOOK_KIND_UNEXPECTED` if it is the result of an
   * async query
   */
  unwrapEvent: async (
    body: string | ArrayBuffer | Uint8Array,
    headers: WebhookHeaders,
    secret: string | readonly string[],
  ): Promise<WebhookEvent> => {
    const { readEvent, unwrapWebhook } = await import('./webhook-body.ts')
    return readEvent(await unwrapWebhook(body, headers, secret))
  },

  /**
   * Events of a workspace as they happen, each with the headers of a delivery: for programs under development, where no
   * endpoint reaches. `unwrapEvent` reads them with the secret of the workspace (`secret.get`). What happens while the
   * connection is broken is not told later.
   * @throws DocentError once the server stays away, or the key may not listen any more
   */
  listen: async function* (workspaceId: string, options: ListenOptions = {}): AsyncGenerator<WebhookDelivered> {
    // Loaded by those who listen.
    const { listenForWebhooks } = await import('./http/listen-for-webhooks.ts')
    yield* listenForWebhooks(transport, workspaceId, options)
  },

  /** URLs to which a workspace has its events sent, 20 at most. One that is not there: `WEBHOOK_ENDPOINT_NOT_FOUND`. */
  endpoints: {
    /** @returns it with its secret, which is not shown again @throws DocentError `WEBHOOK_ENDPOINT_LIMIT` */
    create: (workspaceId: string, endpoint: CreateWebhookEndpoint, options?: CallOptions) =>
      transport.data('POST /workspaces/{workspace_id}/webhook-endpoints', [workspaceId], {
        ...options,
        body: endpoint,
      }),

    /** Oldest first. */
    list: (workspaceId: string, query?: Query<'webhooks.endpoints.list'>, options?: CallOptions) =>
      transport.list('GET /workspaces/{workspace_id}/webhook-endpoints', [workspaceId], { ...options, query }),

    get: (workspaceId: string, id: string, options?: CallOptions) =>
      transport.data(
        'GET /workspaces/{workspace_id}/webhook-endpoints/{webhook_endpoint_id}',
        [workspaceId, id],
        options,
      ),

    /** Changes what is given; `is_enabled: false` switches it off. */
    update: (workspaceId: string, id: string, changes: UpdateWebhookEndpoint, options?: CallOptions) =>
      transport.data('PATCH /workspaces/{workspace_id}/webhook-endpoints/{webhook_endpoint_id}', [workspaceId, id], {
        ...options,
        body: changes,
      }),

    /** Sends no more events there; what is on its way is given up. */
    delete: (workspaceId: string, id: string, options?: CallOptions) =>
      transport.data(
        'DELETE /workspaces/{workspace_id}/webhook-endpoints/{webhook_endpoint_id}',
        [workspaceId, id],
        options,
      ),

    /** Makes a new secret, which is not shown again; the old one signs along for 24 hours. */
    rotate: (workspaceId: string, id: string, options?: CallOptions) =>
      transport.data(
        'POST /workspaces/{workspace_id}/webhook-endpoints/{webhook_endpoint_id}/secret/rotate',
        [workspaceId, id],
        options,
      ),

    /** Sends an event `webhook.test`. @returns its delivery */
    test: (workspaceId: string, id: string, options?: CallOptions) =>
      transport.data(
        'POST /workspaces/{workspace_id}/webhook-endpoints/{webhook_endpoint_id}/test',
        [workspaceId, id],
        options,
      ),

    /** Events on their way, and those that arrived or were given up. */
    deliveries: {
      /** Newest first. */
      list: (
        workspaceId: string,
        id: string,
        query?: Query<'webhooks.endpoints.deliveries.list'>,
        options?: CallOptions,
      ) =>
        transport.list(
          'GET /workspaces/{workspace_id}/webhook-endpoints/{webhook_endpoint_id}/deliveries',
          [workspaceId, id],
          { ...options, query },
        ),

      /** Gets a delivery with its body, its attempts, and what the receiver said to each. */
      get: (workspaceId: string, id: string, deliveryId: string, options?: CallOptions) =>
        transport.data(
          'GET /workspaces/{workspace_id}/webhook-endpoints/{webhook_endpoint_id}/deliveries/{delivery_id}',
          [workspaceId, id, deliveryId],
          options,
        ),

      /** Sends it again, now. */
      redeliver: (workspaceId: string, id: string, deliveryId: string, options?: CallOptions) =>
        transport.data(
          'POST /workspaces/{workspace_id}/webhook-endpoints/{webhook_endpoint_id}/deliveries/{delivery_id}/redeliver',
          [workspaceId, id, deliveryId],
          options,
        ),
    },
  },

  /** Secret that signs the results of queries: a receiver checks them with it, as the Standard Webhooks specification says. */
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

    /** Returns a delivery with its attempts and what the receiver answered to each. */
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
