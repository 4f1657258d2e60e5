import { queryClient } from '../access/access.ts'
import type { ChatPath } from './chats.queries.ts'

const channel = new BroadcastChannel('docent-chats')

/** Tells other tabs of this browser that a chat has changed: they read it again, and follow its answer. */
export const tellOtherTabs = ({ agentId, chatId }: ChatPath): void => channel.postMessage({ agentId, chatId })

channel.onmessage = ({ data: { agentId, chatId } }: MessageEvent<ChatPath>) => {
  for (const queryKey of [
    ['messages', agentId, chatId],
    ['chat', agentId, chatId],
    ['chats', agentId],
  ])
    queryClient.invalidateQueries({ queryKey }).catch(() => {
      // The query that failed shows its own error.
    })
}
