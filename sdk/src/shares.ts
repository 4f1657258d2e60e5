import type { Query } from './operations.ts'
import { at, type CallOptions, type Transport } from './transport.ts'

/**
 * Other organizations that may read a folder and all below it. A folder that is not there: `KNOWLEDGE_BASE_NOT_FOUND`.
 */
export const shares = (transport: Transport) => {
  const all = (folderId: string) => at`/knowledge-bases/${folderId}/shares`
  return {
    /** Lets an organization read the folder; harmless when it may already. @throws DocentError `ORGANIZATION_NOT_FOUND` */
    create: (folderId: string, organizationId: string, options?: CallOptions) =>
      transport.data<'shares.create'>('POST', all(folderId), { ...options, body: { organization_id: organizationId } }),

    /** Oldest first, 50 a page if not told otherwise; pages count from 1. */
    list: (folderId: string, query?: Query<'shares.list'>, options?: CallOptions) =>
      transport.data<'shares.list'>('GET', all(folderId), { ...options, query }),

    /** Ends the sharing, at once. @throws DocentError `ORGANIZATION_NOT_FOUND` when it is not shared with it */
    delete: (folderId: string, organizationId: string, options?: CallOptions) =>
      transport.data<'shares.delete'>('DELETE', all(folderId) + at`/${organizationId}`, options),
  }
}
