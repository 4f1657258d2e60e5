import type { CallOptions, Transport } from '../http/transport.ts'
import type { Body, Query } from '../operations.ts'

/** Folders that are filled from a source and kept in sync with it. One that is not there: `INTEGRATION_NOT_FOUND`. */
export const integrations = (transport: Transport) => ({
  /**
   * Makes a folder and begins to fill it; `get` tells how far it is (`status`, `last_synced_at`, `error_message`).
   * @throws DocentError `VALIDATION_ERROR` for a `config` that its kind does not take, `KNOWLEDGE_BASE_NAME_CONFLICT`
   */
  create: (integration: Body<'integrations.create'>, options?: CallOptions) =>
    transport.data('POST /integrations', [], { ...options, body: integration }),

  /** Newest first, 50 a page by default; pages count from 1. */
  list: (query?: Query<'integrations.list'>, options?: CallOptions) =>
    transport.list('GET /integrations', [], { ...options, query }),

  /** Returns the integration with its state; the secrets in its `config` are masked. */
  get: (id: string, options?: CallOptions) => transport.data('GET /integrations/{integration_id}', [id], options),

  /** Providers at which people can log in: by apps of the server's environment, and of the workspace. */
  apps: (options?: CallOptions) => transport.data('GET /integrations/apps', [], options),

  /**
   * Sets the app of a workspace at a provider. A `client_secret` that is left out stays, as long as the app is the
   * same.
   * @throws DocentError `VALIDATION_ERROR` for a provider that the server's environment sets
   */
  putApp: (
    workspaceId: string,
    provider: Body<'integrations.connect'>['provider'],
    app: Body<'integrations.putApp'>,
    options?: CallOptions,
  ) =>
    transport.data('PUT /workspaces/{workspace_id}/source-apps/{provider}', [workspaceId, provider], {
      ...options,
      body: app,
    }),

  /** Removes it; folders that are linked by it ask for a new login. @throws DocentError `SOURCE_APP_NOT_FOUND` */
  deleteApp: (workspaceId: string, provider: Body<'integrations.connect'>['provider'], options?: CallOptions) =>
    transport.data('DELETE /workspaces/{workspace_id}/source-apps/{provider}', [workspaceId, provider], options),

  /** Begins the login at a provider of documents. @returns the page to send the person to */
  connect: (provider: Body<'integrations.connect'>['provider'], options?: CallOptions) =>
    transport.data('POST /integrations/actions/connect', [], { ...options, body: { provider } }),

  /**
   * Finishes it with the query that the person came back with, by the session or key that began it.
   * @returns the `id` for `connection` in a config @throws DocentError `SOURCE_LOGIN_FAILED`
   */
  finishConnect: (query: Body<'integrations.finishConnect'>, options?: CallOptions) =>
    transport.data('POST /integrations/actions/finish-connect', [], { ...options, body: query }),

  /** Ends it, and deletes its folder with all that it brought. */
  delete: (id: string, options?: CallOptions) => transport.data('DELETE /integrations/{integration_id}', [id], options),

  /** Begins to sync the folder with its source now; answers at once. */
  sync: (id: string, options?: CallOptions) =>
    transport.data('POST /integrations/{integration_id}/sync', [id], options),

  /**
   * Changes settings, pauses or resumes it. Secrets that are left out stay, unless the source itself is another one.
   * @throws DocentError `VALIDATION_ERROR` for a `config` that its kind does not take, `INTEGRATION_CHANGED`
   */
  update: (id: string, changes: Body<'integrations.update'>, options?: CallOptions) =>
    transport.data('PATCH /integrations/{integration_id}', [id], { ...options, body: changes }),

  /** Stops the sync that runs; what it brought stays, and the next comes after the interval. */
  cancel: (id: string, options?: CallOptions) =>
    transport.data('POST /integrations/{integration_id}/cancel', [id], options),

  /** Items that the sync which runs, or else the last one, left out: 1,000 at most. */
  problems: (id: string, query?: Query<'integrations.problems'>, options?: CallOptions) =>
    transport.list('GET /integrations/{integration_id}/problems', [id], { ...options, query }),

  /**
   * Looks whether a source can be read with these settings, and lists what is at its root; nothing is stored.
   * @throws DocentError `VALIDATION_ERROR` with the field that is at fault
   */
  test: (settings: Body<'integrations.test'>, options?: CallOptions) =>
    transport.data('POST /integrations/test', [], { ...options, body: settings }),
})
