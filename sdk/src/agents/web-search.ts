import type { CallOptions, Transport } from '../http/transport.ts'
import type { Body } from '../operations.ts'

/**
 * Provider with which the agents of a workspace search the web (tool `web_search`). Admins and owners set it up; its key
 * is never returned: `key_hint` is the end of it.
 */
export const webSearch = (transport: Transport) => ({
  /** The provider, or null. Needs the permission `manage_agents`. */
  get: (workspaceId: string, options?: CallOptions) =>
    transport.data('GET /workspaces/{workspace_id}/web-search', [workspaceId], options),

  /** Sets it; agents use it at once. An `api_key` that is left out stays. */
  put: (workspaceId: string, provider: Body<'webSearch.put'>, options?: CallOptions) =>
    transport.data('PUT /workspaces/{workspace_id}/web-search', [workspaceId], { ...options, body: provider }),

  delete: (workspaceId: string, options?: CallOptions) =>
    transport.data('DELETE /workspaces/{workspace_id}/web-search', [workspaceId], options),

  /** Searches with it, or with other settings: a provider that refuses is no error, see `is_ok` and `error_message`. */
  test: (workspaceId: string, provider: Body<'webSearch.test'> = {}, options?: CallOptions) =>
    transport.data('POST /workspaces/{workspace_id}/web-search/test', [workspaceId], { ...options, body: provider }),
})
