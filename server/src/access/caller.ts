import type { RateLimits } from '../platform/cluster/limits/rate-limit.ts'
import { ForbiddenError } from './access.errors.ts'
import type { KeyScopes } from './keys/key-scopes.ts'
import { allowsOperation } from './keys/known-operations.ts'

/** Permissions that a member of a workspace may be given; owners and admins hold all. */
export const PERMISSIONS = ['create_knowledgebase', 'manage_agents', 'manage_keys'] as const
export type Permission = (typeof PERMISSIONS)[number]

export type Role = 'owner' | 'admin' | 'member'

/** Person who chats with an agent through a link. */
export interface Visitor {
  id: string
  queriesPerMinute: number
  queriesPerVisitor: number
}

/** Sender of a request: the key, and the rights that it gives. */
export interface Caller {
  organizationId: string
  workspaceId: string
  keyId: string
  /** Set for somebody who is signed in to the web UI: the session that stands for the key. */
  sessionId?: string
  /** Set for a member of the workspace, and for a key of one. */
  memberId?: string
  /** Holder of the rights to folders and agents that count for the caller, as `rightsHolderOf` says. */
  rightsHolderId: string | null
  /** Set for a member who is signed in: whose account it is. */
  accountId?: string
  role: Role
  permissions: ReadonlySet<Permission>
  /** Scopes of the key; null for one that is not narrowed. */
  scopes: KeyScopes | null
  /** Rate limit of the key's own; absent: that of all keys. */
  rateLimit?: RateLimits
  /** Set for a caller that speaks for these virtual users only, and reads only what is theirs. */
  virtualUserIds?: readonly string[]
  /** Set for a member who may do nothing in the workspace before they set up a second factor. */
  needsSecondFactor?: true
  /** Set for an end user: who they are, whose grants of folders count. */
  virtualUserId?: string
  /** Set for a virtual user with a token of their own; `keyId` is then that of the key that made it. */
  isEndUser?: true
  /** Set for an end user who may open the files that their answers cite. */
  readsCitedFiles?: true
  /** Set for somebody who came through a link, and has no key: `keyId` is then the link's. */
  visitor?: Visitor
  /** The request that it sends; only those that may change something have it. `ip` is where it came from. */
  request?: { id: string; ip: string }
}

/** Name under which the open streams of a caller count: an end user's count by themselves. */
export const streamsOf = ({ keyId, isEndUser, virtualUserIds }: Caller): string =>
  isEndUser ? `${keyId} ${virtualUserIds}` : keyId

/** A higher one may do all that a lower one may. */
export const RANK: Record<Role, number> = { member: 0, admin: 1, owner: 2 }

/** Permissions of every member, beyond a key without permissions: all but manage keys. */
export const MEMBER_PERMISSIONS: readonly Permission[] = ['create_knowledgebase', 'manage_agents']

export const isAdmin = (caller: Caller): boolean => caller.role !== 'member'

export const may = (caller: Caller, permission: Permission): boolean =>
  isAdmin(caller) || caller.permissions.has(permission)

/**
 * Refuses a key that is narrowed by scopes, which could otherwise make something that may do more.
 * @param act what it cannot do: `manage members` @throws ForbiddenError
 */
export function requireWholeKey({ scopes }: Pick<Caller, 'scopes'>, act: string): void {
  if (scopes) throw new ForbiddenError(`A key that is narrowed by scopes cannot ${act}`)
}

/** Whether the scopes of the caller's key, if it has any, hold all of these operations of the API. */
export const mayCall = ({ scopes }: Pick<Caller, 'scopes'>, ...operations: string[]): boolean =>
  !scopes?.operations || operations.every((operation) => allowsOperation(scopes.operations!, operation))

/**
 * Holder of the rights that count for a key: its member; the workspace, for a key of the role member, which has what
 * everyone in the workspace is granted; null for owners and admins, who reach everything.
 */
export const rightsHolderOf = (key: { memberId?: string | null; role: Role; workspaceId: string }): string | null =>
  key.memberId ?? (key.role === 'member' ? key.workspaceId : null)
