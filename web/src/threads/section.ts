// What the routes of the threads load, in one piece.
export { ThreadPage } from './thread-page.tsx'
export { ThreadsPage } from './threads-page.tsx'
