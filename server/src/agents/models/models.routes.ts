import type { FastifyPluginAsyncZod } from 'fastify-type-provider-zod'
import { reach } from '../../access/access.ts'
import { failures } from '../../platform/http/failures.ts'
import type { Models } from '../../platform/models/models.ts'
import { AgentPath } from '../agent/agents.schemas.ts'
import type { AgentService } from '../agent/agents.service.ts'
import { checkModel } from './check-model.ts'
import { listModels, type Prices } from './list-models.ts'
import { AgentModelReply, CheckModel, CheckModelReply, ModelsReply } from './models.schemas.ts'

const tags = ['Agents']

export interface ModelRoutesOptions {
  models: Models
  usage: Prices
  agents: Pick<AgentService, 'get'>
}

/** Routes of the models that agents can be given. */
export const modelRoutes =
  ({ models, usage, agents }: ModelRoutesOptions): FastifyPluginAsyncZod =>
  async (app) => {
    app.get(
      '/models',
      {
        config: { access: { who: 'manage_agents' } },
        schema: {
          operationId: 'models.list',
          tags,
          summary: 'List the models of this server: its providers, and the model of agents that name none',
          response: { 200: ModelsReply, ...failures(401, 403) },
        },
      },
      async ({ caller }) => ({ data: await listModels(await models.of(caller), usage) }),
    )

    app.get(
      '/agents/:agent_id/model',
      {
        config: { access: { who: 'caller', on: [reach.agent('use')], virtualUsers: 'keys' } },
        schema: {
          operationId: 'agents.model.get',
          tags,
          summary: 'Get the model that an agent answers with, and what it can do',
          params: AgentPath,
          response: { 200: AgentModelReply, ...failures(401, 403, 404) },
        },
      },
      async ({ caller, params }) => {
        const { model } = await agents.get(caller, params.agent_id)
        const set = await models.of(caller)
        const id = model ?? set.defaultModelId
        const known = await set.findAbilities(id)
        return {
          data: { model: id, can_converse: set.canConverse(id), sees_pictures: known?.seesPictures ?? null },
        }
      },
    )

    app.post(
      '/models/actions/check',
      {
        config: { access: { who: 'manage_agents' } },
        schema: {
          operationId: 'models.check',
          tags,
          summary: 'Ask a model for one word, to see whether it answers',
          body: CheckModel,
          response: { 200: CheckModelReply, ...failures(400, 401, 403) },
        },
      },
      async ({ body, caller }, reply) => {
        const left = new AbortController()
        reply.raw.once('close', () => left.abort())
        const set = await models.of(caller)
        return { data: await checkModel(set, body.model ?? set.defaultModelId, left.signal) }
      },
    )
  }
