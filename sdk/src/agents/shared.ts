import type { CallOptions, Transport } from '../http/transport.ts'
import type { Body } from '../operations.ts'

/** First calls of visitors of a link to an agent. Neither needs a key. */
export const shared = (transport: Transport) => ({
  /** The agent that a link leads to. @throws DocentError `AGENT_LINK_NOT_FOUND` */
  get: (token: string, options?: CallOptions) => transport.data('GET /shared/{token}', [token], options),

  /**
   * Lets a visitor in: with `visitor_token` in the place of an API key they use their own chats with the agent. The
   * token of an earlier visit, given along, keeps their chats. @throws DocentError `AGENT_LINK_NOT_FOUND`
   */
  visit: (token: string, visit: Body<'shared.visits.create'> = {}, options?: CallOptions) =>
    transport.data('POST /shared/{token}/visits', [token], { ...options, body: visit }),
})
