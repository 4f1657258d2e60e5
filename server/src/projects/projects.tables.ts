export interface ProjectTable {
  id: string
  organization_id: string
  /** Workspace that has it, and whose chats may be in it. */
  workspace_id: string
  /** Member who made it; null for one that a key made. */
  member_id: string | null
  name: string
  /** Lower case, for searching and sorting. */
  name_key: string
  /** Instructions for the model in each chat of the project; empty for none. */
  instructions: string
  /** Folder with its files: rights to it are rights to the project. */
  knowledge_base_id: string
  /** Default agent of new chats. */
  agent_id: string | null
  created_at: string
  updated_at: string
}
