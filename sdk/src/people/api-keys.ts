import type { CallOptions, Transport } from '../http/transport.ts'
import type { Body, Query } from '../operations.ts'

/**
 * The API keys of a workspace; its id is in `me()`. Needs the permission `manage_keys`; a workspace that is not the
 * key's own: DocentError `FORBIDDEN`.
 */
export const apiKeys = (transport: Transport) => ({
  /**
   * Makes a key, a `member`'s without permissions by default. Its `key` is shown this once.
   * @throws DocentError `FORBIDDEN` for a role or a permission that the caller's own key lacks
   */
  create: (workspaceId: string, key: Body<'apiKeys.create'>, options?: CallOptions) =>
    transport.data('POST /workspaces/{workspace_id}/api-keys', [workspaceId], { ...options, body: key }),

  /** Newest first, 50 a page by default; pages count from 1. Never with their `key`. */
  list: (workspaceId: string, query?: Query<'apiKeys.list'>, options?: CallOptions) =>
    transport.list('GET /workspaces/{workspace_id}/api-keys', [workspaceId], { ...options, query }),

  /**
   * Changes name, expiry, rate limit and scopes; fields that are left out stay.
   * @throws DocentError `API_KEY_NOT_FOUND`, `FORBIDDEN`, `VALIDATION_ERROR` for a limit above that of all keys
   */
  update: (workspaceId: string, id: string, fields: Body<'apiKeys.update'>, options?: CallOptions) =>
    transport.data('PATCH /workspaces/{workspace_id}/api-keys/{key_id}', [workspaceId, id], {
      ...options,
      body: fields,
    }),

  /**
   * Gives it a new secret, its `key`, shown this once; the earlier one works for a day by default.
   * @throws DocentError `API_KEY_NOT_FOUND`, `FORBIDDEN`
   */
  rotate: (workspaceId: string, id: string, rotation: Body<'apiKeys.rotate'> = {}, options?: CallOptions) =>
    transport.data('POST /workspaces/{workspace_id}/api-keys/{key_id}/rotate', [workspaceId, id], {
      ...options,
      body: rotation,
    }),

  /** It stops working within 5 seconds. @throws DocentError `API_KEY_NOT_FOUND` */
  revoke: (workspaceId: string, id: string, options?: CallOptions) =>
    transport.data('DELETE /workspaces/{workspace_id}/api-keys/{key_id}', [workspaceId, id], options),
})
