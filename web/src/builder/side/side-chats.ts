import { onSignOut } from '../../access/access.ts'
import { useStore } from '../../platform/state/store.ts'
import { createTabStore } from '../../platform/state/tab-store.ts'
import type { Side } from '../parts.ts'

/** Open chat beside each builder, by side and agent. It survives a change of page. */
const openChats = createTabStore<Readonly<Record<string, string>>>('docent.side-chats', {})

export const useSideChat = (side: Side, agentId: string): string | null =>
  useStore(openChats)[`${side} ${agentId}`] ?? null

/** @param chatId null to start a new chat */
export function openSideChat(side: Side, agentId: string, chatId: string | null): void {
  openChats.set(({ [`${side} ${agentId}`]: _, ...others }) =>
    chatId === null ? others : { ...others, [`${side} ${agentId}`]: chatId },
  )
}

onSignOut(() => openChats.set({}))
