// Front of the agents: everything that other folders may import.

export { AgentFace } from './agent-face.tsx'
export { AgentProblem } from './agent-problem.tsx'
export { createAgent, deleteAgent, updateAgent, useAgent, useAgents } from './agents.queries.ts'
export { useIsForeign, useLockReason } from './rights.ts'
export { namesOfReaders, saveThreadsAccess, useThreadsAccess } from './threads-access.ts'
export { reviewInWords } from './tool-deeds.ts'
export { useAgentRights } from './use/use.queries.ts'
export { UseDialog } from './use/use-dialog.tsx'
export { describeUse } from './use/use-words.ts'
