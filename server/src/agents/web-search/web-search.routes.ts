import type { FastifyPluginAsyncZod } from 'fastify-type-provider-zod'
import { reach } from '../../access/access.ts'
import { failures } from '../../platform/http/failures.ts'
import { Deleted } from '../../platform/http/validation/schemas.ts'
import { WorkspacePath } from '../provider-settings/provider-settings.schemas.ts'
import { SEARCH_PROVIDERS } from './search-providers.ts'
import {
  PutWebSearch,
  TestedWebSearch,
  TestWebSearch,
  WebSearchReply,
  type WebSearchSettings,
} from './web-search.schemas.ts'
import type { WebSearchService } from './web-search.service.ts'
import type { WebSearchRecord } from './web-search.store.ts'

const tags = ['Web search']
const admin = { config: { access: { who: 'admin', on: [reach.workspace] } } } as const

/** Routes of the provider that a workspace searches the web with. */
export const webSearchRoutes =
  ({ webSearch }: { webSearch: WebSearchService }): FastifyPluginAsyncZod =>
  async (app) => {
    app.get(
      '/workspaces/:workspace_id/web-search',
      {
        config: { access: { who: 'manage_agents', on: [reach.workspace] } },
        schema: {
          operationId: 'webSearch.get',
          tags,
          summary: 'Get the provider with which the agents of a workspace search the web',
          params: WorkspacePath,
          response: { 200: WebSearchReply, ...failures(401, 403) },
        },
      },
      async ({ caller }) => ({ data: { provider: toWire(await webSearch.find(caller)) } }),
    )

    app.put(
      '/workspaces/:workspace_id/web-search',
      {
        ...admin,
        schema: {
          operationId: 'webSearch.put',
          tags,
          summary: 'Set the provider of web search; agents with the tool web_search use it at once',
          params: WorkspacePath,
          body: PutWebSearch,
          response: { 200: WebSearchReply, ...failures(400, 401, 403) },
        },
      },
      async ({ caller, body }) => ({ data: { provider: toWire(await webSearch.put(caller, body)) } }),
    )

    app.delete(
      '/workspaces/:workspace_id/web-search',
      {
        ...admin,
        schema: {
          operationId: 'webSearch.delete',
          tags,
          summary: 'Remove the provider of web search',
          params: WorkspacePath,
          response: { 200: Deleted, ...failures(401, 403, 404) },
        },
      },
      async ({ caller }) => {
        await webSearch.remove(caller)
        return { data: { deleted: true as const } }
      },
    )

    app.post(
      '/workspaces/:workspace_id/web-search/test',
      {
        ...admin,
        schema: {
          operationId: 'webSearch.test',
          tags,
          summary: 'Search the web with a provider, before or after it was set',
          params: WorkspacePath,
          body: TestWebSearch,
          response: { 200: TestedWebSearch, ...failures(400, 401, 403, 404, 429) },
        },
      },
      async ({ caller, body }) => ({ data: await webSearch.test(caller, body) }),
    )
  }

const toWire = (record: WebSearchRecord | undefined): WebSearchSettings | null =>
  record
    ? {
        kind: record.kind,
        label: SEARCH_PROVIDERS[record.kind].label,
        base_url: record.baseUrl,
        has_key: record.apiKey !== null,
        key_hint: record.keyHint,
        created_at: record.createdAt,
        updated_at: record.updatedAt,
      }
    : null
