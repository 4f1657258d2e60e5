import type { CallOptions, Transport } from '../http/transport.ts'
import type { Body } from '../operations.ts'

/** Tokens with which virtual users chat by themselves, from a browser. */
export const userTokens = (transport: Transport) => ({
  /**
   * Makes a token: for a server, which hands it to the browser of the person. It works for an hour by default, for a day
   * at most, and in a client of its own as its `apiKey`.
   * @throws DocentError `AGENT_NOT_FOUND`, `KNOWLEDGE_BASE_NOT_FOUND`, `FORBIDDEN` for a person that the key does not speak for
   */
  create: (token: Body<'userTokens.create'>, options?: CallOptions) =>
    transport.data('POST /user-tokens', [], { ...options, body: token }),
})

/** Origins whose pages may call with such a token. For keys of a workspace's admins and owners; its id is in `me()`. */
export const browserOrigins = (transport: Transport) => ({
  /** Returns the list, sorted by name. */
  get: (workspaceId: string, options?: CallOptions) =>
    transport.data('GET /workspaces/{workspace_id}/origins', [workspaceId], options),

  /** Sets all of them: exact, like `https://app.example.com`; http only for localhost. */
  set: (workspaceId: string, origins: string[], options?: CallOptions) =>
    transport.data('PUT /workspaces/{workspace_id}/origins', [workspaceId], { ...options, body: { origins } }),
})
