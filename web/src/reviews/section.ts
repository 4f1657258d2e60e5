// What the route of the inbox loads, in one piece.
export { InboxPage } from './inbox-page.tsx'
