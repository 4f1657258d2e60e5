import { z } from 'zod'
import { UpdateAgent } from '../agent/agents.schemas.ts'
import { CreateJob } from '../jobs/jobs.schemas.ts'
import { CreateShortcut } from '../shortcuts/shortcuts.schemas.ts'

/** Proposal shown to the person, to be applied or not. Servers and APIs need secrets, so people add those themselves. */
export const Proposal = z.object({
  summary: z.string().trim().min(1).max(1000).describe('What changes and why, in a sentence or two'),
  changes: UpdateAgent.omit({ mcp_servers: true, openapi_tools: true })
    .default({})
    .describe('Fields of the agent with their new values; what is left out stays. Lists replace the lists of before'),
  jobs: z.array(CreateJob).max(10).default([]).describe('Jobs to create'),
  shortcuts: z
    .array(CreateShortcut.omit({ job_id: true }))
    .max(10)
    .default([])
    .describe('Shortcuts to create'),
})
export type Proposal = z.infer<typeof Proposal>
