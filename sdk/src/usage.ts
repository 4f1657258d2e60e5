import { converted } from './http/call.ts'
import type { CallOptions, Transport } from './http/transport.ts'
import type { Body, Query } from './operations.ts'

type UsageQuery = Omit<Query<'usage.get'>, 'format'>

/**
 * Usage and cost of a workspace; its id is in `me()`. For keys of its admins and owners; any other key, and any other
 * workspace: DocentError `FORBIDDEN`.
 */
export const usage = (transport: Transport) => ({
  /**
   * Messages, tokens and cost by day (UTC), agent, virtual user, API key or model: by default of the last 30 days by day,
   * at most 366 days. Costs are null where no price is known.
   */
  get: (workspaceId: string, query?: UsageQuery, options?: CallOptions) =>
    transport.list('GET /workspaces/{workspace_id}/usage', [workspaceId], { ...options, query }),

  /** Usage as comma-separated values with a head line; all groups, not a page. */
  csv: (workspaceId: string, query?: Omit<UsageQuery, 'page' | 'page_size'>, options?: CallOptions) =>
    converted(
      transport.open('GET /workspaces/{workspace_id}/usage', [workspaceId], {
        ...options,
        query: { ...query, format: 'csv' },
      }),
      (response) => response.text(),
    ),

  /**
   * Returns the prices used to count costs, in US dollars per million tokens; the first that matches a model applies.
   * Any key may read them.
   */
  prices: (workspaceId: string, options?: CallOptions) =>
    transport.data('GET /workspaces/{workspace_id}/usage/prices', [workspaceId], options),
})

/**
 * How much a workspace, its keys and its virtual users may use in a day or a month; beyond it queries are refused with
 * 429 `QUOTA_EXCEEDED`.
 */
export const quotas = (transport: Transport) => ({
  /**
   * Sets the quota of a subject for a day or a month, in place of the one before. What was used stays used.
   * @throws DocentError `API_KEY_NOT_FOUND`, `VIRTUAL_USER_NOT_FOUND`
   */
  set: (workspaceId: string, quota: Body<'quotas.set'>, options?: CallOptions) =>
    transport.data('PUT /workspaces/{workspace_id}/quotas', [workspaceId], { ...options, body: quota }),

  /** Newest first, 50 a page by default, with what was used of each; pages count from 1. */
  list: (workspaceId: string, query?: Query<'quotas.list'>, options?: CallOptions) =>
    transport.list('GET /workspaces/{workspace_id}/quotas', [workspaceId], { ...options, query }),

  /** @throws DocentError `QUOTA_NOT_FOUND` */
  delete: (workspaceId: string, id: string, options?: CallOptions) =>
    transport.data('DELETE /workspaces/{workspace_id}/quotas/{quota_id}', [workspaceId, id], options),
})
