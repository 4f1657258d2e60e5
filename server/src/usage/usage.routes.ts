import type { FastifyPluginAsyncZod } from 'fastify-type-provider-zod'
import { z } from 'zod'
import { reach } from '../access/access.ts'
import { failures } from '../platform/http/failures.ts'
import { attachment } from '../platform/http/replies/attachment.ts'
import { toCsv } from './usage.csv.ts'
import {
  type GroupBy,
  PriceList,
  toPrice,
  toUsed,
  type UsageGroup,
  UsageQuery,
  UsageReport,
  WorkspaceParams,
} from './usage.schemas.ts'
import type { Group, UsageService } from './usage.service.ts'

const tags = ['Usage']

export const reportRoutes =
  ({ usage }: { usage: UsageService }): FastifyPluginAsyncZod =>
  async (app) => {
    app.get(
      '/workspaces/:workspace_id/usage',
      {
        config: { access: { who: 'admin', on: [reach.workspace, reach.agent('use', 'query.agent_id')] } },
        schema: {
          operationId: 'usage.get',
          tags,
          summary: 'Report the usage and cost of a workspace, by day, agent, virtual user, API key or model',
          params: WorkspaceParams,
          querystring: UsageQuery,
          response: {
            200: {
              description: 'The sums',
              content: { 'application/json': { schema: UsageReport }, 'text/csv': { schema: z.string() } },
            },
            ...failures(400, 401, 403),
          },
        },
      },
      async ({ caller, query }, reply) => {
        const { group_by, page, page_size } = query
        if (query.format === 'csv') {
          const { from, to, groups } = await usage.report(caller, query)
          const csv = toCsv(
            [...KEY_COLUMNS[group_by], ...USED_COLUMNS],
            groups.map((group) => toGroup(group_by, group)),
          )
          return reply
            .type('text/csv; charset=utf-8')
            .header('content-disposition', attachment(`usage-by-${group_by}-${from}-${to}.csv`))
            .send(csv as never)
        }
        const offset = (page - 1) * page_size
        const { from, to, groups, count, total } = await usage.report(caller, query, { limit: page_size, offset })
        return {
          data: {
            from,
            to,
            group_by,
            usage: groups.map((group) => toGroup(group_by, group)),
            total: toUsed(total),
            count,
            page,
            page_size,
            has_more: page * page_size < count,
          },
        }
      },
    )

    app.get(
      '/workspaces/:workspace_id/usage/prices',
      {
        config: { access: { who: 'caller', on: [reach.workspace] } },
        schema: {
          operationId: 'usage.prices',
          tags,
          summary:
            'The prices that the operator set for models; the first that fits a model holds, else the one that its provider lists',
          params: WorkspaceParams,
          response: { 200: PriceList, ...failures(401, 403) },
        },
      },
      async () => ({ data: { prices: usage.prices().map(toPrice) } }),
    )
  }

const KEY_COLUMNS = {
  day: ['day'],
  agent: ['agent_id', 'name'],
  virtual_user: ['virtual_user_id', 'email', 'name'],
  api_key: ['api_key_id', 'name'],
  model: ['model'],
} satisfies Record<GroupBy, (keyof UsageGroup)[]>

const USED_COLUMNS = [
  'messages',
  'input_tokens',
  'cached_input_tokens',
  'output_tokens',
  'reasoning_tokens',
  'cost_usd',
  'unpriced_tokens',
  'audio_seconds',
  'unpriced_audio_seconds',
] as const

function toGroup(by: GroupBy, { key, name, email, amounts }: Group): UsageGroup {
  const used = toUsed(amounts)
  switch (by) {
    case 'day':
      return { day: key!, ...used }
    case 'agent':
      return { agent_id: key, name, ...used }
    case 'virtual_user':
      return { virtual_user_id: key, email, name, ...used }
    case 'api_key':
      return { api_key_id: key, name, ...used }
    case 'model':
      return { model: key!, ...used }
  }
}
