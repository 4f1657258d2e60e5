import type { FastifyPluginAsyncZod } from 'fastify-type-provider-zod'
import { failures } from '../../platform/http/failures.ts'
import type { Models } from '../../platform/models/models.ts'
import { checkModel } from './check-model.ts'
import { CheckModel, CheckModelReply, ModelsReply } from './models.schemas.ts'

const tags = ['Agents']

export interface ModelRoutesOptions {
  models: Models
  /** Models that the operator knows prices of are likely the ones that are used. */
  usage: { prices(): { pattern: string }[] }
}

/** Routes of the models that agents can be given. */
export const modelRoutes =
  ({ models, usage }: ModelRoutesOptions): FastifyPluginAsyncZod =>
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
      async () => {
        const { defaultModelId } = models
        const priced = usage.prices().map(({ pattern }) => pattern)
        const known = new Set([defaultModelId, ...models.suggestions(), ...priced.filter((id) => !id.includes('*'))])
        return {
          data: {
            default_model: defaultModelId,
            can_converse: models.canConverse(defaultModelId),
            providers: models.providers().map(({ id, name, missing }) => ({
              id,
              name,
              is_configured: missing === null,
              missing_setting: missing,
              models: missing === null ? [...known].filter((model) => model.startsWith(`${id}/`)) : [],
            })),
          },
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
      async ({ body }, reply) => {
        const left = new AbortController()
        reply.raw.once('close', () => left.abort())
        return { data: await checkModel(models, body.model ?? models.defaultModelId, left.signal) }
      },
    )
  }
