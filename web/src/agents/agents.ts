// Front of the agents: everything that other folders may import.

import { withMessages } from '../platform/language.ts'
import { later } from '../ui/later.tsx'
import { Waiting } from '../ui/layout/waiting.tsx'

export { AgentFace } from './agent-face.tsx'
export { AgentProblem } from './agent-problem.tsx'
export {
  createAgent,
  deleteAgent,
  refreshModels,
  updateAgent,
  useAgent,
  useAgentModel,
  useAgentNames,
  useAgents,
  useModels,
} from './agents.queries.ts'
export {
  type NewGrants,
  saveAgentGrants,
  toRequest,
  useAgentGrants,
  useThreadReaders,
} from './grants/grants.queries.ts'
export { namesOfReaders, readersOf } from './grants/thread-readers.ts'
export { modelChoices, priceInWords } from './models/model-choices.ts'
export { useCanChange, useIsForeign } from './rights.ts'
export { reviewInWords } from './tool-deeds.ts'

const loadUse = () => withMessages('agent-use', () => import('./agent-use.pages.ts'))
export const UseLine = later(async () => (await loadUse()).UseLine, Waiting)
export const UseDialog = later(async () => (await loadUse()).UseDialog)
