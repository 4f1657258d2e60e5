import type { Generated } from 'kysely'

/** A link through which people chat with an agent without a key. */
export interface AgentLinkTable {
  id: string
  organization_id: string
  /** Workspace that the chats of its visitors belong to. */
  workspace_id: string
  agent_id: string
  /** Holder of the rights of the person who made or changed it last: they count for visitors of a public link. */
  member_id: string | null
  /** Part of the link; anyone who has it may chat, as far as the audience goes. */
  token: string
  name: string
  audience: 'public' | 'organization'
  /** JSON array of origins whose pages may show the chat in a frame. */
  allowed_origins: string
  greeting: string
  /** Hex, with `#`; null for the colour of the UI. */
  color: string | null
  /** Place of the button on a website. */
  position: Generated<'left' | 'right'>
  /** JSON array. */
  starter_questions: Generated<string>
  /** Tag of the language that its pages speak; null for that of the browser. */
  language: string | null
  logo_sha256: string | null
  queries_per_minute: number
  queries_per_visitor: number
  created_at: string
  updated_at: string
}

/** Logo of a link, apart from it because it is larger than all else. */
export interface AgentLinkLogoTable {
  link_id: string
  organization_id: string
  media_type: string
  /** Base64. */
  content: string
  updated_at: string
}
