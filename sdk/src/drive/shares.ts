import type { CallOptions, Transport } from '../http/transport.ts'
import type { Query } from '../operations.ts'

/**
 * Other organizations that may read a folder and all below it. A folder that is not there: `KNOWLEDGE_BASE_NOT_FOUND`.
 */
export const shares = (transport: Transport) => ({
  /** Lets an organization read the folder; harmless when it may already. @throws DocentError `ORGANIZATION_NOT_FOUND` */
  create: (folderId: string, organizationId: string, options?: CallOptions) =>
    transport.data('POST /knowledge-bases/{knowledge_base_id}/shares', [folderId], {
      ...options,
      body: { organization_id: organizationId },
    }),

  /** Oldest first, 50 a page by default; pages count from 1. */
  list: (folderId: string, query?: Query<'shares.list'>, options?: CallOptions) =>
    transport.list('GET /knowledge-bases/{knowledge_base_id}/shares', [folderId], { ...options, query }),

  /** Ends the sharing, at once. @throws DocentError `ORGANIZATION_NOT_FOUND` when it is not shared with it */
  delete: (folderId: string, organizationId: string, options?: CallOptions) =>
    transport.data(
      'DELETE /knowledge-bases/{knowledge_base_id}/shares/{organization_id}',
      [folderId, organizationId],
      options,
    ),
})
