// Page of one thread, which the router loads as one file.
export { ThreadPage } from './thread/thread-page.tsx'
