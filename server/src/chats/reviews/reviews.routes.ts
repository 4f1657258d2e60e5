import type { FastifyPluginAsyncZod } from 'fastify-type-provider-zod'
import { reach } from '../../access/access.ts'
import { failures } from '../../platform/http/failures.ts'
import { pageOf } from '../../platform/http/validation/schemas.ts'
import { InboxPath, ReviewList, ReviewListQuery } from './reviews.schemas.ts'
import type { ReviewService } from './reviews.service.ts'
import { toReview } from './reviews.wire.ts'

export const reviewRoutes =
  ({ reviews }: { reviews: ReviewService }): FastifyPluginAsyncZod =>
  async (app) => {
    app.get(
      '/workspaces/:workspace_id/reviews',
      {
        config: { access: { who: 'caller', on: [reach.workspace], bound: 'filtered' } },
        schema: {
          operationId: 'reviews.list',
          tags: ['Messages'],
          summary: 'The inbox: what the messages of a workspace wait for, newest first',
          params: InboxPath,
          querystring: ReviewListQuery,
          response: { 200: ReviewList, ...failures(400, 401, 403) },
        },
      },
      async ({ caller, query }) => {
        const found = await reviews.list(caller, query)
        return { data: { reviews: found.reviews.map(toReview), ...pageOf(query, found.total) } }
      },
    )
  }
