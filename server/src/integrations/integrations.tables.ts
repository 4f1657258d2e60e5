export type IntegrationStatus = 'idle' | 'syncing' | 'failed'

/** State of one item of a source, from one sync to the next. */
export interface IntegrationItemTable {
  organization_id: string
  integration_id: string
  /** Id that the source gives it. */
  item_key: string
  /** State in the form of the source's kind. */
  state: string
}

export interface IntegrationTable {
  id: string
  organization_id: string
  kind: string
  /** The folder that it fills; the sub-folders are linked to it by `folder.integration_id`. */
  folder_id: string
  /** JSON, as the kind's schema left it, its secrets sealed. */
  config: string
  status: IntegrationStatus
  error_message: string | null
  /** Raised each time that a sync is asked for or planned: an older one must write nothing more. */
  generation: number
  last_synced_at: string | null
  /** JSON of the sync that runs or was the last; null before the first. */
  progress: string | null
  /** JSON list of the items that it left out. */
  problems: string | null
  /** Time since which no sync is planned. */
  paused_at: string | null
  created_at: string
  updated_at: string
}
