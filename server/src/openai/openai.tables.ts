/** Chat of a client that repeats the whole conversation with each question. */
export interface OpenAiChatTable {
  organization_id: string
  chat_id: string
  /** SHA-256 of key, agent, person and all that was said. */
  digest: string
  updated_at: string
}
