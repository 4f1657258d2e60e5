// Front of the builder: everything that other folders may import.
export { builderSearch, type Side } from './parts.ts'
export { openSideChat } from './side/side-chats.ts'
export { SideThread } from './side/side-thread.tsx'
