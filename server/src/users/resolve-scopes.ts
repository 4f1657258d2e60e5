import type { ResolveScopes } from '../access/access.ts'
import type { KernelParts } from '../kernel-parts.ts'
import { invalidField } from '../platform/errors.ts'
import type { EnsureVirtualUser } from './attribution.ts'
import { findLiveUser } from './users.store.ts'

interface ResolveOptions extends Pick<KernelParts, 'db' | 'writes'> {
  ensureVirtualUser: EnsureVirtualUser
}

/**
 * Makes the function that finds the virtual users whom the scopes of a key name, in the form in which they are stored.
 * @throws ValidationError, when called, for one that is not there
 */
export const createResolveScopes =
  ({ db, writes, ensureVirtualUser }: ResolveOptions): ResolveScopes =>
  async ({ organizationId, workspaceId }, scopes) => {
    if (!scopes) return null
    const { virtual_user_ids: ids, virtual_user_emails: emails, ...rest } = scopes
    if (ids == null && emails == null) return rest
    for (const [at, id] of (ids ?? []).entries())
      if (!(await findLiveUser(db, organizationId, id)))
        throw invalidField(`scopes.virtual_user_ids.${at}`, 'is no virtual user of this organization')
    const named = await writes.commit(async (tx) => {
      const found: string[] = []
      for (const email of emails ?? []) found.push(await ensureVirtualUser(tx, organizationId, workspaceId, email))
      return found
    })
    return { ...rest, virtual_user_ids: [...new Set([...(ids ?? []), ...named])] }
  }
