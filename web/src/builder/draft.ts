import type { Agent, GivenOpenApiTools, UpdateAgent } from '@docent/sdk'
import { useState } from 'react'

/** Fields of an agent that the builder edits. */
export interface AgentFields
  extends Omit<Agent, 'id' | 'workspace_id' | 'can_change' | 'created_at' | 'updated_at' | 'openapi_tools'> {
  /** OpenAPI tools as entered: one that was not saved yet has no id of its document. */
  openapi_tools: GivenOpenApiTools[]
}

export type FieldName = keyof AgentFields

export const NEW_AGENT: AgentFields = {
  name: '',
  description: '',
  instructions: '',
  model: null,
  knowledge_base_ids: [],
  filters: null,
  tools: [],
  tools_needing_approval: [],
  mcp_servers: [],
  openapi_tools: [],
  sub_agent_ids: [],
  limits: { max_steps: null, max_tokens: null, max_seconds: null, max_tool_output_characters: null },
  visibility: 'private',
}

/** Unsaved changes to an agent. */
export interface Draft {
  /** Fields with the changes applied. */
  fields: AgentFields
  change(some: Partial<AgentFields>): void
  /** Changed fields only. */
  changed: FieldName[]
  discard(): void
}

/** Keeps only fields that differ, so that changes made elsewhere show up here and saving does not undo them. */
export function useDraft(saved: AgentFields): Draft {
  const [changes, setChanges] = useState<Partial<AgentFields>>({})
  const changed = (Object.keys(changes) as FieldName[]).filter((name) => !isSame(changes[name], saved[name]))
  const fields = { ...saved, ...changes }
  return {
    fields,
    changed,
    change: (some) => setChanges((all) => ({ ...all, ...some })),
    discard: () => setChanges({}),
  }
}

/** Update to send to the server. */
export function toUpdate({ fields, changed }: Pick<Draft, 'fields' | 'changed'>): UpdateAgent {
  const update = Object.fromEntries(changed.map((name) => [name, fields[name]]))
  if (update.name !== undefined) update.name = fields.name.trim()
  return update
}

const isSame = (one: unknown, other: unknown) => JSON.stringify(one) === JSON.stringify(other)

/** Tools that an agent with folders needs to search and read them. */
export const KNOWLEDGE_TOOLS = ['search_knowledge', 'read_file', 'list_files']

/** Change of the folders. The first folder also turns on the tools that read it. */
export function withFolders({ tools, knowledge_base_ids: before }: AgentFields, ids: string[]): Partial<AgentFields> {
  const others = tools.filter((tool) => !KNOWLEDGE_TOOLS.includes(tool))
  if (before.length === 0 && ids.length > 0) return { knowledge_base_ids: ids, tools: [...KNOWLEDGE_TOOLS, ...others] }
  if (before.length > 0 && ids.length === 0) return { knowledge_base_ids: ids, tools: others }
  return { knowledge_base_ids: ids }
}
