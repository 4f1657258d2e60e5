/** A link through which people chat with an agent without a key. */
export interface AgentLinkTable {
  id: string
  organization_id: string
  /** Workspace that the chats of its visitors belong to. */
  workspace_id: string
  agent_id: string
  /** Holder of the rights of whoever made or changed it last: they count for visitors of a public link. */
  member_id: string | null
  /** Part of the link; whoever has it may chat, as far as the audience goes. */
  token: string
  name: string
  audience: 'public' | 'organization'
  /** JSON array of origins whose pages may show the chat in a frame. */
  allowed_origins: string
  greeting: string
  queries_per_minute: number
  queries_per_visitor: number
  created_at: string
  updated_at: string
}
