import type { Chat } from '@docent/sdk'
import { deleteUnlessUndone } from '../../access/access.ts'
import { retryWhileLimited } from '../../platform/state/retry-while-limited.ts'
import { createStore, useStore } from '../../platform/state/store.ts'
import { deleteChat } from '../chats.queries.ts'

const hidden = createStore<ReadonlySet<string>>(new Set())

/** Chats that are about to be deleted, by id. */
export const useHiddenChats = (): ReadonlySet<string> => useStore(hidden)

/** Hides chats. @returns what shows them again */
export function hideChats(ids: string[]): () => void {
  hidden.set((all) => all.union(new Set(ids)))
  return () => hidden.set((all) => all.difference(new Set(ids)))
}

/** Hides a chat, and deletes it after a few seconds unless that is undone. */
export function deleteSoon({ id, agent_id, title }: Chat): void {
  deleteUnlessUndone({
    name: `“${title}”`,
    remove: () => retryWhileLimited(() => deleteChat({ agentId: agent_id, chatId: id })),
    unhide: hideChats([id]),
  })
}
