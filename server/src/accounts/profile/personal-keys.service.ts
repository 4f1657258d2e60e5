import {
  ApiKeyNotFoundError,
  type ApiKeyRecord,
  type Caller,
  ForbiddenError,
  type KeyScopes,
  type KeyService,
} from '../../access/access.ts'
import type { Tx } from '../../db.ts'
import type { MemberService } from '../members/members.service.ts'

export interface PersonalKeyServiceOptions {
  keys: KeyService
  members: MemberService
}

export interface NewPersonalKey {
  name: string
  scopes: KeyScopes | null
  expires_at: string | null
}

export type PersonalKeyService = ReturnType<typeof createPersonalKeyService>

/** Keys of a member for programs of their own: they may what the member may, and end with the membership. */
export function createPersonalKeyService({ keys, members }: PersonalKeyServiceOptions) {
  /** @throws ForbiddenError for a key: it could otherwise make one that outlives its own end */
  function memberOf({ memberId, accountId }: Caller): string {
    if (!memberId || !accountId) throw new ForbiddenError('Sign in with your account to do this: an API key has none')
    return memberId
  }

  const list = async (caller: Caller): Promise<ApiKeyRecord[]> => keys.listPersonal(caller, memberOf(caller))

  /** @throws ApiKeyNotFoundError, also for a key of somebody else */
  async function requireOwn(caller: Caller, keyId: string): Promise<void> {
    if (!(await list(caller)).some(({ id }) => id === keyId)) throw new ApiKeyNotFoundError()
  }

  return {
    list,

    async create(caller: Caller, fields: NewPersonalKey) {
      const id = memberOf(caller)
      const rightsIn = (tx: Tx) => members.rightsIn(tx, caller)
      return keys.make(caller, { ...fields, role: 'member', permissions: [] }, { kind: 'personal', id, rightsIn })
    },

    /** @throws ApiKeyNotFoundError, also for a key of somebody else */
    async rotate(caller: Caller, keyId: string, overlapSeconds: number) {
      await requireOwn(caller, keyId)
      return keys.rotate(caller, keyId, overlapSeconds)
    },

    /** @throws ApiKeyNotFoundError, also for a key of somebody else */
    async revoke(caller: Caller, keyId: string): Promise<void> {
      await requireOwn(caller, keyId)
      await keys.revoke(caller, keyId)
    },
  }
}
