import type { Kysely } from 'kysely'
import type { Db, Tables } from '../db.ts'
import { prepared } from '../platform/database/prepared.ts'
import type { MessageRow } from './messages.store.ts'

const ofChat = (db: Kysely<Tables>, organizationId: string, chatId: string) =>
  db.selectFrom('message').where('organization_id', '=', organizationId).where('chat_id', '=', chatId)

/** What a history shows of a message: not the log of its stream, which can be longer than all the rest. */
const SHOWN = [
  'id',
  'query',
  'response',
  'chat_id',
  'agent_id',
  'created_at',
  'updated_at',
  'message_type',
  'is_pinned',
  'reasoning',
  'status',
  'error_message',
  'citations',
  'quick_action_id',
  'quick_action_fields',
  'output_count',
  'model',
  'input_tokens',
  'cached_input_tokens',
  'output_tokens',
  'reasoning_tokens',
  'cost_micros',
  'feedback_rating',
  'feedback_comment',
] as const

export type ShownMessage = Pick<MessageRow, (typeof SHOWN)[number]>

export interface HistoryRange {
  from?: { createdAt: string; id: string }
  order: 'asc' | 'desc'
  limit: number
  offset: number
}

interface HistoryPage {
  organizationId: string
  chatId: string
  limit: number
  offset: number
  fromCreatedAt: string
  fromId: string
}

type Start = 'whole' | 'from'

const inRange = (db: Kysely<Tables>, start: Start, { organizationId, chatId, fromCreatedAt, fromId }: HistoryPage) => {
  const whole = ofChat(db, organizationId, chatId)
  if (start === 'whole') return whole
  return (
    whole
      // Said twice, because only this form lets the index find the place to start from.
      .where('created_at', '>=', fromCreatedAt)
      .where((where) => where.or([where('created_at', '>', fromCreatedAt), where('id', '>=', fromId)]))
  )
}

const pageOf = (start: Start, order: 'asc' | 'desc') =>
  prepared<Tables, HistoryPage, ShownMessage>((db, page) =>
    inRange(db, start, page)
      .select(SHOWN)
      .orderBy('created_at', order)
      .orderBy('id', order)
      .limit(page.limit)
      .offset(page.offset),
  )

const countOf = (start: Start) =>
  prepared<Tables, HistoryPage, { total: number }>((db, page) =>
    inRange(db, start, page).select((select) => select.fn.countAll<number>().as('total')),
  )

const statements = {
  whole: { count: countOf('whole'), asc: pageOf('whole', 'asc'), desc: pageOf('whole', 'desc') },
  from: { count: countOf('from'), asc: pageOf('from', 'asc'), desc: pageOf('from', 'desc') },
}

export async function listMessages(
  db: Db,
  organizationId: string,
  chatId: string,
  { from, order, limit, offset }: HistoryRange,
): Promise<{ messages: ShownMessage[]; total: number }> {
  const { count, [order]: list } = statements[from ? 'from' : 'whole']
  const start = { fromCreatedAt: from?.createdAt ?? '', fromId: from?.id ?? '' }
  const page: HistoryPage = { organizationId, chatId, limit, offset, ...start }
  const { rows: counts } = await count(db, page)
  const { rows: messages } = await list(db, page)
  return { messages, total: Number(counts[0]!.total) }
}
