import { sql } from 'kysely'
import type { Db, Writes } from '../../db.ts'
import { acrossOrganizations } from '../../platform/database/statements/across-organizations.ts'
import type { WorkedQueue } from '../../queue/queue.ts'
import { DURABLE_MODES } from '../runs/modes.ts'

interface StuckMessage {
  id: string
  organizationId: string
}

const listDurable = (db: Db): Promise<StuckMessage[]> =>
  acrossOrganizations(db)
    .selectFrom('message')
    .select(['id', 'organization_id as organizationId'])
    // Written out, not as a parameter: the planner must see that the small index of what is not completed has all of it.
    .where('status', '!=', sql.lit('completed'))
    .where('status', '=', 'in_progress')
    .where('mode', 'in', [...DURABLE_MODES])
    .execute()

/**
 * Messages that a task is to answer, and for which there is none that waits or runs: nobody will ever answer them. Others
 * belong to a request, and end at the latest when their process does.
 */
export async function findStuckMessages(db: Db, queue: WorkedQueue): Promise<StuckMessage[]> {
  const before = await listDurable(db)
  if (before.length === 0) return []
  // A task goes after its message has ended, and comes with it: what has none now has none, or has ended meanwhile.
  const awaited = new Set((await queue.listLive('chats.answer')).map(({ messageId }) => messageId))
  const suspects = before.filter(({ id }) => !awaited.has(id))
  if (suspects.length === 0) return []
  const now = new Set((await listDurable(db)).map(({ id }) => id))
  return suspects.filter(({ id }) => now.has(id))
}

/** Queues a task again for each of them: it is answered, or given up and delivered as such. */
export async function requeueStuckMessages(
  writes: Writes,
  queue: WorkedQueue,
  messages: StuckMessage[],
): Promise<void> {
  await Promise.all(
    messages.map(({ id: messageId, organizationId }) =>
      writes.commit((tx) => queue.enqueue(tx, organizationId, 'chats.answer', { messageId })),
    ),
  )
}
