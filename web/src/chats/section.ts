// What the route of the chats loads, in one piece.
export { ChatPage } from './chat/chat-page.tsx'
export { ChatView } from './chat/chat-view.tsx'
export { JumpDialog } from './chat/jump-dialog.tsx'
export { FirstAgent } from './start/first-agent.tsx'
export { NewChat } from './start/new-chat.tsx'
