import type { ChatPath } from './chat-path.ts'

const channel = new BroadcastChannel('docent-chats')

/** Tells other tabs of this browser that a chat has changed or is gone. */
export const tellOtherTabs = ({ agentId, chatId }: ChatPath): void => channel.postMessage({ agentId, chatId })

/** Calls back with each chat that another tab has changed or deleted. */
export function onToldByOtherTab(act: (path: ChatPath) => void): void {
  channel.onmessage = ({ data }: MessageEvent<ChatPath>) => act(data)
}
