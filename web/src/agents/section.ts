// What the route of the agents loads, in one piece.
export { AgentList } from './agent-list.tsx'
export { AgentsPage } from './agents-page.tsx'
