import type { KeyScopes } from '../access/access.ts'

/** Part of the server that a token is for: the MCP server, or the API under `/v1` and `/openai/v1`. */
export type Audience = 'mcp' | 'api'

/** Path of each resource, from which its identifier is made (RFC 8707). */
export const RESOURCE_PATHS: Record<Audience, string> = { mcp: '/mcp', api: '/v1' }

export const SCOPES: Record<Audience, readonly Scope[]> = { mcp: ['agents', 'documents'], api: ['api'] }

/** `agents`: ask agents. `documents`: read what is in folders. `api`: all that the person may do. */
export type Scope = 'agents' | 'documents' | 'api'

const OPERATIONS: Record<Exclude<Scope, 'api'>, string[]> = {
  agents: ['chats.queries.create', 'chats.create', 'agents.list', 'agents.shortcuts.list'],
  documents: ['dataSources.list', 'dataSources.readText', 'knowledgeBases.list'],
}

/** Scopes that clients of any server name, and that ask for no part of this one. */
const NEUTRAL = new Set(['', 'openid', 'profile', 'email', 'offline_access'])

/**
 * Scopes that a client asks for; all of its audience where it names none (RFC 6749, 3.3).
 * @returns undefined where none of the named is known
 */
export function scopesAsked(text: string | undefined, audience: Audience): Scope[] | undefined {
  const named = new Set(text?.split(' ').filter((scope) => !NEUTRAL.has(scope)))
  if (named.size === 0) return [...SCOPES[audience]]
  const known = SCOPES[audience].filter((scope) => named.has(scope))
  return known.length > 0 ? known : undefined
}

/** Agents that a person lets a client ask, with the folders of these agents; null: all. */
export interface ChosenAgents {
  agentIds: string[]
  folderIds: string[]
}

/** Scopes of the key through which a client acts; null for one that may do all that the person may. */
export function keyScopesOf(scopes: readonly Scope[], chosen: ChosenAgents | null): KeyScopes | null {
  if (scopes.includes('api')) return null
  const operations = scopes.flatMap((scope) => (scope === 'api' ? [] : OPERATIONS[scope]))
  if (!chosen) return { operations }
  const reads = scopes.includes('documents')
  return { operations, agent_ids: chosen.agentIds, ...(reads && { knowledge_base_ids: chosen.folderIds }) }
}
