import type { SourceProvider } from '../../platform/source-apps.ts'

/** App at a provider of documents that a workspace registered. */
export interface SourceAppTable {
  organization_id: string
  workspace_id: string
  provider: SourceProvider
  client_id: string
  /** Sealed. */
  client_secret: string
  /** Last characters of the secret, for people. */
  secret_hint: string | null
  /** Organization whose people may log in; of Microsoft. */
  tenant: string | null
  /** Null: the provider's own. */
  authorize_url: string | null
  token_url: string | null
  created_at: string
  updated_at: string
}

/** Login of a person at a provider of documents. */
export interface SourceConnectionTable {
  id: string
  organization_id: string
  provider: SourceProvider
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
  /** Workspace whose app it was made with; null: one of the environment. */
  app_workspace_id: string | null
  /** Tells that app from another one that took its place. */
  app_hash: string | null
  /** End of the lease under which one process renews the tokens. */
  renewing_until: string | null
}

/** Login that a person has begun. */
export interface SourceLoginTable {
  state_hash: string
  organization_id: string
  provider: SourceProvider
  /** Session, or key, that began it. */
  holder_id: string
  /** Sealed: the verifier. */
  verifier: string
  expires_at: string
}
