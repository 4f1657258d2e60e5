// Pages of the threads, which the router loads as one file.
export { ThreadPage } from './thread-page.tsx'
export { ThreadsPage } from './threads-page.tsx'
