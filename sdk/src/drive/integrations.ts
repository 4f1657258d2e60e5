import type { CallOptions, Transport } from '../http/transport.ts'
import type { Body, Query } from '../operations.ts'

/** Folders that are filled from a source and kept in step with it. One that is not there: `INTEGRATION_NOT_FOUND`. */
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

  /** With its state; the secrets of its `config` are masked. */
  get: (id: string, options?: CallOptions) => transport.data('GET /integrations/{integration_id}', [id], options),

  /** Ends it, and deletes its folder with all that it brought. */
  delete: (id: string, options?: CallOptions) => transport.data('DELETE /integrations/{integration_id}', [id], options),

  /** Begins to bring the folder in step with its source now; answers at once. */
  sync: (id: string, options?: CallOptions) =>
    transport.data('POST /integrations/{integration_id}/sync', [id], options),
})
