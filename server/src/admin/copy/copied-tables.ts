import type { Tables } from '../../db.ts'

interface CopiedTable {
  /** Columns that tell its rows apart. */
  key: string[]
  /** The column in which a row names another one of the same table, which must be there before it. */
  parent?: string
}

/**
 * Tables that are not copied as they are: tasks, which are queued again, what the processes of one installation tell
 * each other, answers that count for a day, and the search in chats, which is rebuilt.
 */
export type LeftTable =
  | 'task'
  | 'task_trouble'
  | 'server_process'
  | 'idempotent_request'
  | 'message_search'
  | 'message_unindexed'

/** All others, each after those that its rows refer to. */
export const COPIED_TABLES: Record<Exclude<keyof Tables, LeftTable>, CopiedTable> = {
  server_secret: { key: ['name'] },
  organization: { key: ['id'] },
  workspace: { key: ['id'] },
  api_key: { key: ['id'] },
  browser_origin: { key: ['organization_id', 'workspace_id', 'origin'] },
  web_session: { key: ['id'] },
  account: { key: ['id'] },
  account_picture: { key: ['account_id'] },
  member: { key: ['id'] },
  member_group: { key: ['id'] },
  group_member: { key: ['group_id', 'member_id'] },
  access_grant: { key: ['organization_id', 'resource_kind', 'resource_id', 'subject_kind', 'subject_id'] },
  folder_rights_version: { key: ['organization_id'] },
  reader_list: { key: ['organization_id', 'id'] },
  reader_list_subject: { key: ['organization_id', 'subject', 'list_id'] },
  reader_narrowing: { key: ['organization_id', 'subject'] },
  invitation: { key: ['id'] },
  password_link: { key: ['id'] },
  account_identity: { key: ['id'] },
  two_factor: { key: ['account_id'] },
  recovery_code: { key: ['account_id', 'code_hash'] },
  scim_user: { key: ['id'] },
  sign_in_provider: { key: ['id'] },
  model_provider: { key: ['workspace_id', 'name'] },
  model_defaults: { key: ['workspace_id'] },
  web_search: { key: ['workspace_id'] },
  search_index: { key: ['organization_id'] },
  search_index_change: { key: ['organization_id', 'data_source_id'] },
  passkey: { key: ['id'] },
  used_challenge: { key: ['challenge_hash'] },
  visitor_use: { key: ['organization_id', 'link_id', 'subject', 'day'] },
  audit_entry: { key: ['id'] },
  virtual_user: { key: ['id'], parent: 'merged_into' },
  folder: { key: ['id'], parent: 'parent_id' },
  folder_share: { key: ['folder_id', 'recipient_id'] },
  upload: { key: ['id'] },
  data_source: { key: ['id'] },
  file_event: { key: ['id'] },
  data_source_version: { key: ['data_source_id', 'version'] },
  passage_edit: { key: ['id'] },
  transcript: { key: ['organization_id', 'sha256', 'data_source_id'] },
  data_source_metadata: { key: ['data_source_id', 'key', 'position'] },
  integration: { key: ['id'] },
  integration_item: { key: ['integration_id', 'item_key'] },
  source_app: { key: ['workspace_id', 'provider'] },
  source_connection: { key: ['id'] },
  source_login: { key: ['state_hash'] },
  agent: { key: ['id'] },
  openapi_document: { key: ['id'] },
  mcp_connection: { key: ['agent_id', 'url'] },
  mcp_login: { key: ['state_hash'] },
  oauth_client: { key: ['id'] },
  oauth_code: { key: ['code_hash'] },
  oauth_device: { key: ['device_hash'] },
  oauth_grant: { key: ['key_id'] },
  oauth_token: { key: ['token_hash'] },
  agent_job: { key: ['id'] },
  agent_shortcut: { key: ['id'] },
  agent_link: { key: ['id'] },
  agent_link_logo: { key: ['link_id'] },
  person_memory: { key: ['id'] },
  project: { key: ['id'] },
  chat: { key: ['id'] },
  chat_metadata: { key: ['chat_id', 'key'] },
  chat_share: { key: ['id'] },
  chat_memory: { key: ['chat_id'] },
  openai_chat: { key: ['chat_id'] },
  message: { key: ['organization_id', 'id'] },
  message_file: { key: ['organization_id', 'message_id', 'ordinal'] },
  message_output: { key: ['organization_id', 'message_id', 'key'] },
  run_state: { key: ['organization_id', 'message_id'] },
  review: { key: ['id'] },
  evaluation_set: { key: ['id'] },
  evaluation_case: { key: ['id'] },
  evaluation_run: { key: ['id'] },
  evaluation_result: { key: ['run_id', 'case_id'] },
  usage_sum: { key: ['workspace_id', 'kind', 'period', 'agent_id', 'virtual_user_id', 'api_key_id', 'model'] },
  quota: { key: ['id'] },
  quota_use: { key: ['quota_id', 'virtual_user_id', 'period'] },
  webhook_endpoint: { key: ['id'] },
  webhook_delivery: { key: ['id'] },
  webhook_attempt: { key: ['id'] },
  webhook_secret: { key: ['id'] },
}

export type CopiedTableName = keyof typeof COPIED_TABLES

/** Copied tables that a database of some version has, in the same order. */
export const copiedTablesIn = (tables: Map<string, string[]>): CopiedTableName[] =>
  (Object.keys(COPIED_TABLES) as CopiedTableName[]).filter((name) => tables.has(name))

const quoted = (names: string[], of = '') => names.map((name) => `${of}"${name}"`).join(', ')

/** All rows of a table, always in the same order, in which each may be inserted after those before it. */
export function selectAll(name: CopiedTableName, columns: string[]): string {
  const { key, parent } = COPIED_TABLES[name]
  if (!parent || !columns.includes(parent)) return `select ${quoted(columns)} from "${name}" order by ${quoted(key)}`
  const [id] = key
  return `with recursive tree (id, depth) as (
      select "${id}", 0 from "${name}" where "${parent}" is null
      union all select t."${id}", tree.depth + 1 from "${name}" t join tree on t."${parent}" = tree.id
    )
    select ${quoted(columns, 't.')} from "${name}" t join tree on tree.id = t."${id}" order by tree.depth, t."${id}"`
}

/**
 * Every blob that a row names, once for each SHA-256 that rows say of it; null where they say none. In order of keys.
 */
export function selectBlobs(tables: Map<string, string[]>): string {
  const parts = copiedTablesIn(tables).flatMap((name) => {
    const columns = tables.get(name)!
    return columns
      .filter((column) => column.endsWith('blob_key'))
      .map((column) => {
        const sha256 = column === 'blob_key' && columns.includes('sha256') ? 'sha256' : 'cast(null as text)'
        return `select "${column}" as blob_key, ${sha256} as sha256 from "${name}" where "${column}" is not null`
      })
  })
  return `select blob_key, max(sha256) from (${parts.join(' union ')}) as blobs group by blob_key order by blob_key`
}
