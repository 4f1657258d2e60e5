// Front of the builder: everything that other folders may import.
export { builderSearch, type Side } from './parts.ts'
export { branded } from './sharing/branded.ts'
export { LinkStart } from './sharing/link-start.tsx'
export { openSideChat } from './side/side-chats.ts'
export { SideThread } from './side/side-thread.tsx'
