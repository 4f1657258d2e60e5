import type { FastifyPluginAsyncZod } from 'fastify-type-provider-zod'
import { type Credentials, findCaller } from '../access/access.ts'
import type { AgentRecord } from '../agents/agents.ts'
import type { CreateLimiter } from '../platform/cluster/limits/rate-limit.ts'
import { failures } from '../platform/http/failures.ts'
import { PictureReply, PictureVersion, sendPicture, UnchangedPicture } from '../platform/http/replies/pictures.ts'
import { networkOf } from '../platform/outbound/network-of.ts'
import { OpenVisit, SharedPath, SharedReply, VisitReply } from './links.schemas.ts'
import type { LinkRecord } from './links.store.ts'
import { lookOf } from './look.ts'
import type { VisitorService } from './visitors.service.ts'

/** A second and at once, from one address: nobody is to try tokens, or to be a thousand visitors. */
const PER_ADDRESS = { perSecond: 1, burst: 30 }
const tags = ['Shared agents']

export interface SharedRoutesOptions extends Credentials {
  visitors: VisitorService
  createLimiter: CreateLimiter
}

/** First calls of a link's visitors: its agent, and their token. They need no key. */
export const sharedRoutes =
  (options: SharedRoutesOptions): FastifyPluginAsyncZod =>
  async (app) => {
    const { visitors, createLimiter } = options
    const limiter = createLimiter('address', PER_ADDRESS, 'This address')
    app.addHook('onRequest', async (request, reply) => {
      const headers = await limiter.take(networkOf(request.ip))
      reply.headers({ ...headers, 'cache-control': 'no-store' })
    })

    app.get(
      '/shared/:token',
      {
        config: { access: { who: 'everybody', proof: 'the token of the link' } },
        schema: {
          operationId: 'shared.get',
          tags,
          security: [],
          summary: 'Show the agent that a link leads to',
          params: SharedPath,
          response: { 200: SharedReply, ...failures(404, 429) },
        },
      },
      async ({ params }) => ({ data: toShared(await visitors.describe(params.token)) }),
    )

    app.get(
      '/shared/:token/logo',
      {
        config: { access: { who: 'everybody', proof: 'the token of the link' } },
        schema: {
          operationId: 'shared.logo',
          tags,
          security: [],
          summary: 'Read the logo of a link',
          params: SharedPath,
          querystring: PictureVersion,
          response: { 200: PictureReply, 304: UnchangedPicture, ...failures(404, 429) },
        },
      },
      async ({ params, headers }, reply) => sendPicture(reply, headers, await visitors.logo(params.token)),
    )

    app.post(
      '/shared/:token/visits',
      {
        config: { access: { who: 'everybody', proof: 'the token of the link' } },
        schema: {
          operationId: 'shared.visits.create',
          tags,
          security: [],
          summary:
            'Get the token with which a visitor chats: it opens their own chats with this agent, and nothing else',
          params: SharedPath,
          body: OpenVisit,
          response: { 200: VisitReply, ...failures(400, 401, 403, 404, 429) },
        },
      },
      async (request) => {
        const insider = await findCaller(request, options)
        const visit = await visitors.open(request.params.token, request.body.visitor_token, insider)
        return {
          data: {
            visitor_token: visit.visitorToken,
            expires_at: new Date(visit.expiresAt).toISOString(),
            visitor_id: visit.visitorId,
            agent: toShared(visit),
          },
        }
      },
    )
  }

const toShared = ({ link, agent }: { link: LinkRecord; agent: AgentRecord }) => ({
  agent_id: agent.id,
  name: agent.name,
  description: agent.description,
  greeting: link.greeting,
  audience: link.audience,
  ...lookOf(link),
})
