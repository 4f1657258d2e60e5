import type { FastifyPluginAsyncZod } from 'fastify-type-provider-zod'
import { z } from 'zod'
import { reach } from '../../access/access.ts'
import { type Clock, isoNow } from '../../platform/clock.ts'
import { failures } from '../../platform/http/failures.ts'
import { Deleted, PageQuery, pageOf } from '../../platform/http/validation/schemas.ts'
import { QuotaParams, WorkspaceParams } from '../usage.schemas.ts'
import { QuotaList, QuotaReply, SetQuota, toQuota } from './quotas.schemas.ts'
import type { QuotaService } from './quotas.service.ts'

const tags = ['Usage']

export const quotaRoutes =
  ({ quotas, clock }: { quotas: QuotaService; clock: Clock }): FastifyPluginAsyncZod =>
  async (app) => {
    app.put(
      '/workspaces/:workspace_id/quotas',
      {
        config: { access: { who: 'admin', on: [reach.workspace] } },
        schema: {
          operationId: 'quotas.set',
          tags,
          summary: 'Set how much the workspace, a key, a virtual user or each of them may use in a day or a month',
          params: WorkspaceParams,
          body: SetQuota,
          response: { 200: QuotaReply, ...failures(400, 401, 403, 404) },
        },
      },
      async ({ caller, body }) => {
        const { quota, use } = await quotas.set(caller, body)
        return { data: toQuota(quota, use, isoNow(clock)) }
      },
    )

    app.get(
      '/workspaces/:workspace_id/quotas',
      {
        config: { access: { who: 'admin', on: [reach.workspace] } },
        schema: {
          operationId: 'quotas.list',
          tags,
          summary: 'List the quotas of a workspace and what was used of them, newest first',
          params: WorkspaceParams,
          querystring: z.object(PageQuery),
          response: { 200: QuotaList, ...failures(400, 401, 403) },
        },
      },
      async ({ caller, query }) => {
        const found = await quotas.list(caller, query)
        const now = isoNow(clock)
        return {
          data: {
            quotas: found.quotas.map(({ quota, use }) => toQuota(quota, use, now)),
            ...pageOf(query, found.total),
          },
        }
      },
    )

    app.delete(
      '/workspaces/:workspace_id/quotas/:quota_id',
      {
        config: { access: { who: 'admin', on: [reach.workspace, reach.part('quota')] } },
        schema: {
          operationId: 'quotas.delete',
          tags,
          summary: 'Delete a quota: nothing limits its subject in that period any more',
          params: QuotaParams,
          response: { 200: Deleted, ...failures(401, 403, 404) },
        },
      },
      async ({ caller, params }) => {
        await quotas.remove(caller, params.quota_id)
        return { data: { deleted: true as const } }
      },
    )
  }
