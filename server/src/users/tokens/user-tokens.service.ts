import { type Caller, ForbiddenError, UnauthorizedError } from '../../access/access.ts'
import type { KernelParts } from '../../kernel-parts.ts'
import type { EnsureVirtualUser } from '../attribution.ts'
import { findSpokenFor } from '../speaking.ts'
import { findLiveUser } from '../users.store.ts'
import type { CreateUserToken } from './user-tokens.schemas.ts'
import { USER_TOKEN_PREFIX, type UserToken, type UserTokens } from './user-tokens.ts'

export interface UserTokenServiceOptions extends Pick<KernelParts, 'clock' | 'db' | 'writes'> {
  tokens: UserTokens
  ensureVirtualUser: EnsureVirtualUser
  /** The caller behind a key, looked up now. @throws UnauthorizedError when it was revoked or has expired */
  findKey(organizationId: string, keyId: string): Promise<Caller>
  /** @throws AgentNotFoundError for one that the caller may not use */
  requireAgent(caller: Caller, agentId: string): Promise<unknown>
  /** @throws FolderNotFoundError for one that is not there */
  requireFolders(caller: Caller, folderIds: string[]): Promise<void>
}

export type UserTokenService = ReturnType<typeof createUserTokenService>

/** Tokens with which virtual users call by themselves. */
export function createUserTokenService(options: UserTokenServiceOptions) {
  const { db, writes, clock, tokens, ensureVirtualUser, findKey, requireAgent, requireFolders } = options

  /**
   * Makes a token for a virtual user, who is made if there is none with that e-mail.
   * @throws AgentNotFoundError, FolderNotFoundError, ForbiddenError for a person that the key does not speak for, and for
   *   members, whose own rights nobody else gets
   */
  async function create(caller: Caller, fields: CreateUserToken) {
    const { organizationId, workspaceId, keyId } = caller
    if (caller.memberId)
      throw new ForbiddenError('User tokens are made with the key of a program; yours has your own rights')
    for (const agentId of fields.agent_ids) await requireAgent(caller, agentId)
    const folderIds = fields.knowledge_base_ids
    if (folderIds) await requireFolders(caller, folderIds)
    const email = fields.virtual_user_email
    const virtualUserId = caller.virtualUserIds
      ? await findSpokenFor(db, caller, email)
      : await writes.commit((tx) => ensureVirtualUser(tx, organizationId, workspaceId, email))
    const expiresAt = clock().getTime() + fields.expires_in * 1000
    const { read_cited_files: readsFiles } = fields
    const agentIds = [...new Set(fields.agent_ids)]
    const owner = { organizationId, workspaceId, keyId, virtualUserId }
    return { token: tokens.sign({ ...owner, agentIds, folderIds, readsFiles, expiresAt }), expiresAt, virtualUserId }
  }

  /**
   * The caller that a token stands for. Key and virtual user are looked up each time: what ends one of them ends the
   * token with the next request, in every process.
   * @throws UnauthorizedError
   */
  async function authenticate(text: string): Promise<Caller> {
    const token = tokens.read(text)
    if (token.expiresAt <= clock().getTime())
      throw new UnauthorizedError('This user token has expired: get another one')
    const { organizationId, virtualUserId } = token
    const key = await findKey(organizationId, token.keyId).catch((error) => {
      throw error instanceof UnauthorizedError ? new UnauthorizedError(KEY_ENDED) : error
    })
    const speaksFor = key.virtualUserIds?.includes(virtualUserId) ?? true
    if (!speaksFor || !(await findLiveUser(db, organizationId, virtualUserId)))
      throw new UnauthorizedError('The virtual user of this token was removed, or its key speaks for them no more')
    return callerOf(token, key)
  }

  /** The workspace of a token that this server signed, however it ended; undefined for anything else. */
  function workspaceOf(text: string): Pick<UserToken, 'organizationId' | 'workspaceId'> | undefined {
    try {
      return tokens.read(text)
    } catch {
      return undefined
    }
  }

  return { prefix: USER_TOKEN_PREFIX, create, authenticate, workspaceOf }
}

const KEY_ENDED = 'The API key that made this user token was revoked or has expired'

/** An end user may no more than the key that made the token, as it is now. */
function callerOf({ agentIds, folderIds, readsFiles, virtualUserId }: UserToken, key: Caller): Caller {
  const { operations, agent_ids: keyAgents, knowledge_base_ids: keyFolders } = key.scopes ?? {}
  const isBound = keyAgents != null || keyFolders != null
  const ofKey = new Set(keyAgents)
  return {
    organizationId: key.organizationId,
    workspaceId: key.workspaceId,
    keyId: key.keyId,
    role: 'member',
    rightsHolderId: key.rightsHolderId,
    permissions: new Set(),
    scopes: {
      operations,
      agent_ids: isBound ? agentIds.filter((id) => ofKey.has(id)) : agentIds,
      knowledge_base_ids: folderIds ?? (key.virtualUserIds ? keyFolders : null),
    },
    virtualUserIds: [virtualUserId],
    virtualUserId,
    isEndUser: true,
    ...(key.needsSecondFactor && { needsSecondFactor: true as const }),
    ...(readsFiles && { readsCitedFiles: true as const }),
    ...(key.rateLimit && { rateLimit: key.rateLimit }),
  }
}
