import type { Selectable, Updateable } from 'kysely'
import type { Citation } from '../agents/citations.ts'
import type { FieldValue } from '../agents/render-shortcut.ts'
import type { Db, Tables, Tx } from '../db.ts'
import { prepared } from '../platform/database/prepared.ts'
import type { ModelUsage } from '../platform/models/model.ts'
import type { MessageTable } from './chats.tables.ts'
import type { LogEntry } from './runs/run-log.ts'
import { countMessage, countTokens, recountChats, type Standing, takeLastPlace } from './threads.store.ts'

export type MessageRow = Selectable<MessageTable>

export interface NewMessage {
  id: string
  chatId: string
  agentId: string
  query: string
  isPinned: boolean
  virtualUserId: string | null
  apiKeyId: string
  mode: MessageTable['mode']
  jobId: string | null
  knowledgeBaseIds: string[] | null
  quickActionId: string | null
  quickActionFields: FieldValue[]
  fingerprint: string
  /** That runs it; empty to leave it to whichever takes it up. */
  processId: string
  createdAt: string
}

type InsertedColumns = Pick<
  MessageRow,
  | 'id'
  | 'organization_id'
  | 'chat_id'
  | 'agent_id'
  | 'query'
  | 'is_pinned'
  | 'virtual_user_id'
  | 'api_key_id'
  | 'mode'
  | 'job_id'
  | 'knowledge_base_ids'
  | 'quick_action_id'
  | 'quick_action_fields'
  | 'fingerprint'
  | 'process_id'
  | 'attempt'
  | 'place'
  | 'created_at'
>

const insertRow = prepared<Tables, InsertedColumns, unknown>((db, row) =>
  db.insertInto('message').values({
    id: row.id,
    organization_id: row.organization_id,
    chat_id: row.chat_id,
    agent_id: row.agent_id,
    query: row.query,
    response: '',
    reasoning: '',
    message_type: 'ai_chat',
    status: 'in_progress',
    error_message: null,
    is_pinned: row.is_pinned,
    virtual_user_id: row.virtual_user_id,
    api_key_id: row.api_key_id,
    mode: row.mode,
    job_id: row.job_id,
    knowledge_base_ids: row.knowledge_base_ids,
    quick_action_id: row.quick_action_id,
    quick_action_fields: row.quick_action_fields,
    output_count: 0,
    feedback_rating: null,
    feedback_comment: null,
    citations: '[]',
    events: '[]',
    fingerprint: row.fingerprint,
    process_id: row.process_id,
    attempt: row.attempt,
    place: row.place,
    model: null,
    input_tokens: 0,
    cached_input_tokens: 0,
    output_tokens: 0,
    reasoning_tokens: 0,
    cost_micros: null,
    created_at: row.created_at,
    updated_at: row.created_at,
  }),
)

/** @returns where it stands in the chat; the time may be a little after its own. */
export async function insertMessage(tx: Tx, organizationId: string, message: NewMessage): Promise<Standing> {
  const standing = await countMessage(tx, organizationId, message.chatId, message.createdAt)
  await insertRow(tx, {
    id: message.id,
    organization_id: organizationId,
    chat_id: message.chatId,
    agent_id: message.agentId,
    query: message.query,
    is_pinned: message.isPinned ? 1 : 0,
    virtual_user_id: message.virtualUserId,
    api_key_id: message.apiKeyId,
    mode: message.mode,
    job_id: message.jobId,
    knowledge_base_ids: message.knowledgeBaseIds && JSON.stringify(message.knowledgeBaseIds),
    quick_action_id: message.quickActionId,
    quick_action_fields: JSON.stringify(message.quickActionFields),
    fingerprint: message.fingerprint,
    process_id: message.processId,
    attempt: message.processId === '' ? 0 : 1,
    place: standing.place,
    created_at: standing.createdAt,
  })
  return standing
}

export const findMessage = (db: Db, organizationId: string, messageId: string): Promise<MessageRow | undefined> =>
  db
    .selectFrom('message')
    .selectAll()
    .where('organization_id', '=', organizationId)
    .where('id', '=', messageId)
    .executeTakeFirst()

type Shown = Pick<MessageRow, 'response' | 'reasoning' | 'events' | 'attempt'>

const updateShown = prepared<Tables, Shown & { organizationId: string; messageId: string }, unknown>((db, row) =>
  db
    .updateTable('message')
    .set({ response: row.response, reasoning: row.reasoning, events: row.events })
    .where('organization_id', '=', row.organizationId)
    .where('id', '=', row.messageId)
    .where('attempt', '=', row.attempt)
    .where('status', '=', 'in_progress'),
)

/**
 * What a run has said and shown so far, for the case that its process does not live to store the end.
 * @returns false as `completeMessage` does
 */
export async function storeProgress(tx: Tx, organizationId: string, messageId: string, shown: Shown): Promise<boolean> {
  const { numAffectedRows } = await updateShown(tx, { ...shown, organizationId, messageId })
  return numAffectedRows === 1n
}

export interface RunResult {
  response: string
  reasoning: string
  errorMessage: string | null
  citations: Citation[]
  log: LogEntry[]
  outputCount: number
  model: string
  usage: ModelUsage
  /** Millionths of a US dollar; null where a price is not known. */
  costMicros: number | null
  /** Which process's turn it is; see the table. */
  attempt: number
  at: string
}

type CompletedColumns = Pick<
  MessageRow,
  | 'id'
  | 'organization_id'
  | 'response'
  | 'reasoning'
  | 'error_message'
  | 'citations'
  | 'events'
  | 'output_count'
  | 'model'
  | 'input_tokens'
  | 'cached_input_tokens'
  | 'output_tokens'
  | 'reasoning_tokens'
  | 'cost_micros'
  | 'attempt'
  | 'updated_at'
>

const completeRow = prepared<Tables, CompletedColumns, unknown>((db, row) =>
  db
    .updateTable('message')
    .set({
      response: row.response,
      reasoning: row.reasoning,
      status: 'completed',
      error_message: row.error_message,
      citations: row.citations,
      events: row.events,
      output_count: row.output_count,
      model: row.model,
      input_tokens: row.input_tokens,
      cached_input_tokens: row.cached_input_tokens,
      output_tokens: row.output_tokens,
      reasoning_tokens: row.reasoning_tokens,
      cost_micros: row.cost_micros,
      updated_at: row.updated_at,
    })
    .where('organization_id', '=', row.organization_id)
    .where('id', '=', row.id)
    .where('attempt', '=', row.attempt)
    .where('status', '!=', 'completed'),
)

export const tokenColumns = (usage: ModelUsage) => ({
  input_tokens: usage.inputTokens,
  cached_input_tokens: usage.cachedInputTokens,
  output_tokens: usage.outputTokens,
  reasoning_tokens: usage.reasoningTokens,
})

/** @returns false for a message that is gone, or whose turn another process has: nothing may be written for it. */
export async function completeMessage(
  tx: Tx,
  organizationId: string,
  { messageId, chatId }: { messageId: string; chatId: string },
  result: RunResult,
): Promise<boolean> {
  const { numAffectedRows } = await completeRow(tx, {
    id: messageId,
    organization_id: organizationId,
    response: result.response,
    reasoning: result.reasoning,
    error_message: result.errorMessage,
    citations: JSON.stringify(result.citations),
    events: JSON.stringify(result.log),
    output_count: result.outputCount,
    model: result.model,
    ...tokenColumns(result.usage),
    cost_micros: result.costMicros,
    attempt: result.attempt,
    updated_at: result.at,
  })
  if (numAffectedRows !== 1n) return false
  const { inputTokens, outputTokens } = result.usage
  if (inputTokens + outputTokens > 0) await countTokens(tx, organizationId, chatId, inputTokens + outputTokens)
  return true
}

/** The message waits for a person. @returns false as `completeMessage` does. */
export async function suspendMessage(
  tx: Tx,
  organizationId: string,
  messageId: string,
  part: Pick<RunResult, 'response' | 'reasoning' | 'log' | 'outputCount' | 'attempt' | 'at'>,
): Promise<boolean> {
  const { numUpdatedRows } = await tx
    .updateTable('message')
    .set({
      status: 'waiting',
      response: part.response,
      reasoning: part.reasoning,
      events: JSON.stringify(part.log),
      output_count: part.outputCount,
      updated_at: part.at,
    })
    .where('organization_id', '=', organizationId)
    .where('id', '=', messageId)
    .where('attempt', '=', part.attempt)
    .where('status', '=', 'in_progress')
    .executeTakeFirstOrThrow()
  return numUpdatedRows === 1n
}

/** The message goes on after a review, in the background, wherever it is taken up: after what is in progress already. */
export async function wakeMessage(
  tx: Tx,
  organizationId: string,
  { id, chat_id, mode }: Pick<MessageRow, 'id' | 'chat_id' | 'mode'>,
  at: string,
): Promise<void> {
  const place = await takeLastPlace(tx, organizationId, chat_id)
  await tx
    .updateTable('message')
    .set({
      status: 'in_progress',
      mode: mode === 'async' ? mode : 'reviewed',
      process_id: '',
      place,
      updated_at: at,
    })
    .where('organization_id', '=', organizationId)
    .where('id', '=', id)
    .where('status', '=', 'waiting')
    .execute()
}

/** Takes over a message that is to go on here. @returns false when another process was faster. */
export async function claimMessage(
  tx: Tx,
  organizationId: string,
  { id, attempt }: Pick<MessageRow, 'id' | 'attempt'>,
  processId: string,
): Promise<boolean> {
  const { numUpdatedRows } = await tx
    .updateTable('message')
    .set({ attempt: attempt + 1, process_id: processId })
    .where('organization_id', '=', organizationId)
    .where('id', '=', id)
    .where('attempt', '=', attempt)
    .where('status', '=', 'in_progress')
    .executeTakeFirstOrThrow()
  return numUpdatedRows === 1n
}

export async function updateMessage(
  tx: Tx,
  organizationId: string,
  messageId: string,
  changes: Pick<Updateable<MessageTable>, 'is_pinned' | 'feedback_rating' | 'feedback_comment'>,
): Promise<void> {
  await tx
    .updateTable('message')
    .set(changes)
    .where('organization_id', '=', organizationId)
    .where('id', '=', messageId)
    .execute()
}

export async function deleteMessage(
  tx: Tx,
  organizationId: string,
  { id, chat_id }: Pick<MessageRow, 'id' | 'chat_id'>,
): Promise<void> {
  await tx.deleteFrom('message').where('organization_id', '=', organizationId).where('id', '=', id).execute()
  await recountChats(tx, organizationId, [chat_id])
}
