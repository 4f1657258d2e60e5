import type { FastifyPluginAsyncZod } from 'fastify-type-provider-zod'
import { reach } from '../access/access.ts'
import type { Db } from '../db.ts'
import { failures } from '../platform/http/failures.ts'
import { pageOf } from '../platform/http/validation/schemas.ts'
import { AuditLog, AuditLogQuery, AuditPath, toAuditEntry } from './audit.schemas.ts'
import { listAuditEntries } from './audit.store.ts'

/** Entries can be read, and nothing else. */
export const auditRoutes =
  ({ db }: { db: Db }): FastifyPluginAsyncZod =>
  async (app) => {
    app.get(
      '/workspaces/:workspace_id/audit-log',
      {
        config: { access: { who: 'admin', on: [reach.workspace] } },
        schema: {
          operationId: 'auditLog.list',
          tags: ['Audit'],
          summary: 'List what was done in the workspace, and in what its organization shares, newest first',
          params: AuditPath,
          querystring: AuditLogQuery,
          response: { 200: AuditLog, ...failures(400, 401, 403) },
        },
      },
      async ({ caller, query }) => {
        const { page, page_size, action, actor, member_id, target_type, target_id, from, to } = query
        const found = await listAuditEntries(db, caller.organizationId, caller.workspaceId, {
          action,
          keyId: actor === 'operator' ? null : actor,
          memberId: member_id,
          targetType: target_type,
          targetId: target_id,
          from,
          to,
          limit: page_size,
          offset: (page - 1) * page_size,
        })
        return { data: { entries: found.entries.map(toAuditEntry), ...pageOf(query, found.total) } }
      },
    )
  }
