import type { CallOptions, Transport } from '../http/transport.ts'
import type { Body } from '../operations.ts'

/** Models that agents can be given. Needs the permission `manage_agents`. */
export const models = (transport: Transport) => ({
  /** The providers, whether they are set up, and the model of agents that name none. */
  list: (options?: CallOptions) => transport.data('GET /models', [], options),

  /** Asks a model for one word: one that does not answer is no error, see `answers` and `error_message`. */
  check: (which: Body<'models.check'> = {}, options?: CallOptions) =>
    transport.data('POST /models/actions/check', [], { ...options, body: which }),
})

/**
 * Providers of models that a workspace sets up by itself, for admins and owners. Those that an operator set are listed,
 * and cannot be changed (409 `MODEL_PROVIDER_BY_ENVIRONMENT`). Keys are never returned: `key_hint` is the end of one.
 */
export const modelProviders = (transport: Transport) => ({
  list: (workspaceId: string, options?: CallOptions) =>
    transport.list('GET /workspaces/{workspace_id}/model-providers', [workspaceId], options),

  /** Adds or changes one; agents can use its models at once, as `NAME/MODEL`. An `api_key` that is left out stays. */
  put: (workspaceId: string, name: string, provider: Body<'modelProviders.put'>, options?: CallOptions) =>
    transport.data('PUT /workspaces/{workspace_id}/model-providers/{name}', [workspaceId, name], {
      ...options,
      body: provider,
    }),

  /** @throws DocentError `MODEL_PROVIDER_IN_USE` while agents answer with its models */
  delete: (workspaceId: string, name: string, options?: CallOptions) =>
    transport.data('DELETE /workspaces/{workspace_id}/model-providers/{name}', [workspaceId, name], options),

  /** Asks it for its models: one that does not answer is no error, see `is_ok` and `error_message`. */
  test: (workspaceId: string, name: string, provider: Body<'modelProviders.test'> = {}, options?: CallOptions) =>
    transport.data('POST /workspaces/{workspace_id}/model-providers/{name}/test', [workspaceId, name], {
      ...options,
      body: provider,
    }),
})

/** Models that a workspace chose for answers, summaries, titles and speech, for admins and owners. */
export const modelDefaults = (transport: Transport) => ({
  get: (workspaceId: string, options?: CallOptions) =>
    transport.data('GET /workspaces/{workspace_id}/model-defaults', [workspaceId], options),

  /** Replaces all of them: one that is left out is as the server has it. */
  put: (workspaceId: string, defaults: Body<'modelDefaults.put'>, options?: CallOptions) =>
    transport.data('PUT /workspaces/{workspace_id}/model-defaults', [workspaceId], { ...options, body: defaults }),

  /** Has a reranker score two short texts. */
  testReranking: (workspaceId: string, test: Body<'modelDefaults.testReranking'>, options?: CallOptions) =>
    transport.data('POST /workspaces/{workspace_id}/model-defaults/reranking/test', [workspaceId], {
      ...options,
      body: test,
    }),
})

/**
 * Embedding model behind the search of all workspaces of an organization, for admins and owners. Another choice builds
 * an index in the background; searches go to the old one until the new one is whole.
 */
export const searchIndex = (transport: Transport) => ({
  /** Tells what serves, what the environment says, and how far the next one is. */
  get: (workspaceId: string, options?: CallOptions) =>
    transport.data('GET /workspaces/{workspace_id}/search-index', [workspaceId], options),

  /** Begins to build the index of a choice, or continues with it where it failed. */
  choose: (workspaceId: string, choice: Body<'searchIndex.choose'>, options?: CallOptions) =>
    transport.data('PUT /workspaces/{workspace_id}/search-index', [workspaceId], { ...options, body: choice }),

  /** Stops building: the index that serves stays. */
  cancel: (workspaceId: string, options?: CallOptions) =>
    transport.data('DELETE /workspaces/{workspace_id}/search-index/build', [workspaceId], options),

  /** Asks an embedding model for one vector: one that does not answer is no error, see `is_ok` and `error_message`. */
  test: (workspaceId: string, which: Body<'searchIndex.test'>, options?: CallOptions) =>
    transport.data('POST /workspaces/{workspace_id}/search-index/test', [workspaceId], { ...options, body: which }),
})
