/** Login of an agent at an MCP server that asks for one. */
export interface McpConnectionTable {
  organization_id: string
  agent_id: string
  url: string
  /** Sealed: client, tokens, and where they came from. */
  grant_data: string
  /** Null where the authorization server does not say. */
  expires_at: string | null
  connected_by: string
  connected_at: string
  /** Set once nobody but a person can get another token. */
  lost_at: string | null
  /** Counts changes of the tokens. */
  version: number
  /** End of the lease under which one process renews the tokens. */
  renewing_until: string | null
}

/** Login that a person has begun. */
export interface McpLoginTable {
  state_hash: string
  organization_id: string
  agent_id: string
  url: string
  /** Session, or key, that began it. */
  holder_id: string
  /** Sealed: client, verifier, metadata. */
  login: string
  expires_at: string
}
