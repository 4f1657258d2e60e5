import { onSignOut } from '../access/session.ts'
import { createStore, useStore } from '../platform/store.ts'
import type { Side } from './parts.ts'

/** The chat that is open beside each builder: it stays while other pages are. */
const openChats = createStore<Readonly<Record<string, string>>>({})

export const useSideChat = (side: Side, agentId: string): string | null =>
  useStore(openChats)[`${side} ${agentId}`] ?? null

/** @param chatId null to begin anew */
export function openSideChat(side: Side, agentId: string, chatId: string | null): void {
  openChats.set(({ [`${side} ${agentId}`]: _, ...others }) =>
    chatId === null ? others : { ...others, [`${side} ${agentId}`]: chatId },
  )
}

onSignOut(() => openChats.set({}))
