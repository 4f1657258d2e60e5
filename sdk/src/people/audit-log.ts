import type { CallOptions, Transport } from '../http/transport.ts'
import type { Query } from '../operations.ts'

/** Changes made in a workspace and in what its organization shares; its id is in `me()`. For its admins and owners. */
export const auditLog = (transport: Transport) => ({
  /**
   * Newest first, 50 a page by default; pages count from 1. `actor` is the id of a key, or `operator`; `from`
   * and `to` are times or days, the second not included. @throws DocentError `FORBIDDEN`
   */
  list: (workspaceId: string, query?: Query<'auditLog.list'>, options?: CallOptions) =>
    transport.list('GET /workspaces/{workspace_id}/audit-log', [workspaceId], { ...options, query }),
})
