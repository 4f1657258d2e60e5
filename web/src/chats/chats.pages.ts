// Pages of the chats, which the router loads as one file.
export { ChatPage } from './chat/chat-page.tsx'
export { ChatView } from './chat/chat-view.tsx'
