// Pages of the evaluation of agents, which the router loads as one file.
export { EvaluationPage } from './evaluation-page.tsx'
