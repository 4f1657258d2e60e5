import type { Body, Query } from './operations.ts'
import { at, type CallOptions, type Transport } from './transport.ts'

/** Folders that are filled from a source and kept in step with it. One that is not there: `INTEGRATION_NOT_FOUND`. */
export const integrations = (transport: Transport) => {
  const one = (id: string) => at`/integrations/${id}`
  return {
    /**
     * Makes a folder and begins to fill it; `get` tells how far it is (`status`, `last_synced_at`, `error_message`).
     * @throws DocentError `VALIDATION_ERROR` for a `config` that its kind does not take, `KNOWLEDGE_BASE_NAME_CONFLICT`
     */
    create: (integration: Body<'integrations.create'>, options?: CallOptions) =>
      transport.data<'integrations.create'>('POST', '/integrations', { ...options, body: integration }),

    /** Newest first, 50 a page if not told otherwise; pages count from 1. */
    list: (query?: Query<'integrations.list'>, options?: CallOptions) =>
      transport.data<'integrations.list'>('GET', '/integrations', { ...options, query }),

    /** With its state; the secrets of its `config` are masked. */
    get: (id: string, options?: CallOptions) => transport.data<'integrations.get'>('GET', one(id), options),

    /** Ends it, and deletes its folder with all that it brought. */
    delete: (id: string, options?: CallOptions) => transport.data<'integrations.delete'>('DELETE', one(id), options),

    /** Begins to bring the folder in step with its source now; answers at once. */
    sync: (id: string, options?: CallOptions) =>
      transport.data<'integrations.sync'>('POST', `${one(id)}/sync`, options),
  }
}
