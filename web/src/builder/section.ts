// What the route of an agent loads, in one piece.
export { BuilderView } from './builder-view.tsx'
export { NewAgent } from './new-agent.tsx'
