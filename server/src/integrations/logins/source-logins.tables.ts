/** Login of a person at a provider of documents. */
export interface SourceConnectionTable {
  id: string
  organization_id: string
  provider: string
  /** Key, or key of the member, that connected: nobody else may use it. */
  key_id: string
  /** Integration that reads with it; null until one is stored. */
  integration_id: string | null
  /** Account at the provider; empty where it does not say. */
  account: string
  connected_by: string
  connected_at: string
  /** Sealed: the tokens. */
  grant_data: string
  /** Null where the provider does not say. */
  expires_at: string | null
  /** Set once nobody but a person can get another token. */
  lost_at: string | null
  /** Counts changes of the tokens. */
  version: number
  /** End of the lease under which one process renews the tokens. */
  renewing_until: string | null
}

/** Login that a person has begun. */
export interface SourceLoginTable {
  state_hash: string
  organization_id: string
  provider: string
  /** Session, or key, that began it. */
  holder_id: string
  /** Sealed: the verifier. */
  verifier: string
  expires_at: string
}
