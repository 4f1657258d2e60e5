/** Search index of an organization, where it is another one than the environment's, and the one that is being built. */
export interface SearchIndexTable {
  organization_id: string
  /** The engine's space that serves; null: that of the environment's embedding model. */
  space: string | null
  /** Workspace whose providers the model is one of. */
  workspace_id: string | null
  /** Embedding model of the vectors that serve; null: words alone, or the environment's. */
  model: string | null
  /** Null while none is being built, as all that follows but the numbers. */
  build_id: string | null
  build_source: IndexSource | null
  build_space: string | null
  build_workspace_id: string | null
  build_model: string | null
  /** `failed`: it waits for a person. */
  build_state: 'building' | 'failed' | null
  /** `files`: all files by their ids; `changes`: those that changed meanwhile; `checked`: nothing was missing. */
  build_phase: BuildPhase | null
  build_step: number
  /** Id of the last file that was written. */
  build_cursor: string | null
  /** Null until they are counted. */
  build_files_total: number | null
  build_files_done: number
  build_passages_done: number
  /** Files whose stored parse cannot be read. */
  build_files_skipped: number
  build_error: string | null
  build_started_at: string | null
  updated_at: string
}

/** Origin of the embedding model of an index; `none`: it finds by words alone. */
export type IndexSource = 'environment' | 'workspace' | 'none'

export type BuildPhase = 'files' | 'changes' | 'checked'

/** A file that the index that is being built, or was built last, has to take over again. */
export interface SearchIndexChangeTable {
  organization_id: string
  data_source_id: string
  /** Raised by each change: what was written for an older one does not settle it. */
  version: number
}
