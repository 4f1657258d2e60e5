import { type CallOptions, type Transport, withoutKeys } from '../http/transport.ts'
import type { Body } from '../operations.ts'

/** First calls of visitors of a link to an agent. None needs a key. */
export const shared = (ofAll: Transport) => sharedOf(withoutKeys(ofAll))

const sharedOf = (transport: Transport) => ({
  /** The agent that a link leads to. @throws DocentError `AGENT_LINK_NOT_FOUND` */
  get: (token: string, options?: CallOptions) => transport.data('GET /shared/{token}', [token], options),

  /** The logo of the link, with its media type. @throws DocentError `AGENT_LINK_NOT_FOUND` for a link without one, too */
  logo: (token: string, options?: CallOptions) => transport.open('GET /shared/{token}/logo', [token], options),

  /**
   * Lets a visitor in: with `visitor_token` in the place of an API key they use their own chats with the agent. The
   * token of an earlier visit, given along, keeps their chats. @throws DocentError `AGENT_LINK_NOT_FOUND`
   */
  visit: (token: string, visit: Body<'shared.visits.create'> = {}, options?: CallOptions) =>
    transport.data('POST /shared/{token}/visits', [token], { ...options, body: visit }),
})
