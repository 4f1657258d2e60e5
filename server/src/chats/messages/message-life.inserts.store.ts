import { sql } from 'kysely'
import type { Db, Tables } from '../../db.ts'
import { prepared } from '../../platform/database/statements/prepared.ts'
import { together } from '../../platform/database/statements/together.ts'
import type { ChatPlace } from '../chat/chat-places.store.ts'
import { newestRememberedOfMany, type Remembered, rememberedByMessage } from '../memory/turns.store.ts'
import type { Held } from '../runs/directory/holders.store.ts'
import type { NewMessage } from './message-life.store.ts'

/** Fields that the statement for many leaves out: a message that has one is stored alone. */
export const LEFT_OUT = ['askedModel', 'versionOf', 'filters'] as const

/** A query that takes no more to store than its place in the chat's line and a delivery: no files, virtual user or quota. */
export interface PlainMessage extends Omit<NewMessage, 'virtualUserId' | (typeof LEFT_OUT)[number]> {
  /** Workspace that has the chat. */
  workspaceId: string
  /** Visitor who has the chat; null for a caller who may see those of all. */
  visitorId: string | null
  /** Member who has the chat; null for the chats of keys and visitors. */
  memberId: string | null
  /** Webhook that gets the answer, which is given in the background; null where somebody waits for it. */
  webhookUrl: string | null
}

export interface InsertedMessage extends ChatPlace {
  /** Messages in progress before it in the chat. */
  before: Pick<Held, 'id' | 'organizationId' | 'processId'>[]
  /** Memory of the chat at its place. */
  remembered: Remembered
}

/** A column of each, as arrays of one length. */
interface Columns {
  organizationId: string
  mostBefore: number
  ids: string[]
  chatIds: string[]
  workspaceIds: string[]
  visitorIds: (string | null)[]
  memberIds: (string | null)[]
  agentIds: string[]
  queries: string[]
  pins: number[]
  keyIds: string[]
  rightsHolderIds: (string | null)[]
  modes: string[]
  jobIds: (string | null)[]
  folderIds: (string | null)[]
  shortcutIds: (string | null)[]
  fields: string[]
  fingerprints: string[]
  processIds: string[]
  attempts: number[]
  createdAt: string[]
}

interface InsertedRow {
  id: string
  place: number
  created_at: string
  has_files: number
  project_id: string | null
  before: string[]
  processes_before: string[]
}

/** Locks chats in the order of their ids, so that two batches never wait for each other in a circle. */
const holdChats = prepared<Tables, Pick<Columns, 'organizationId' | 'chatIds'>, { id: string }>((db, of) => {
  const statement = sql<{ id: string }>`
    select id from chat where organization_id = ${of.organizationId} and id = any(${of.chatIds}::text[])
    order by id for no key update`
  return { compile: () => statement.compile(db) }
})

/**
 * `insertMessage` for many, each in a chat of its own that is held already: a statement of its own, so that it sees what
 * others stored in these chats before they were locked. A message is never earlier than those before it, whatever
 * clocks their hosts have.
 */
const insertStatement = prepared<Tables, Columns, InsertedRow>((db, of) => {
  const statement = sql<InsertedRow>`
    with asked as (
      select * from unnest(${of.ids}::text[], ${of.chatIds}::text[], ${of.workspaceIds}::text[],
        ${of.visitorIds}::text[], ${of.memberIds}::text[], ${of.agentIds}::text[], ${of.queries}::text[], ${of.pins}::bigint[],
        ${of.keyIds}::text[], ${of.rightsHolderIds}::text[], ${of.modes}::text[], ${of.jobIds}::text[], ${of.folderIds}::text[],
        ${of.shortcutIds}::text[], ${of.fields}::text[], ${of.fingerprints}::text[], ${of.processIds}::text[],
        ${of.attempts}::bigint[], ${of.createdAt}::text[])
      as asked (id, chat_id, workspace_id, visitor_id, member_id, agent_id, query, is_pinned, api_key_id,
        rights_holder_id, mode, job_id, knowledge_base_ids, quick_action_id, quick_action_fields, fingerprint, process_id,
        attempt, created_at)
    ), placed as (
      update chat set message_count = chat.message_count + 1, last_place = chat.last_place + 1,
        last_message_at = case when chat.last_message_at > asked.created_at
          then to_char(chat.last_message_at::timestamptz at time zone 'UTC' + interval '1 millisecond',
            'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')
          else asked.created_at end
      from asked, lateral (
        select coalesce(array_agg(message.id), '{}') as ids, coalesce(array_agg(message.process_id), '{}') as processes
        from message
        where message.organization_id = ${of.organizationId} and message.agent_id = asked.agent_id
          and message.chat_id = asked.chat_id and message.status != 'completed' and message.status = 'in_progress'
      ) before
      where chat.organization_id = ${of.organizationId} and chat.id = asked.chat_id
        and chat.workspace_id = asked.workspace_id and chat.agent_id = asked.agent_id
        and (asked.visitor_id is null or chat.visitor_id = asked.visitor_id)
        and chat.member_id is not distinct from asked.member_id and chat.virtual_user_id is null
        and chat.chat_type != 'configuration' and chat.leaf_id is null and cardinality(before.ids) <= ${of.mostBefore}
        and not exists (
          select from message where message.organization_id = ${of.organizationId} and message.id = asked.id
        )
      returning asked.id, chat.last_place as place, chat.last_message_at as created_at, chat.has_files,
        chat.project_id, before.ids as before, before.processes as processes_before
    ), inserted as (
      insert into message (id, organization_id, chat_id, agent_id, query, is_pinned, api_key_id, member_id, mode, job_id,
        knowledge_base_ids, quick_action_id, quick_action_fields, fingerprint, process_id, attempt, place, created_at,
        updated_at, response, reasoning, message_type, status, output_count, citations, events, input_tokens,
        cached_input_tokens, output_tokens, reasoning_tokens)
      select asked.id, ${of.organizationId}, chat_id, agent_id, query, is_pinned, api_key_id, rights_holder_id, mode,
        job_id, knowledge_base_ids, quick_action_id, quick_action_fields, fingerprint, process_id, attempt, place,
        placed.created_at, placed.created_at, '', '', 'ai_chat', 'in_progress', 0, '[]', '[]', 0, 0, 0, 0
      from asked join placed on placed.id = asked.id
    )
    select * from placed`
  return { compile: () => statement.compile(db) }
})

const columnsOf = (organizationId: string, messages: PlainMessage[], mostBefore: number): Columns => ({
  organizationId,
  mostBefore,
  ids: messages.map(({ id }) => id),
  chatIds: messages.map(({ chatId }) => chatId),
  workspaceIds: messages.map(({ workspaceId }) => workspaceId),
  visitorIds: messages.map(({ visitorId }) => visitorId),
  memberIds: messages.map(({ memberId }) => memberId),
  agentIds: messages.map(({ agentId }) => agentId),
  queries: messages.map(({ query }) => query),
  pins: messages.map(({ isPinned }) => (isPinned ? 1 : 0)),
  keyIds: messages.map(({ apiKeyId }) => apiKeyId),
  rightsHolderIds: messages.map(({ rightsHolderId }) => rightsHolderId),
  modes: messages.map(({ mode }) => mode),
  jobIds: messages.map(({ jobId }) => jobId),
  folderIds: messages.map(({ knowledgeBaseIds }) => knowledgeBaseIds && JSON.stringify(knowledgeBaseIds)),
  shortcutIds: messages.map(({ quickActionId }) => quickActionId),
  fields: messages.map(({ quickActionFields }) => JSON.stringify(quickActionFields)),
  fingerprints: messages.map(({ fingerprint }) => fingerprint),
  processIds: messages.map(({ processId }) => processId),
  attempts: messages.map(({ processId }) => (processId === '' ? 0 : 1)),
  createdAt: messages.map(({ createdAt }) => createdAt),
})

/**
 * Stores messages and reads what is remembered of their chats, in one trip: PostgreSQL only.
 * @param messages of as many chats
 * @param mostBefore messages that may be in progress before each
 * @returns of each how it was stored; undefined for one that is left out, because its chat is full, configures an
 *   agent, has branches, is a virtual user's or not of this workspace, agent, visitor and member, or because the
 *   organization has the message
 * @throws a unique violation for an id that another statement is just adding; CommitUnansweredError
 */
export async function insertMessages(
  db: Db,
  organizationId: string,
  messages: PlainMessage[],
  mostBefore: number,
): Promise<(InsertedMessage | undefined)[]> {
  const columns = columnsOf(organizationId, messages, mostBefore)
  const { ids, chatIds } = columns
  const hold = holdChats.bind(db, { organizationId, chatIds })
  const insert = insertStatement.bind(db, columns)
  const recall = newestRememberedOfMany.bind(db, { organizationId, messageIds: ids, chatIds })
  const [, { rows }, { rows: turns }] = await together(db, [hold, insert, recall], { isBatch: true })
  const remembered = rememberedByMessage(turns)
  const inserted = new Map(rows.map((row) => [row.id, row]))
  return ids.map((id) => {
    const row = inserted.get(id)
    return row && toInserted(organizationId, row, remembered.get(id)!)
  })
}

const toInserted = (organizationId: string, row: InsertedRow, remembered: Remembered): InsertedMessage => ({
  place: row.place,
  createdAt: row.created_at,
  hasFiles: row.has_files === 1,
  leafId: null,
  projectId: row.project_id,
  before: row.before.map((id, index) => ({
    id,
    organizationId: organizationId,
    processId: row.processes_before[index]!,
  })),
  remembered,
})
