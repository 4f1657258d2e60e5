import type { Generated } from 'kysely'

export interface AgentTable {
  id: string
  organization_id: string
  workspace_id: string
  name: string
  /** Lower case, for searching. */
  name_key: string
  description: string
  instructions: string
  /** `provider/model`, or null for the server's default. */
  model: string | null
  /** JSON arrays of ids and names. */
  knowledge_base_ids: string
  /** JSON array, or null for the defaults. */
  tools: string | null
  /** JSON arrays of ids, of MCP servers, of names. */
  sub_agent_ids: Generated<string>
  mcp_servers: Generated<string>
  /** JSON array of HTTP APIs; their documents have a table of their own. */
  openapi_tools: Generated<string>
  tools_needing_approval: Generated<string>
  /** JSON object; what is not in it has its default. */
  limits: Generated<string>
  /** JSON object: a filter by the metadata of files; null for none. */
  filters: Generated<string | null>
  visibility: 'private' | 'organization' | 'public'
  /** Member who made it; null for one that a key made. */
  member_id: Generated<string | null>
  /** 1 for one that only certain members and groups may use, by their grants. */
  is_restricted: Generated<0 | 1>
  created_at: string
  updated_at: string
  deleted_at: string | null
}

export interface AgentJobTable {
  id: string
  organization_id: string
  agent_id: string
  name: string
  instructions: string
  /** JSON array, or null for all of the agent's tools. */
  tools: string | null
  /** JSON array of folders, or null for all of the agent's. */
  knowledge_base_ids: Generated<string | null>
  /** JSON object: a filter by the metadata of files; null for none. */
  filters: Generated<string | null>
  created_at: string
  updated_at: string
}

export interface AgentShortcutTable {
  id: string
  organization_id: string
  agent_id: string
  name: string
  prompt: string
  /** JSON array of fields. */
  fields: string
  job_id: string | null
  created_at: string
  updated_at: string
}
