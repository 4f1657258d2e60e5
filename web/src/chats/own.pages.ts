// The page of all own chats, which is loaded when it is opened.
export { OwnChatsPage } from './own/own-chats-page.tsx'
