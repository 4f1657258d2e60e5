import type { CallOptions, Transport } from '../http/transport.ts'
import type { Query } from '../operations.ts'

/** Reviews of a workspace, open and decided; the id of the workspace is in `me()`. */
export const reviews = (transport: Transport) => ({
  /** Newest first, 50 a page by default; pages count from 1. `status: 'pending'` is the inbox. */
  list: (workspaceId: string, query?: Query<'reviews.list'>, options?: CallOptions) =>
    transport.list('GET /workspaces/{workspace_id}/reviews', [workspaceId], { ...options, query }),
})
