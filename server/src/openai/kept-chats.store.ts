import type { Db, Tx } from '../db.ts'

/** The newest chat at a state of a conversation. */
export async function findKeptChat(db: Db, organizationId: string, digest: string): Promise<string | undefined> {
  const row = await db
    .selectFrom('openai_chat')
    .select('chat_id')
    .where('organization_id', '=', organizationId)
    .where('digest', '=', digest)
    .orderBy('updated_at', 'desc')
    .limit(1)
    .executeTakeFirst()
  return row?.chat_id
}

/** @returns false if somebody else took it, or it is gone */
export async function takeKeptChat(
  tx: Tx,
  organizationId: string,
  { chatId, digest }: { chatId: string; digest: string },
): Promise<boolean> {
  const { numDeletedRows } = await tx
    .deleteFrom('openai_chat')
    .where('organization_id', '=', organizationId)
    .where('chat_id', '=', chatId)
    .where('digest', '=', digest)
    .executeTakeFirst()
  return numDeletedRows > 0n
}

/** @throws a foreign key violation for a chat that is gone */
export async function keepChat(
  tx: Tx,
  organizationId: string,
  { chatId, digest, at }: { chatId: string; digest: string; at: string },
): Promise<void> {
  await tx
    .insertInto('openai_chat')
    .values({ organization_id: organizationId, chat_id: chatId, digest, updated_at: at })
    .onConflict((conflict) => conflict.column('chat_id').doUpdateSet({ digest, updated_at: at }))
    .execute()
}
