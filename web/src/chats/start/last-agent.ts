import { onSignOut } from '../../access/access.ts'

let lastId: string | null = null

/** Agent whose chats were open last, in this session. */
export const lastAgentId = (): string | null => lastId

export function rememberAgent(id: string): void {
  lastId = id
}

onSignOut(() => {
  lastId = null
})
