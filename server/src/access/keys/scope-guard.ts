import type { FastifyInstance, FastifyRequest } from 'fastify'
import type { DomainError } from '../../platform/errors.ts'
import { ForbiddenError } from '../access.errors.ts'
import { allowsOperation, isBound, type KeyScopes } from './key-scopes.ts'

export interface ScopeGuardOptions {
  /** Ids of these folders and of all below them. */
  folderTree(organizationId: string, folderIds: string[]): Promise<string[]>
  /** Error for the caller of a narrowed key that reaches for what lies outside, as for what does not exist. */
  folderNotFound(): DomainError
  agentNotFound(): DomainError
}

declare module 'fastify' {
  interface FastifyContextConfig {
    /** The route holds each thing that is asked of it to the key's scopes by itself. */
    narrowsItself?: boolean
  }
}

/** Routes without an id in their path that a bound key may call: they show, or take, only what is inside. */
const OPEN_TO_BOUND_KEYS = new Set([
  'me.get',
  'streamCheck.run',
  'uploadedFiles.create',
  'agents.list',
  'reviews.list',
  'knowledgeBases.list',
  'knowledgeBases.create',
])
/** Routes below a folder that reach beyond it. */
const CLOSED_TO_BOUND_KEYS = /^shares\./

const NARROWS_AN_AGENT = /^chats\.queries\./

/** Holds narrowed keys to what they were narrowed to; keys that are not pay one comparison. */
export function guardScopes(app: FastifyInstance, options: ScopeGuardOptions): void {
  app.addHook('preHandler', (request, _reply, done) => {
    const { scopes } = request.caller
    if (!scopes || !isBound(scopes)) return done()
    check(request, scopes).then(() => done(), done)
  })

  async function check(request: FastifyRequest, scopes: KeyScopes): Promise<void> {
    const { agent_id, knowledge_base_id } = request.params as Record<string, string | undefined>
    const operationId = operationOf(request)
    if (CLOSED_TO_BOUND_KEYS.test(operationId)) throw closed()
    if (agent_id !== undefined) {
      const agents = [agent_id, ...subAgentsInBody(request)]
      if (agents.some((id) => !scopes.agent_ids?.includes(id))) throw options.agentNotFound()
      // A question names folders of the agent's to narrow it: the key may use all of what that has.
      if (!NARROWS_AN_AGENT.test(operationId)) await requireFolders(request, foldersInBody(request))
      return
    }
    if (knowledge_base_id !== undefined) return requireFolders(request, [knowledge_base_id, ...foldersInBody(request)])
    if (!OPEN_TO_BOUND_KEYS.has(operationId)) throw closed()
    if (operationId === 'knowledgeBases.create') {
      const [parent] = foldersInBody(request)
      if (parent === undefined) throw new ForbiddenError('This API key may make folders only inside its own')
      await requireFolders(request, [parent])
    }
    const { parent_kb_id: parent } = request.query as { parent_kb_id?: string }
    if (operationId === 'knowledgeBases.list' && parent) await requireFolders(request, [parent])
  }

  async function requireFolders({ caller }: FastifyRequest, ids: string[]): Promise<void> {
    if (ids.length === 0) return
    const roots = caller.scopes?.knowledge_base_ids ?? []
    const inside = new Set(await options.folderTree(caller.organizationId, roots))
    if (ids.some((id) => !inside.has(id))) throw options.folderNotFound()
  }
}

/** Checked with the permission, before the body is read. @throws ForbiddenError */
export function requireOperation(request: FastifyRequest): void {
  const operations = request.caller.scopes?.operations
  if (!operations || request.routeOptions.config.narrowsItself) return
  const operationId = operationOf(request)
  if (!allowsOperation(operations, operationId)) {
    throw new ForbiddenError(`This API key is not allowed to call ${operationId}`)
  }
}

const operationOf = ({ routeOptions }: FastifyRequest): string =>
  (routeOptions.schema as { operationId?: string } | undefined)?.operationId ?? ''

const closed = () => new ForbiddenError('This API key is bound to certain agents or folders and may not do this')

/** Folders that a request names outside of its path: where something is moved, what an agent is bound to. */
function foldersInBody({ body }: FastifyRequest): string[] {
  if (typeof body !== 'object' || body === null) return []
  const { parent_kb_id, knowledge_base_id, knowledge_base_ids } = body as Record<string, unknown>
  const named = [parent_kb_id, knowledge_base_id, ...(Array.isArray(knowledge_base_ids) ? knowledge_base_ids : [])]
  return named.filter((id) => typeof id === 'string')
}

/** Agents that an agent is given to call: it would answer with all that those know. */
function subAgentsInBody({ body }: FastifyRequest): string[] {
  const { sub_agent_ids: ids } = (body ?? {}) as { sub_agent_ids?: unknown }
  return Array.isArray(ids) ? ids.filter((id) => typeof id === 'string') : []
}
