/** Ids of a chat and of its agent. */
export interface ChatPath {
  agentId: string
  chatId: string
}
