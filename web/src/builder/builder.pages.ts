// Pages of the builder, which the router loads as one file.
export { BuilderView } from './builder-view.tsx'
export { NewAgent } from './new-agent.tsx'
