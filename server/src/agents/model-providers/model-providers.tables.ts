import type { Generated } from 'kysely'
import type { ProviderKind } from '../../platform/models/model-provider.ts'

/** A provider of models that a workspace set up. */
export interface ModelProviderTable {
  organization_id: string
  workspace_id: string
  /** First half of the ids of its models; unique in the workspace. */
  name: string
  kind: ProviderKind
  /** Null: the vendor's own. */
  base_url: string | null
  /** Sealed. */
  api_key: string | null
  /** Its last characters, as people are shown it. */
  key_hint: string | null
  created_at: string
  updated_at: string
  /** Another one after each change. */
  version: string
}

/** Models that a workspace chose for kinds of work; null: as the server has it. */
export interface ModelDefaultsTable {
  organization_id: string
  workspace_id: string
  answers: string | null
  summaries: string | null
  titles: Generated<string | null>
  transcription: Generated<string | null>
  /** `none` for a workspace that has nothing reordered. */
  reranking: Generated<string | null>
  updated_at: string
}
