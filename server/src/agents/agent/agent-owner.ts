import { findMemberName } from '../../access/access.ts'
import type { Db } from '../../db.ts'
import type { AgentRecord } from './agents.store.ts'

/** Finds the member who made an agent; null if no member did, or they are none any more. */
export async function findAgentOwner(
  db: Db,
  { organizationId, workspaceId, memberId }: Pick<AgentRecord, 'organizationId' | 'workspaceId' | 'memberId'>,
): Promise<{ id: string; name: string } | null> {
  if (memberId === null) return null
  const name = await findMemberName(db, organizationId, workspaceId, memberId)
  return name === undefined ? null : { id: memberId, name }
}
