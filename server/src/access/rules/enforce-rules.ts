import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { DomainError } from '../../platform/errors.ts'
import { ForbiddenError, visitorsHaveNoEmail } from '../access.errors.ts'
import type { Caller, Visitor } from '../caller.ts'
import { isBound, type KeyScopes } from '../keys/key-scopes.ts'
import { type AccessRule, type AgentReach, boundOf, type FolderReach } from './access-rule.ts'
import { fieldOf } from './check-caller.ts'

export interface EnforceRulesOptions {
  /** Ids of these folders and of all below them that the caller may read. */
  folderTree(caller: Caller, folderIds: string[]): Promise<string[]>
  /** Error for the caller of a narrowed key that reaches for what lies outside, as for what does not exist. */
  folderNotFound(): DomainError
  agentNotFound(): DomainError
  /** Counts a query of a visitor. @throws RateLimitedError */
  countQuery(visitor: Visitor, linkId: string, reply: FastifyReply): Promise<void>
}

/** Refuses what the body or the query names and the caller may not use. For most callers it costs two comparisons. */
export function enforceRules(app: FastifyInstance, options: EnforceRulesOptions): void {
  app.addHook('preHandler', (request, reply, done) => {
    const { scopes, visitor } = request.caller
    const isNarrowed = scopes !== null && isBound(scopes)
    if (!isNarrowed && !visitor) return done()
    check(request, reply, isNarrowed ? scopes : undefined).then(() => done(), done)
  })

  async function check(request: FastifyRequest, reply: FastifyReply, scopes: KeyScopes | undefined): Promise<void> {
    const rule = request.routeOptions.config.access!
    if (scopes) await checkScopes(request, rule, scopes)
    const { visitor, keyId } = request.caller
    if (!visitor) return
    if (fieldOf(request, 'body.virtual_user_email') != null) throw visitorsHaveNoEmail()
    if (rule.visitors === 'counted') await options.countQuery(visitor, keyId, reply)
  }

  async function checkScopes(request: FastifyRequest, rule: AccessRule, scopes: KeyScopes): Promise<void> {
    const bound = boundOf(rule)
    if (bound === 'itself') return
    if (bound === 'closed')
      throw new ForbiddenError('This API key is bound to certain agents or folders and may not do this')
    const on = rule.on ?? []
    const agents = on.filter((one): one is AgentReach => one.kind === 'agent')
    if (idsIn(request, agents).some((id) => !scopes.agent_ids?.includes(id))) throw options.agentNotFound()
    const folders = on.filter((one): one is FolderReach => one.kind === 'folder' && one.whenBound !== 'ignored')
    const ids = idsIn(request, folders)
    if (ids.length === 0 && folders.some(({ whenBound }) => whenBound === 'required'))
      throw new ForbiddenError('This API key may make folders only inside its own')
    // Callers that speak for some people reach files by way of their answers.
    if (!request.caller.virtualUserIds) await requireFolders(request, ids)
  }

  async function requireFolders({ caller }: FastifyRequest, ids: string[]): Promise<void> {
    if (ids.length === 0) return
    const roots = caller.scopes?.knowledge_base_ids ?? []
    const inside = new Set(await options.folderTree(caller, roots))
    if (ids.some((id) => !inside.has(id))) throw options.folderNotFound()
  }
}

const idsIn = (request: FastifyRequest, reached: { by: string }[]): string[] =>
  reached.flatMap(({ by }) => [fieldOf(request, by)].flat()).filter((id) => typeof id === 'string')
