import { onSignOut } from '../../access/access.ts'
import { useStore } from '../../platform/store.ts'
import { createTabStore } from '../../platform/tab-store.ts'
import type { Side } from '../parts.ts'

/** The chat that is open beside each builder, by side and agent: it stays while other pages are. */
const openChats = createTabStore<Readonly<Record<string, string>>>('docent.side-chats', {})

export const useSideChat = (side: Side, agentId: string): string | null =>
  useStore(openChats)[`${side} ${agentId}`] ?? null

/** @param chatId null to begin anew */
export function openSideChat(side: Side, agentId: string, chatId: string | null): void {
  openChats.set(({ [`${side} ${agentId}`]: _, ...others }) =>
    chatId === null ? others : { ...others, [`${side} ${agentId}`]: chatId },
  )
}

onSignOut(() => openChats.set({}))
