import type { Kysely, Selectable } from 'kysely'
import type { Citation, FieldValue } from '../../agents/agents.ts'
import type { Tables, Tx } from '../../db.ts'
import type { FileFilter } from '../../drive/drive.ts'
import { prepared } from '../../platform/database/statements/prepared.ts'
import type { ModelUsage } from '../../platform/models/model.ts'
import { growBranch } from '../branches/branches.store.ts'
import { countTokens } from '../chat/chat-counts.store.ts'
import { type ChatPlace, countMessageOfChat, takeLastPlace } from '../chat/chat-places.store.ts'
import type { MessageTable } from '../chats.tables.ts'
import type { LogEntry } from '../runs/run-log.ts'
import { CANCELLED, InterruptedError } from '../runs/runs.errors.ts'
import type { MessageRecord } from './messages.store.ts'

type MessageRow = Selectable<MessageTable>

/**
 * State of a message. This module has the only statements that write it, but for those that accept and complete many in
 * `message-life.inserts.store.ts` and `message-life.batches.store.ts`; each says by its result whether it applied, and
 * changes nothing where the table below has no place for it. `message-life.test.ts` tries every pair.
 *
 * | from        | accepted | in line         | running         | waiting | completed | failed        | cancelled     | interrupted   |
 * | ----------- | -------- | --------------- | --------------- | ------- | --------- | ------------- | ------------- | ------------- |
 * | (none)      | accept   | accept          | accept          |         |           |               |               |               |
 * | accepted    |          | claim           | claim           |         |           |               |               |               |
 * | in line     | release  | claim, progress | (its turn)      | suspend | complete  | complete, end | complete, end | complete, end |
 * | running     | release  |                 | claim, progress | suspend | complete  | complete, end | complete, end | complete, end |
 * | waiting     | wake     |                 |                 |         |           | endWaiting    | endWaiting    | endWaiting    |
 * | completed   |          |                 |                 |         |           |               |               |               |
 * | failed      |          |                 |                 |         |           |               |               |               |
 * | cancelled   |          |                 |                 |         |           |               |               |               |
 * | interrupted |          |                 |                 |         |           |               |               |               |
 *
 * - *accepted*: in progress, and any worker may claim it: it has no process.
 * - *in line* and *running*: claimed by a process. It is in line while one of its chat that is in progress has a lower
 *   place. No statement writes that its turn has come: the process that claimed it begins it (`runs/chat-line.ts`), so
 *   what may be written of a message that runs may be written of one in line. `claim` takes over from a dead process.
 * - *waiting*: for a review.
 * - The other four are `completed` in the table; the error tells them apart.
 * A message that nobody runs is claimed and ended in one transaction (`runs/stored/interruptions.ts`).
 */
export type MessageState =
  | 'accepted'
  | 'in line'
  | 'running'
  | 'waiting'
  | 'completed'
  | 'failed'
  | 'cancelled'
  | 'interrupted'

/** @param isBehind whether a message of its chat that is in progress has a lower place */
export function stateOf(
  { status, processId, errorMessage }: Pick<MessageRecord, 'status' | 'processId' | 'errorMessage'>,
  isBehind: boolean,
): MessageState {
  if (status === 'waiting') return 'waiting'
  if (status === 'in_progress') return processId === '' ? 'accepted' : isBehind ? 'in line' : 'running'
  if (errorMessage === null) return 'completed'
  if (errorMessage === CANCELLED) return 'cancelled'
  return errorMessage === new InterruptedError().message ? 'interrupted' : 'failed'
}

/** Right to write a message: each claim raises the attempt, and anyone with a lower one is refused. */
export interface Fence {
  organizationId: string
  messageId: string
  attempt: number
}

export const fenceOf = ({ organizationId, id, attempt }: Pick<MessageRecord, 'organizationId' | 'id' | 'attempt'>) => ({
  organizationId,
  messageId: id,
  attempt,
})

export interface NewMessage {
  id: string
  chatId: string
  agentId: string
  query: string
  isPinned: boolean
  virtualUserId: string | null
  apiKeyId: string
  /** Holder of the rights that it is answered with (`rightsHolderOf`): a member or a workspace; null: everything. */
  rightsHolderId: string | null
  mode: MessageTable['mode']
  jobId: string | null
  knowledgeBaseIds: string[] | null
  /** Filter by the metadata of files that the query names. */
  filters?: FileFilter | undefined
  quickActionId: string | null
  quickActionFields: FieldValue[]
  /** `provider/model` that the query names. */
  askedModel?: string | null
  /** Message of the chat beside which it stands as another version; absent: it follows the last of the branch. */
  versionOf?: string | undefined
  fingerprint: string
  /** Id of the process that runs it; empty: any worker may claim it. */
  processId: string
  createdAt: string
}

const ACCEPTED = [
  'id',
  'organization_id',
  'chat_id',
  'agent_id',
  'query',
  'is_pinned',
  'virtual_user_id',
  'api_key_id',
  'member_id',
  'mode',
  'job_id',
  'knowledge_base_ids',
  'filters',
  'quick_action_id',
  'quick_action_fields',
  'fingerprint',
  'process_id',
  'attempt',
  'place',
  'parent_id',
  'asked_model',
  'created_at',
  'updated_at',
] as const

const insertRow = prepared<Tables, Pick<MessageRow, (typeof ACCEPTED)[number]>, unknown>((db, row) =>
  db.insertInto('message').values({
    ...pick(row, ACCEPTED),
    response: '',
    reasoning: '',
    message_type: 'ai_chat',
    status: 'in_progress',
    error_message: null,
    output_count: 0,
    feedback_rating: null,
    feedback_comment: null,
    citations: '[]',
    events: '[]',
    model: null,
    input_tokens: 0,
    cached_input_tokens: 0,
    output_tokens: 0,
    reasoning_tokens: 0,
    cost_micros: null,
  }),
)

/**
 * @returns where it is in the chat; the time may be a little after its own.
 * @throws a unique violation for an id that the organization has
 */
export async function insertMessage(tx: Tx, organizationId: string, message: NewMessage): Promise<ChatPlace> {
  const chatPlace = await countMessageOfChat(tx, organizationId, message.chatId, message.createdAt)
  const { leafId } = chatPlace
  const isBranched = leafId !== null || message.versionOf !== undefined
  const parentId = isBranched ? await growBranch(tx, organizationId, message, leafId) : null
  await insertRow(tx, {
    id: message.id,
    organization_id: organizationId,
    chat_id: message.chatId,
    agent_id: message.agentId,
    query: message.query,
    is_pinned: message.isPinned ? 1 : 0,
    virtual_user_id: message.virtualUserId,
    api_key_id: message.apiKeyId,
    member_id: message.rightsHolderId,
    mode: message.mode,
    job_id: message.jobId,
    knowledge_base_ids: message.knowledgeBaseIds && JSON.stringify(message.knowledgeBaseIds),
    filters: message.filters ? JSON.stringify(message.filters) : null,
    quick_action_id: message.quickActionId,
    quick_action_fields: JSON.stringify(message.quickActionFields),
    fingerprint: message.fingerprint,
    process_id: message.processId,
    attempt: message.processId === '' ? 0 : 1,
    place: chatPlace.place,
    parent_id: parentId,
    asked_model: message.askedModel ?? null,
    created_at: chatPlace.createdAt,
    updated_at: chatPlace.createdAt,
  })
  return chatPlace
}

/** Gives it to a process: one that nobody has, or one whose process is dead. @returns false when another was faster. */
export async function claimMessage(tx: Tx, fence: Fence, processId: string): Promise<boolean> {
  const { numUpdatedRows } = await updateFenced(tx, fence)
    .where('status', '=', 'in_progress')
    .set({ attempt: fence.attempt + 1, process_id: processId })
    .executeTakeFirstOrThrow()
  return numUpdatedRows === 1n
}

/** Leaves it to whichever process claims it next. @returns false when it is not held by this attempt */
export async function releaseMessage(tx: Tx, fence: Fence): Promise<boolean> {
  const { numUpdatedRows } = await updateHeld(tx, fence).set({ process_id: '' }).executeTakeFirstOrThrow()
  return numUpdatedRows === 1n
}

type Shown = Pick<MessageRow, 'response' | 'reasoning' | 'events'>

const updateShown = prepared<Tables, Shown & Fence, unknown>((db, row) =>
  updateHeld(db, row).set({ response: row.response, reasoning: row.reasoning, events: row.events }),
)

/**
 * Stores what a run has said and shown so far, for the case that its process does not live to store the end.
 * @returns false when it is not held by this attempt
 */
export async function storeProgress(tx: Tx, fence: Fence, shown: Shown): Promise<boolean> {
  const { numAffectedRows } = await updateShown(tx, { ...fence, ...shown })
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
  at: string
}

/** Lets it wait for a person. @returns false when it is not held by this attempt */
export async function suspendMessage(
  tx: Tx,
  fence: Fence,
  part: Pick<RunResult, 'response' | 'reasoning' | 'log' | 'outputCount' | 'at'>,
): Promise<boolean> {
  const { numUpdatedRows } = await updateHeld(tx, fence)
    .set({
      status: 'waiting',
      response: part.response,
      reasoning: part.reasoning,
      events: JSON.stringify(part.log),
      output_count: part.outputCount,
      updated_at: part.at,
    })
    .executeTakeFirstOrThrow()
  return numUpdatedRows === 1n
}

/**
 * Resumes a message after a review, in the background, in the process that claims it, behind those already in progress.
 * @returns false when it does not wait
 */
export async function wakeMessage(
  tx: Tx,
  fence: Fence,
  { chatId, mode }: Pick<MessageRecord, 'chatId' | 'mode'>,
  at: string,
): Promise<boolean> {
  const { numUpdatedRows } = await updateFenced(tx, fence)
    .where('status', '=', 'waiting')
    .set({ status: 'in_progress', mode: mode === 'async' ? mode : 'reviewed', process_id: '', updated_at: at })
    .executeTakeFirstOrThrow()
  if (numUpdatedRows !== 1n) return false
  const place = await takeLastPlace(tx, fence.organizationId, chatId)
  await updateFenced(tx, fence).set({ place }).execute()
  return true
}

const ENDED = [
  'response',
  'reasoning',
  'error_message',
  'citations',
  'events',
  'output_count',
  'model',
  'input_tokens',
  'cached_input_tokens',
  'output_tokens',
  'reasoning_tokens',
  'cost_micros',
  'updated_at',
] as const

type EndedRow = Pick<MessageRow, (typeof ENDED)[number]> & Fence & { from: MessageTable['status'] }

const completeRow = prepared<Tables, EndedRow, unknown>((db, row) =>
  updateFenced(db, row)
    .where('status', '=', row.from)
    .where('process_id', '!=', '')
    .set({ ...pick(row, ENDED), status: 'completed' }),
)

async function complete(
  tx: Tx,
  fence: Fence & { chatId: string },
  result: RunResult,
  from: EndedRow['from'],
): Promise<boolean> {
  const { organizationId, messageId, attempt, chatId } = fence
  const { numAffectedRows } = await completeRow(tx, {
    organizationId,
    messageId,
    attempt,
    from,
    response: result.response,
    reasoning: result.reasoning,
    error_message: result.errorMessage,
    citations: JSON.stringify(result.citations),
    events: JSON.stringify(result.log),
    output_count: result.outputCount,
    model: result.model,
    ...tokenColumns(result.usage),
    cost_micros: result.costMicros,
    updated_at: result.at,
  })
  if (numAffectedRows !== 1n) return false
  const { inputTokens, outputTokens } = result.usage
  if (inputTokens + outputTokens > 0) await countTokens(tx, organizationId, chatId, inputTokens + outputTokens)
  return true
}

/** Ends it with its run. @returns false for one that is gone, or not held by this attempt: nothing may be written for it. */
export const completeMessage = (tx: Tx, fence: Fence & { chatId: string }, result: RunResult): Promise<boolean> =>
  complete(tx, fence, result, 'in_progress')

/** Ends one that waits and that nobody decides. @returns false when it does not wait */
export const endWaitingMessage = (
  tx: Tx,
  fence: Fence & { chatId: string },
  result: RunResult & { errorMessage: string },
): Promise<boolean> => complete(tx, fence, result, 'waiting')

/**
 * Ends one that nobody runs or will run, with what is stored of it, and with what its run used as far as that is known.
 * @returns false when it is not held by this attempt
 */
export async function endMessage(
  tx: Tx,
  fence: Fence,
  result: Pick<RunResult, 'log' | 'at'> &
    Partial<Pick<RunResult, 'outputCount' | 'model' | 'costMicros' | 'usage'>> & { errorMessage: string },
): Promise<boolean> {
  const { numUpdatedRows } = await updateHeld(tx, fence)
    .set({
      status: 'completed',
      error_message: result.errorMessage,
      events: JSON.stringify(result.log),
      output_count: result.outputCount,
      model: result.model,
      cost_micros: result.costMicros,
      ...(result.usage && tokenColumns(result.usage)),
      updated_at: result.at,
    })
    .executeTakeFirstOrThrow()
  return numUpdatedRows === 1n
}

function updateFenced(db: Kysely<Tables>, { organizationId, messageId, attempt }: Fence) {
  return db
    .updateTable('message')
    .where('organization_id', '=', organizationId)
    .where('id', '=', messageId)
    .where('attempt', '=', attempt)
}

/** Narrows an update to a message in progress in the hands of a process. */
function updateHeld(db: Kysely<Tables>, fence: Fence) {
  return updateFenced(db, fence).where('status', '=', 'in_progress').where('process_id', '!=', '')
}

const tokenColumns = (usage: ModelUsage) => ({
  input_tokens: usage.inputTokens,
  cached_input_tokens: usage.cachedInputTokens,
  output_tokens: usage.outputTokens,
  reasoning_tokens: usage.reasoningTokens,
})

/** Takes the columns that a statement writes; their values may be known only when it runs. */
function pick<R extends object, K extends keyof R>(row: R, columns: readonly K[]): Pick<R, K> {
  return Object.fromEntries(columns.map((column) => [column, row[column]])) as Pick<R, K>
}
