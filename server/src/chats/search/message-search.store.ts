import type { Db } from '../../db.ts'

export interface SearchedMessage {
  id: string
  chatId: string
  query: string
  response: string
  createdAt: string
}

/** Questions and answers of chats, in the branches that are shown, newest first in each. */
export const listSearchedMessages = (
  db: Db,
  organizationId: string,
  { chatIds, ids, limit, offset }: { chatIds: string[]; ids?: string[] | undefined; limit: number; offset: number },
): Promise<SearchedMessage[]> =>
  db
    .selectFrom('message')
    .select(['id', 'chat_id as chatId', 'query', 'response', 'created_at as createdAt'])
    .where('organization_id', '=', organizationId)
    .where('chat_id', 'in', chatIds)
    .where('is_aside', '=', 0)
    .$if(ids !== undefined, (query) => query.where('id', 'in', ids!))
    .orderBy('chat_id', 'desc')
    .orderBy('created_at', 'desc')
    .orderBy('id', 'desc')
    .limit(limit)
    .offset(offset)
    .execute()
