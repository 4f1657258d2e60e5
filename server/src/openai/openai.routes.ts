import type { FastifyPluginAsync, FastifyReply, FastifyRequest } from 'fastify'
import { type Reach, reach, requireApiKey } from '../access/access.ts'
import { lazy } from '../platform/concurrency/lazy.ts'
import type { Endpoint, EndpointOptions } from './endpoint.ts'
import { answerErrorsAsOpenAi } from './openai-errors.ts'

export type OpenAiRoutesOptions = EndpointOptions & Parameters<typeof requireApiKey>[1]

/** Bytes of a body, which may hold pictures in base64. */
const LARGEST_BODY = 12 * 1024 * 1024

/** The handlers hold keys to their scopes, because a body names agents by name, too. */
const configOf = (...on: Reach[]) => ({ access: { who: 'caller', bound: 'itself', on } }) as const
const asks = { config: configOf(reach.agent('use', 'body.model')), bodyLimit: LARGEST_BODY }

/** Docent behind OpenAI's protocols: agents as models, folders as vector stores. What answers is loaded when first asked. */
export const openAiRoutes =
  (services: OpenAiRoutesOptions): FastifyPluginAsync =>
  async (app) => {
    requireApiKey(app, services)
    answerErrorsAsOpenAi(app)
    const endpoint = lazy<Endpoint>(async () => new (await import('./endpoint.ts')).Endpoint(services))
    const by = (name: keyof Endpoint) => async (request: FastifyRequest, reply: FastifyReply) =>
      (await endpoint.get())[name](request, reply)

    app.get('/models', { config: configOf() }, by('listModels'))
    app.get('/models/:model', { config: configOf(reach.agent('use', 'params.model')) }, by('getModel'))
    app.post('/chat/completions', asks, by('complete'))
    app.post('/responses', asks, by('respond'))
    const response = configOf(reach.part('message', 'params.response_id'))
    app.get('/responses/:response_id', { config: response }, by('getResponse'))
    const store = configOf(reach.folder('read', 'params.vector_store_id'))
    app.post('/vector_stores/:vector_store_id/search', { config: store }, by('search'))
  }
