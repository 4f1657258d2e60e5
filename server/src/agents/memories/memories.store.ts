import type { Selectable } from 'kysely'
import type { Db, Tables, Tx } from '../../db.ts'
import { type CamelCased, camelCased, snakeCased } from '../../platform/database/statements/camel-cased.ts'
import { prepared } from '../../platform/database/statements/prepared.ts'
import type { PersonMemoryTable } from './memories.tables.ts'

/** Something that an agent remembers of a person. */
export type PersonMemory = CamelCased<Selectable<PersonMemoryTable>>

/** Owner of memories: an agent, and the person they are about. */
export interface MemoryOwner {
  organizationId: string
  agentId: string
  virtualUserId: string
}

const owned = (db: Pick<Db, 'selectFrom'>, { organizationId, agentId, virtualUserId }: MemoryOwner) =>
  db
    .selectFrom('person_memory')
    .where('virtual_user_id', '=', virtualUserId)
    .where('organization_id', '=', organizationId)
    .where('agent_id', '=', agentId)

const newestOfOwner = prepared<Tables, MemoryOwner, Selectable<PersonMemoryTable>>((db, owner) =>
  owned(db, owner).selectAll().orderBy('updated_at', 'desc').orderBy('id', 'desc'),
)

/** All that the agent remembers of the person, newest first. */
export const listMemoriesOf = async (
  db: Db,
  organizationId: string,
  owner: Omit<MemoryOwner, 'organizationId'>,
): Promise<PersonMemory[]> => (await newestOfOwner(db, { ...owner, organizationId })).rows.map(camelCased)

/** Writes it as a whole, new or not. */
export async function putMemory(tx: Tx, organizationId: string, memory: PersonMemory): Promise<void> {
  const row = snakeCased({ ...memory, organizationId })
  const { id: _, created_at: __, ...changes } = row
  await tx
    .insertInto('person_memory')
    .values(row)
    .onConflict((conflict) => conflict.column('id').doUpdateSet(changes))
    .execute()
}

export interface MemoryFilter {
  agentId?: string
  limit: number
  offset: number
}

/** Memories of a person, newest first, and their number in all. */
export async function listMemoriesOfPerson(
  db: Db,
  organizationId: string,
  virtualUserId: string,
  { agentId, limit, offset }: MemoryFilter,
): Promise<{ memories: PersonMemory[]; total: number }> {
  let matching = db
    .selectFrom('person_memory')
    .where('virtual_user_id', '=', virtualUserId)
    .where('organization_id', '=', organizationId)
  if (agentId !== undefined) matching = matching.where('agent_id', '=', agentId)
  const { total } = await matching
    .select((select) => select.fn.countAll<number>().as('total'))
    .executeTakeFirstOrThrow()
  const memories = await matching
    .selectAll()
    .orderBy('updated_at', 'desc')
    .orderBy('id', 'desc')
    .limit(limit)
    .offset(offset)
    .execute()
  return { memories: memories.map(camelCased), total: Number(total) }
}

/** @param agentId only if it is this agent's @returns how many it was, one or none. */
export async function deleteMemory(
  tx: Tx,
  organizationId: string,
  { virtualUserId, id, agentId }: { virtualUserId: string; id: string; agentId?: string },
): Promise<number> {
  let matching = tx
    .deleteFrom('person_memory')
    .where('organization_id', '=', organizationId)
    .where('virtual_user_id', '=', virtualUserId)
    .where('id', '=', id)
  if (agentId !== undefined) matching = matching.where('agent_id', '=', agentId)
  const { numDeletedRows } = await matching.executeTakeFirstOrThrow()
  return Number(numDeletedRows)
}

/** Gives the memories of a person to another one; of two on one topic the newer stays. @returns how many it moved */
export async function moveMemories(tx: Tx, organizationId: string, fromId: string, toId: string): Promise<number> {
  const ofBoth = await tx
    .selectFrom('person_memory')
    .select(['id', 'agent_id', 'topic_key', 'updated_at'])
    .where('organization_id', '=', organizationId)
    .where('virtual_user_id', 'in', [fromId, toId])
    .where('topic_key', 'is not', null)
    .orderBy('updated_at', 'desc')
    .orderBy('id', 'desc')
    .execute()
  const seen = new Set<string>()
  const older = ofBoth.filter(({ agent_id, topic_key }) => {
    const key = `${agent_id} ${topic_key}`
    return seen.has(key) || !seen.add(key)
  })
  if (older.length > 0)
    await tx
      .deleteFrom('person_memory')
      .where('organization_id', '=', organizationId)
      .where(
        'id',
        'in',
        older.map(({ id }) => id),
      )
      .execute()
  const { numUpdatedRows } = await tx
    .updateTable('person_memory')
    .set({ virtual_user_id: toId })
    .where('organization_id', '=', organizationId)
    .where('virtual_user_id', '=', fromId)
    .executeTakeFirstOrThrow()
  return Number(numUpdatedRows)
}

/** @returns how many. */
export async function deleteMemoriesOfPerson(tx: Tx, organizationId: string, virtualUserId: string): Promise<number> {
  const { numDeletedRows } = await tx
    .deleteFrom('person_memory')
    .where('organization_id', '=', organizationId)
    .where('virtual_user_id', '=', virtualUserId)
    .executeTakeFirstOrThrow()
  return Number(numDeletedRows)
}
