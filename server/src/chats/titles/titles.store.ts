import type { Db, Tx } from '../../db.ts'

/** A chat with its title and its first turn. */
export interface BegunChat {
  title: string
  agentId: string
  query: string
  response: string
}

/** Chat with its oldest turn that was answered; undefined where there is none. */
export function findBegunChat(db: Db, organizationId: string, chatId: string): Promise<BegunChat | undefined> {
  return db
    .selectFrom('message')
    .innerJoin('chat', 'chat.id', 'message.chat_id')
    .select(['chat.title', 'chat.agent_id as agentId', 'message.query', 'message.response'])
    .where('chat.organization_id', '=', organizationId)
    .where('message.organization_id', '=', organizationId)
    .where('message.chat_id', '=', chatId)
    .where('message.status', '=', 'completed')
    .where('message.response', '!=', '')
    .orderBy('message.created_at')
    .orderBy('message.id')
    .limit(1)
    .executeTakeFirst()
}

/** Names a chat, unless somebody else has named it meanwhile. */
export async function retitleChat(
  tx: Tx,
  organizationId: string,
  { chatId, from, to, at }: { chatId: string; from: string; to: string; at: string },
): Promise<void> {
  await tx
    .updateTable('chat')
    .set({ title: to, title_key: to.toLowerCase(), updated_at: at })
    .where('organization_id', '=', organizationId)
    .where('id', '=', chatId)
    .where('title', '=', from)
    .execute()
}
