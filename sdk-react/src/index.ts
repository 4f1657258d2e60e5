export type { ChatMessage, ChatSnapshot, ChatStatus } from './chat-session.ts'
export { createTokenClient, type TokenClientOptions } from './token-client.ts'
export { type UseChat, type UseChatOptions, useChat } from './use-chat.ts'
