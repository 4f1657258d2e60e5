import type { Tx } from '../../db.ts'
import { invalidField } from '../../platform/errors.ts'
import type { Caller } from '../caller.ts'
import { knownSubjects, type Subject } from './grants.store.ts'

/** Members and groups that a request names, each once. @throws ValidationError for one that is none of the workspace */
export async function chosenSubjects(
  tx: Tx,
  { organizationId, workspaceId }: Caller,
  { member_ids: memberIds, group_ids: groupIds }: { member_ids: string[]; group_ids: string[] },
): Promise<Subject[]> {
  const known = await knownSubjects(tx, organizationId, workspaceId, { memberIds, groupIds })
  requireKnown('member_ids', memberIds, known)
  requireKnown('group_ids', groupIds, known)
  return [
    ...[...new Set(memberIds)].map((id) => ({ kind: 'member' as const, id })),
    ...[...new Set(groupIds)].map((id) => ({ kind: 'group' as const, id })),
  ]
}

function requireKnown(path: string, ids: string[], known: ReadonlySet<string>): void {
  const unknown = ids.findIndex((id) => !known.has(id))
  if (unknown < 0) return
  const message = 'is none of this workspace'
  throw invalidField(`${path}.${unknown}`, message)
}
