// What the route of the agents loads, in one piece.
export { AgentList } from './agent-list.tsx'
export { AgentView, NewAgent } from './agent-view.tsx'
export { AgentsPage } from './agents-page.tsx'
