// Pages of the agents, which the router loads as one file.
export { AgentList } from './agent-list.tsx'
export { AgentsPage } from './agents-page.tsx'
