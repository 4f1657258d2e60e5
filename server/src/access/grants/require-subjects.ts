import type { Tx } from '../../db.ts'
import { invalidField } from '../../platform/errors.ts'
import type { Caller } from '../caller.ts'
import { knownSubjects } from './grants.store.ts'

/** @throws ValidationError for a grant to somebody who is none of the workspace, or to another workspace */
export async function requireSubjects(
  tx: Tx,
  { organizationId, workspaceId }: Caller,
  grants: readonly { kind: 'member' | 'group' | 'workspace' | 'admins'; id: string }[],
): Promise<void> {
  const idsOf = (kind: string) => grants.filter((grant) => grant.kind === kind).map(({ id }) => id)
  const ids = { memberIds: idsOf('member'), groupIds: idsOf('group') }
  const known = await knownSubjects(tx, organizationId, workspaceId, ids)
  for (const [index, { kind, id }] of grants.entries()) {
    const field = `grants.${index}.id`
    if (kind === 'member' || kind === 'group') {
      if (!known[kind].has(id)) throw invalidField(field, `names no ${kind} of this workspace`)
    } else if (id !== workspaceId) {
      throw invalidField(field, `must be the id of this workspace, ${workspaceId}, where kind is "${kind}"`)
    }
  }
}
