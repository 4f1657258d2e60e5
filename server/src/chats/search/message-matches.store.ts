import type { Db } from '../../db.ts'
import { runsInThread } from '../../platform/database/in-slices.ts'
import { mayHold } from '../../platform/database/text-index.ts'
import type { Word } from './find-words.ts'
import { IN_THREAD } from './message-index.store.ts'

/** Message by where it is. */
export interface PlacedMessage {
  id: string
  chatId: string
}

/** Messages that are not in the index: they wait for it, or have not ended. */
export async function listOutsideIndex(db: Db, organizationId: string, limit: number): Promise<PlacedMessage[]> {
  const waiting = await db
    .selectFrom('message_unindexed')
    .innerJoin('message', (join) =>
      join
        .onRef('message.organization_id', '=', 'message_unindexed.organization_id')
        .onRef('message.id', '=', 'message_unindexed.message_id'),
    )
    .select(['message.id as id', 'message.chat_id as chatId'])
    .where('message_unindexed.organization_id', '=', organizationId)
    .limit(limit)
    .execute()
  const open = await db
    .selectFrom('message')
    .select(['id', 'chat_id as chatId'])
    .where('organization_id', '=', organizationId)
    .where('status', '!=', 'completed')
    .limit(limit)
    .execute()
  return [...waiting, ...open]
}

/** Messages in the index whose texts may hold the words, in steps; all of the organization's, whoever may see them. */
export async function* matchingMessages(
  db: Db,
  organizationId: string,
  { words, limit }: { words: Word[]; limit: number },
): AsyncGenerator<PlacedMessage[]> {
  const find = (between: [number, number]) =>
    db
      .selectFrom('message_search')
      .select(['message_id as id', 'chat_id as chatId'])
      .where('organization_id', '=', organizationId)
      .where(mayHold(db, 'message_search', { words, group: organizationId, between }))
      .limit(limit)
      .execute()
  if (!runsInThread(db)) return yield await find([0, 0])
  const { newest } = await db
    .selectFrom('message_search')
    .select(({ fn }) => fn.max<number | null>('number').as('newest'))
    .where('organization_id', '=', organizationId)
    .executeTakeFirstOrThrow()
  for (let last = newest ?? 0; last > 0; last -= IN_THREAD) yield await find([Math.max(0, last - IN_THREAD), last])
}
