import type { FastifyRequest } from 'fastify'
import { ForbiddenError, SecondFactorNeededError } from '../access.errors.ts'
import { type Caller, isAdmin, may, mayCall } from '../caller.ts'
import type { AccessRule } from './access-rule.ts'

/**
 * Holds a caller to the rule of the route as far as that is known before the body is read.
 * @throws ForbiddenError, SecondFactorNeededError
 */
export function checkCaller(request: FastifyRequest): void {
  const { caller } = request
  const rule = request.routeOptions.config.access!
  if (caller.needsSecondFactor && rule.who !== 'account' && !rule.withoutSecondFactor)
    throw new SecondFactorNeededError()
  checkWho(rule, request)
  if (caller.visitor && !rule.visitors) throw notAllowed(request)
  if (caller.virtualUserIds && (rule.virtualUsers === undefined || (caller.isEndUser && rule.virtualUsers === 'keys')))
    throw notAllowed(request)
  if (rule.bound !== 'itself' && !mayCall(caller, operationOf(request))) throw notAllowed(request)
}

function checkWho(rule: AccessRule, { caller, params }: FastifyRequest): void {
  const { who } = rule
  if (who === 'caller') checkWorkspace(rule, caller, params)
  else if (who === 'account') {
    if (!caller.accountId) throw new ForbiddenError('Sign in with your account to do this: an API key has none')
  } else if (who === 'owner') {
    if (caller.role !== 'owner') throw new ForbiddenError('Only owners may do this')
  } else if (who === 'admin') {
    checkWorkspace(rule, caller, params)
    if (!isAdmin(caller) && !isSelf(rule, caller, params))
      throw new ForbiddenError('Only admins and owners of this workspace may do this')
  } else if (who !== 'everybody') {
    if (!may(caller, who))
      throw new ForbiddenError(`${caller.accountId ? 'Your role' : 'This API key'} lacks the permission ${who}`)
    checkWorkspace(rule, caller, params)
  }
}

/** Another workspace than the caller's own is refused, whether there is one or not. */
function checkWorkspace({ on }: AccessRule, caller: Caller, params: unknown): void {
  if (on?.[0]?.kind !== 'workspace') return
  if (fieldOf({ params }, on[0].by) !== caller.workspaceId)
    throw new ForbiddenError('This API key belongs to another workspace')
}

const isSelf = ({ orSelf }: AccessRule, { memberId }: Caller, params: unknown): boolean =>
  orSelf !== undefined && memberId !== undefined && fieldOf({ params }, orSelf) === memberId

export const operationOf = ({ routeOptions }: FastifyRequest): string =>
  (routeOptions.schema as { operationId?: string } | undefined)?.operationId ?? routeOptions.url ?? ''

const notAllowed = (request: FastifyRequest) =>
  new ForbiddenError(
    `This ${request.caller.isEndUser ? 'user token' : 'API key'} is not allowed to call ${operationOf(request)}`,
  )

/** Value of a field such as `params.agent_id`. */
export function fieldOf(request: Pick<Partial<FastifyRequest>, 'params' | 'query' | 'body'>, by: string): unknown {
  const at = by.indexOf('.')
  const place = request[by.slice(0, at) as 'params' | 'query' | 'body'] as Record<string, unknown> | null | undefined
  return place?.[by.slice(at + 1)]
}
