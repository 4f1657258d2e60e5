/** Summary of the earlier turns of a chat; there for chats that were summed up, or lost a message. */
export interface ChatMemoryTable {
  chat_id: string
  organization_id: string
  /** Grows with every change and every message that is deleted: a summary counts only if nothing happened meanwhile. */
  version: number
  /** Null where there is none, or a message in it was deleted. */
  summary: string | null
  /** The newest message that it tells of; it tells of all that were answered before it, too. */
  covers_created_at: string | null
  covers_id: string | null
  /** How many those are. */
  turns: number
  /** Budget of the history that it was made for: the next one is made for the same. */
  budget_tokens: number | null
  /** `provider/model` that wrote it. */
  model: string | null
  updated_at: string
}
