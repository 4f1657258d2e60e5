import type { FastifyPluginAsyncZod } from 'fastify-type-provider-zod'
import { reach } from '../../access/access.ts'
import { failures } from '../../platform/http/failures.ts'
import { Deleted } from '../../platform/http/validation/schemas.ts'
import type { ModelProvider } from '../../platform/models/model-provider.ts'
import { labelOf } from '../../platform/models/providers.ts'
import { WorkspacePath } from '../provider-settings/provider-settings.schemas.ts'
import { ModelDefaultsReply, PutModelDefaults } from './model-defaults.schemas.ts'
import {
  ModelProviderList,
  ModelProviderPath,
  type ModelProviderSettings,
  OneModelProvider,
  PutModelProvider,
  TestedModelProvider,
  TestedReranker,
  TestModelProvider,
  TestReranker,
} from './model-providers.schemas.ts'
import type { ModelProviders } from './model-providers.service.ts'
import type { ModelProviderRecord } from './model-providers.store.ts'

const tags = ['Model providers']
const all = { config: { access: { who: 'admin', on: [reach.workspace] } } } as const
const one = {
  config: { access: { who: 'admin', on: [reach.workspace, reach.part('model_provider', 'params.name')] } },
} as const

export interface ModelProviderRoutesOptions {
  modelProviders: ModelProviders
  /** Models of the server's own settings. */
  serverModels: { answers: string; embeddings: string | null; reranking: string | null }
}

/** Routes of the providers of models that workspaces set up, and of the models that they chose. */
export const modelProviderRoutes =
  ({ modelProviders, serverModels }: ModelProviderRoutesOptions): FastifyPluginAsyncZod =>
  async (app) => {
    app.get(
      '/workspaces/:workspace_id/model-providers',
      {
        ...all,
        schema: {
          operationId: 'modelProviders.list',
          tags,
          summary: 'List the model providers of a workspace, and those that an operator set',
          params: WorkspacePath,
          response: { 200: ModelProviderList, ...failures(401, 403) },
        },
      },
      async ({ caller }) => ({
        data: {
          model_providers: [
            ...modelProviders.ofEnvironment().map(fixedToWire),
            ...(await modelProviders.list(caller)).map(toWire),
          ],
        },
      }),
    )

    app.put(
      '/workspaces/:workspace_id/model-providers/:name',
      {
        ...one,
        schema: {
          operationId: 'modelProviders.put',
          tags,
          summary: 'Add or change a model provider; agents can use its models at once, as NAME/MODEL',
          params: ModelProviderPath,
          body: PutModelProvider,
          response: { 200: OneModelProvider, ...failures(400, 401, 403, 409) },
        },
      },
      async ({ caller, params, body }) => ({ data: toWire(await modelProviders.put(caller, params.name, body)) }),
    )

    app.delete(
      '/workspaces/:workspace_id/model-providers/:name',
      {
        ...one,
        schema: {
          operationId: 'modelProviders.delete',
          tags,
          summary: 'Remove a model provider that no agent uses',
          params: ModelProviderPath,
          response: { 200: Deleted, ...failures(400, 401, 403, 404, 409) },
        },
      },
      async ({ caller, params }) => {
        await modelProviders.remove(caller, params.name)
        return { data: { deleted: true as const } }
      },
    )

    app.post(
      '/workspaces/:workspace_id/model-providers/:name/test',
      {
        ...one,
        schema: {
          operationId: 'modelProviders.test',
          tags,
          summary: 'Ask a model provider for its models, before or after it was added',
          params: ModelProviderPath,
          body: TestModelProvider,
          response: { 200: TestedModelProvider, ...failures(400, 401, 403, 404, 429) },
        },
      },
      async ({ caller, params, body }) => ({ data: await modelProviders.test(caller, params.name, body) }),
    )

    app.get(
      '/workspaces/:workspace_id/model-defaults',
      {
        ...all,
        schema: {
          operationId: 'modelDefaults.get',
          tags,
          summary: 'Get the models that a workspace chose for answers, summaries, titles, speech and reranking',
          params: WorkspacePath,
          response: { 200: ModelDefaultsReply, ...failures(401, 403) },
        },
      },
      async ({ caller }) => ({ data: { ...(await modelProviders.getDefaults(caller)), server: serverModels } }),
    )

    app.put(
      '/workspaces/:workspace_id/model-defaults',
      {
        ...all,
        schema: {
          operationId: 'modelDefaults.put',
          tags,
          summary:
            'Choose the models for answers, summaries, titles, speech and reranking; what is left out is as the server has it',
          params: WorkspacePath,
          body: PutModelDefaults,
          response: { 200: ModelDefaultsReply, ...failures(400, 401, 403) },
        },
      },
      async ({ caller, body }) => ({
        data: { ...(await modelProviders.putDefaults(caller, body)), server: serverModels },
      }),
    )

    app.post(
      '/workspaces/:workspace_id/model-defaults/reranking/test',
      {
        ...all,
        schema: {
          operationId: 'modelDefaults.testReranking',
          tags,
          summary: 'Ask a reranker for the scores of two short texts',
          params: WorkspacePath,
          body: TestReranker,
          response: { 200: TestedReranker, ...failures(400, 401, 403, 429) },
        },
      },
      async ({ caller, body }) => ({ data: await modelProviders.testReranking(caller, body.model) }),
    )
  }

const toWire = (record: ModelProviderRecord): ModelProviderSettings => ({
  name: record.name,
  label: labelOf(record),
  kind: record.kind,
  source: 'workspace',
  base_url: record.baseUrl,
  has_key: record.apiKey !== null,
  key_hint: record.keyHint,
  created_at: record.createdAt,
  updated_at: record.updatedAt,
})

const fixedToWire = ({ id, kind, label, apiKey }: ModelProvider): ModelProviderSettings => ({
  name: id,
  label: label.replace(/^The /, ''),
  kind,
  source: 'environment',
  base_url: null,
  has_key: apiKey !== undefined,
  key_hint: null,
  created_at: null,
  updated_at: null,
})
