// What the route of the chats loads, in one piece.
export { ChatPage } from './chat-page.tsx'
export { ChatView } from './chat-view.tsx'
export { FirstAgent } from './first-agent.tsx'
export { JumpDialog } from './jump-dialog.tsx'
export { NewChat } from './new-chat.tsx'
