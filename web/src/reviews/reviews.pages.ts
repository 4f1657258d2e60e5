// Pages of the inbox, which the router loads as one file.
export { InboxPage } from './inbox-page.tsx'
