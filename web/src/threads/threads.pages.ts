// Page of an agent's threads, which the router loads as one file.
export { ThreadsPage } from './list/threads-page.tsx'
