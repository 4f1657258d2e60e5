// Pages on which a chat begins, which the router loads as one file.
export { FirstAgent } from './start/first-agent.tsx'
export { NewChat } from './start/new-chat.tsx'
