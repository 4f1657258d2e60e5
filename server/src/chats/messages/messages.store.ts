import type { Selectable } from 'kysely'
import type { Db, Tables, Tx } from '../../db.ts'
import { prepared } from '../../platform/database/statements/prepared.ts'
import { leaveBranches } from '../branches/branches.store.ts'
import { recountChats } from '../chat/chat-counts.store.ts'
import type { MessageTable } from '../chats.tables.ts'

/** Columns by the names that they have in records. */
const COLUMNS = {
  id: 'id',
  organizationId: 'organization_id',
  chatId: 'chat_id',
  agentId: 'agent_id',
  query: 'query',
  response: 'response',
  reasoning: 'reasoning',
  messageType: 'message_type',
  status: 'status',
  errorMessage: 'error_message',
  isPinned: 'is_pinned',
  virtualUserId: 'virtual_user_id',
  apiKeyId: 'api_key_id',
  rightsHolderId: 'member_id',
  mode: 'mode',
  jobId: 'job_id',
  knowledgeBaseIds: 'knowledge_base_ids',
  filters: 'filters',
  quickActionId: 'quick_action_id',
  quickActionFields: 'quick_action_fields',
  outputCount: 'output_count',
  feedbackRating: 'feedback_rating',
  feedbackComment: 'feedback_comment',
  citations: 'citations',
  events: 'events',
  fingerprint: 'fingerprint',
  processId: 'process_id',
  attempt: 'attempt',
  place: 'place',
  parentId: 'parent_id',
  isAside: 'is_aside',
  askedModel: 'asked_model',
  model: 'model',
  inputTokens: 'input_tokens',
  cachedInputTokens: 'cached_input_tokens',
  outputTokens: 'output_tokens',
  reasoningTokens: 'reasoning_tokens',
  costMicros: 'cost_micros',
  createdAt: 'created_at',
  updatedAt: 'updated_at',
} as const satisfies Record<string, keyof MessageTable>

type Field = keyof typeof COLUMNS
type Aliased<F extends Field> = { [K in F]: `${(typeof COLUMNS)[K]} as ${K}` }[F]

/**
 * A message as `MessageTable` describes it. Lists stay the JSON that is stored, for those who read them: the log of a
 * stream may be longer than all the rest.
 */
export type MessageRecord = { [F in Field]: Selectable<MessageTable>[(typeof COLUMNS)[F]] }

/** Columns to select for fields of a record. */
export const columnsOf = <F extends Field>(fields: readonly F[]): Aliased<F>[] =>
  fields.map((field) => `${COLUMNS[field]} as ${field}` as Aliased<F>)

const wholeMessage = prepared<Tables, { organizationId: string; messageId: string }, MessageRecord>(
  (db, { organizationId, messageId }) =>
    db
      .selectFrom('message')
      .select(columnsOf(Object.keys(COLUMNS) as Field[]))
      .where('organization_id', '=', organizationId)
      .where('id', '=', messageId),
)

export async function findMessage(
  db: Db,
  organizationId: string,
  messageId: string,
): Promise<MessageRecord | undefined> {
  const { rows } = await wholeMessage(db, { organizationId, messageId })
  return rows[0]
}

export async function deleteMessage(
  tx: Tx,
  organizationId: string,
  { id, chatId }: Pick<MessageRecord, 'id' | 'chatId'>,
): Promise<void> {
  await leaveBranches(tx, organizationId, chatId, [id])
  await tx.deleteFrom('message').where('organization_id', '=', organizationId).where('id', '=', id).execute()
  await recountChats(tx, organizationId, [chatId])
}

/** An answer that somebody rated, with its question. */
export interface RatedMessage {
  id: string
  query: string
  response: string
  /** JSON array of citations. */
  citations: string
}

/** Rated answers of some chats, the newest first. */
export function listRatedMessages(
  db: Db,
  organizationId: string,
  { agentId, chatIds, rating, limit }: { agentId: string; chatIds: string[]; rating: 'up' | 'down'; limit: number },
): Promise<RatedMessage[]> {
  return db
    .selectFrom('message')
    .select(['id', 'query', 'response', 'citations'])
    .where('organization_id', '=', organizationId)
    .where('agent_id', '=', agentId)
    .where('feedback_rating', 'is not', null)
    .where('feedback_rating', '=', rating)
    .where('chat_id', 'in', chatIds)
    .orderBy('id', 'desc')
    .limit(limit)
    .execute()
}
