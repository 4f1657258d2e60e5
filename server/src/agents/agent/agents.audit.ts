import type { Caller } from '../../access/access.ts'
import { recordAudit } from '../../audit/record-audit.ts'
import type { Tx } from '../../db.ts'
import type { ChangeableAgent } from './agents.access.ts'
import type { AgentRecord } from './agents.store.ts'

/** Fields of an agent that can change, by their names on the wire. */
const FIELDS = {
  name: 'name',
  description: 'description',
  instructions: 'instructions',
  model: 'model',
  knowledgeBaseIds: 'knowledge_base_ids',
  tools: 'tools',
  subAgentIds: 'sub_agent_ids',
  mcpServers: 'mcp_servers',
  openApiTools: 'openapi_tools',
  toolsNeedingApproval: 'tools_needing_approval',
  limits: 'limits',
  filters: 'filters',
  visibility: 'visibility',
} as const satisfies Partial<Record<keyof AgentRecord, string>>

/** The agent as it is now is in the log of its own workspace, whoever changed it; its fields by name only. */
export async function recordAgent(
  tx: Tx,
  caller: Caller,
  action: 'agent.created' | 'agent.updated' | 'agent.deleted',
  { id, name, workspaceId, ...agent }: AgentRecord,
  { before, at }: { before?: AgentRecord; at: string },
): Promise<void> {
  const record = { at, target: { type: 'agent', id, name }, workspaceId } as const
  if (!before) return recordAudit(tx, caller, { ...record, action, details: { visibility: agent.visibility } })
  const changed = changedOf(before, { id, name, workspaceId, ...agent }, FIELDS)
  if (changed.length > 0) await recordAudit(tx, caller, { ...record, action, details: { changed } })
  if (before.visibility === agent.visibility) return
  const details = { from: before.visibility, to: agent.visibility }
  await recordAudit(tx, caller, { ...record, action: 'agent.visibility_changed', details })
}

/** A job or a shortcut, in the log of its agent's workspace. */
export const recordPart = (
  tx: Tx,
  caller: Caller,
  action: `${'job' | 'shortcut'}.${'created' | 'updated' | 'deleted'}`,
  { id, name }: { id: string; name: string },
  { agent, at }: { agent: ChangeableAgent; at: string },
): Promise<void> =>
  recordAudit(tx, caller, {
    action,
    at,
    target: { type: action.startsWith('job') ? 'job' : 'shortcut', id, name },
    details: { agent_id: agent.id },
    workspaceId: agent.workspaceId,
  })

const changedOf = <T extends object>(before: T, after: T, names: Partial<Record<keyof T, string>>): string[] =>
  (Object.keys(names) as (keyof T)[])
    .filter((field) => JSON.stringify(before[field]) !== JSON.stringify(after[field]))
    .map((field) => names[field]!)
