import type { Generated } from 'kysely'

export interface FolderTable {
  id: string
  organization_id: string
  parent_id: string | null
  name: string
  /** Lower-case NFC form: what names are compared by within a location. */
  name_key: string
  /** JSON array of strings. */
  tags: string
  integration_id: string | null
  /** Id that the source of its integration gives it. */
  source_key: string | null
  created_at: string
  updated_at: string
  /** Set on a whole tree at once; what is below is then out of reach and is removed in the background. */
  deleted_at: string | null
}

/** Share of a folder and all below it with another organization, which may read it. */
export interface FolderShareTable {
  /** Organization that the folder belongs to. */
  organization_id: string
  folder_id: string
  /** The organization that may read it. */
  recipient_id: string
  created_at: string
}

export interface UploadTable {
  id: string
  organization_id: string
  blob_key: string
  file_name: string
  media_type: string
  size_bytes: number
  sha256: string
  virtual_user_id: string | null
  /** Workspace of the sender; null for an upload from before that was kept. */
  workspace_id: string | null
  /** The key, or the link of a visitor. */
  key_id: string | null
  session_id: string | null
  visitor_id: string | null
  created_at: string
  expires_at: string
}

export type DataSourceStatus = 'pending' | 'indexing' | 'successful' | 'failed'

/** Ways in which a file comes to its content. */
export type ContentOrigin = 'upload' | 'push' | 'sync' | 'restore'

export interface DataSourceTable {
  id: string
  organization_id: string
  folder_id: string
  title: string
  /** Lower case, for searching by name. */
  title_key: string
  source_type: string
  status: DataSourceStatus
  status_reason: string | null
  blob_key: string
  file_name: string
  media_type: string
  size_bytes: number
  sha256: string
  /** The stored parse, from which the search index can be built again. */
  parsed_blob_key: string | null
  /** Raised each time that indexing is asked for: what an older request finds out is then of no interest. */
  index_generation: number
  /** Folder under which the search engine holds the passages; null while it holds none. */
  indexed_folder_id: string | null
  chunk_count: number
  virtual_user_id: string | null
  /** Id that the source of its integration gives it, within its folder. */
  source_key: string | null
  /** Differs when the source's content may differ. */
  source_version: string | null
  /**
   * JSON object: how far the indexing is, or the last one was. Null before the first, and in rows from before it was
   * kept.
   */
  indexing: Generated<string | null>
  /** JSON object: what is known of the file. The rows of `data_source_metadata` are made of it. */
  metadata: Generated<string>
  /** Id that another system gives a file that it pushed, once in a folder. */
  external_id: Generated<string | null>
  /** Time at which the file changed in that system, as far as it said. */
  external_updated_at: Generated<string | null>
  /** Number of its content, from 1. */
  version: Generated<number>
  /**
   * Number of the content that searches continue to find while the newest cannot be found; null while nothing else is.
   */
  served_version: Generated<number | null>
  /** The stored parse as the file was read, where `parsed_blob_key` is one with changes by hand; else null. */
  read_parse_blob_key: Generated<string | null>
  /** Raised with each change of its passages by hand. */
  edits_version: Generated<number>
  /** How its content came; null in rows from before that was kept, which were uploaded or synced. */
  content_origin: Generated<ContentOrigin | null>
  /** Key of who gave its content. */
  content_key_id: Generated<string | null>
  /** Time at which it got its content; null: when it was made. */
  content_at: Generated<string | null>
  /** JSON: how far it is unpacked; null for a file that is no archive to be unpacked. */
  unpacking: Generated<string | null>
  /** List of who may read it, of those who may read its folder; null: all of them. */
  reader_list_id: Generated<string | null>
  created_at: string
  updated_at: string
}

/** Content that a file had before the one that it has. */
export interface DataSourceVersionTable {
  organization_id: string
  data_source_id: string
  version: number
  origin: ContentOrigin
  key_id: string | null
  virtual_user_id: string | null
  blob_key: string
  file_name: string
  media_type: string
  size_bytes: number
  sha256: string
  created_at: string
  replaced_at: string
}

/** One value of a file's metadata, in the form that filters compare; a list has a row for each item. */
export interface DataSourceMetadataTable {
  organization_id: string
  data_source_id: string
  key: string
  position: number
  kind: 'text' | 'number' | 'boolean' | 'date'
  /** Lower case; null for what is no text. */
  text_value: string | null
  /** A number, 0 or 1 for a boolean, milliseconds since 1970 for a date. */
  number_value: number | null
}

/** Kinds of events of files that are kept for a while. */
export type StoredEventType = 'created' | 'indexed' | 'failed' | 'moved' | 'deleted'

/** Something that happened to a file. */
export interface FileEventTable {
  id: string
  organization_id: string
  /** Folder that is told. */
  folder_id: string
  data_source_id: string
  type: StoredEventType
  /** Folder at the other end of a move. */
  other_folder_id: string | null
  /** Place among the events of the organization; null until somebody reads it. */
  number: number | null
  created_at: string
}
