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
