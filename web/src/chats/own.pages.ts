// The page of all own chats, the dialog that shares one and the page of a shared one, which are loaded when one is opened.
export { OwnChatsPage } from './own/own-chats-page.tsx'
export { ShareDialog } from './shared/share-dialog.tsx'
export { SharedChatPage } from './shared/shared-chat-page.tsx'
