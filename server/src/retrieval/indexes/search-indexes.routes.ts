import type { FastifyPluginAsyncZod } from 'fastify-type-provider-zod'
import { reach } from '../../access/access.ts'
import { failures } from '../../platform/http/failures.ts'
import { ChooseIndex, IndexPath, IndexReply, TestEmbedding, TestedEmbedding } from './search-indexes.schemas.ts'
import type { SearchIndexService } from './search-indexes.service.ts'

const tags = ['Search index']
const admin = { config: { access: { who: 'admin', on: [reach.workspace] } } } as const

/** Routes of the embedding model behind the search. */
export const searchIndexRoutes =
  ({ searchIndex }: { searchIndex: SearchIndexService }): FastifyPluginAsyncZod =>
  async (app) => {
    app.get(
      '/workspaces/:workspace_id/search-index',
      {
        ...admin,
        schema: {
          operationId: 'searchIndex.get',
          tags,
          summary: 'Get the embedding model behind the search, and the index that is being built for another',
          params: IndexPath,
          response: { 200: IndexReply, ...failures(401, 403) },
        },
      },
      async ({ caller }) => ({ data: await searchIndex.get(caller) }),
    )

    app.put(
      '/workspaces/:workspace_id/search-index',
      {
        ...admin,
        schema: {
          operationId: 'searchIndex.choose',
          tags,
          summary: 'Choose the embedding model of the search; the old index serves until the new one is whole',
          params: IndexPath,
          body: ChooseIndex,
          response: { 200: IndexReply, ...failures(400, 401, 403) },
        },
      },
      async ({ caller, body }) => ({ data: await searchIndex.choose(caller, body) }),
    )

    app.delete(
      '/workspaces/:workspace_id/search-index/build',
      {
        ...admin,
        schema: {
          operationId: 'searchIndex.cancel',
          tags,
          summary: 'Stop building an index: the one that serves stays',
          params: IndexPath,
          response: { 200: IndexReply, ...failures(401, 403) },
        },
      },
      async ({ caller }) => ({ data: await searchIndex.cancel(caller) }),
    )

    app.post(
      '/workspaces/:workspace_id/search-index/test',
      {
        ...admin,
        schema: {
          operationId: 'searchIndex.test',
          tags,
          summary: 'Ask an embedding model for one vector',
          params: IndexPath,
          body: TestEmbedding,
          response: { 200: TestedEmbedding, ...failures(400, 401, 403, 429) },
        },
      },
      async ({ caller, body }) => ({ data: await searchIndex.test(caller, body.model) }),
    )
  }
