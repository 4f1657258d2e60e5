import type { WebSearchKind } from './search-providers.ts'

/** Provider of web search that a workspace set up, at most one. */
export interface WebSearchTable {
  organization_id: string
  workspace_id: string
  kind: WebSearchKind
  /** Null: the vendor's own. */
  base_url: string | null
  /** Sealed. */
  api_key: string | null
  /** Last characters of the key, for people. */
  key_hint: string | null
  created_at: string
  updated_at: string
}
