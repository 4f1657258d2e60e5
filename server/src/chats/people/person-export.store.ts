import { sql } from 'kysely'
import type { Db } from '../../db.ts'
import type { PageOf } from '../../platform/database/statements/read-pages.ts'

/** Messages of a person that whoever exports may see: those in chats that are private to another member are not. */
export interface ExportOf {
  organizationId: string
  virtualUserId: string
  /** Member who exports, whose own chats they see. */
  memberId: string | undefined
  /** ISO times: from the first on, up to the second. */
  from?: string | undefined
  to?: string | undefined
}

const selectMessages = (db: Db, { organizationId, virtualUserId, from, to }: ExportOf) => {
  let messages = db
    .selectFrom('message')
    .innerJoin('chat', 'chat.id', 'message.chat_id')
    .where('message.organization_id', '=', organizationId)
    .where('chat.organization_id', '=', organizationId)
    .where('message.virtual_user_id', '=', virtualUserId)
  if (from !== undefined) messages = messages.where('message.created_at', '>=', from)
  if (to !== undefined) messages = messages.where('message.created_at', '<', to)
  return messages
}

const visible = (db: Db, of: ExportOf) =>
  selectMessages(db, of).where((where) =>
    where.or([where('chat.member_id', 'is', null), where('chat.member_id', '=', of.memberId ?? '')]),
  )

/** How many messages an export holds and how many it leaves out. */
export async function countExport(db: Db, of: ExportOf) {
  const count = async (messages: ReturnType<typeof selectMessages>) => {
    const { total } = await messages
      .select((select) => select.fn.countAll<number>().as('total'))
      .executeTakeFirstOrThrow()
    return Number(total)
  }
  const messages = await count(visible(db, of))
  return {
    messages,
    leftOut: (await count(selectMessages(db, of))) - messages,
  }
}

/** Position of a message in an export, whose order an index has. */
export interface ExportPlace {
  chat_id: string
  created_at: string
  id: string
}

/** Chats with such messages, by id, some after another. */
export const chatsToExport = (db: Db, of: ExportOf, { after, limit }: PageOf<{ id: string }>) =>
  visible(db, of)
    .select([
      'message.chat_id as id',
      'chat.agent_id',
      'chat.title',
      'chat.chat_type',
      'chat.metadata',
      'chat.created_at',
    ])
    .distinct()
    .where('message.chat_id', '>', after?.id ?? '')
    .orderBy('message.chat_id')
    .limit(limit)
    .execute()

const nextMessages = (db: Db, of: ExportOf, { after, limit }: PageOf<ExportPlace>) =>
  visible(db, of)
    .select(['message.chat_id', 'message.created_at', 'message.id'])
    .where(
      sql<boolean>`(message.chat_id, message.created_at, message.id) > (${after?.chat_id ?? ''}, ${after?.created_at ?? ''}, ${after?.id ?? ''})`,
    )
    .orderBy('message.chat_id')
    .orderBy('message.created_at')
    .orderBy('message.id')
    .limit(limit)

/** Selects such messages, chat by chat in the order in which they were asked, one page at a time. */
export const messagesToExport = (db: Db, of: ExportOf, page: PageOf<ExportPlace>) =>
  nextMessages(db, of, page)
    .select([
      'message.agent_id',
      'message.query',
      'message.response',
      'message.reasoning',
      'message.status',
      'message.error_message',
      'message.is_pinned',
      'message.citations',
      'message.quick_action_id',
      'message.quick_action_fields',
      'message.feedback_rating',
      'message.feedback_comment',
      'message.model',
      'message.input_tokens',
      'message.cached_input_tokens',
      'message.output_tokens',
      'message.reasoning_tokens',
      'message.cost_micros',
      'message.output_count',
      'message.updated_at',
    ])
    .execute()

/** Places of such messages, some after another. */
export const placesToExport = (db: Db, of: ExportOf, page: PageOf<ExportPlace>): Promise<ExportPlace[]> =>
  nextMessages(db, of, page).execute()
