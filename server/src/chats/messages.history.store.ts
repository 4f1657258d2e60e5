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
  'feedback_rating',
  'feedback_comment',
] as const

/** What it took: a tenth of what a page of short messages costs, so only for those who ask. */
const USED = [
  'model',
  'input_tokens',
  'cached_input_tokens',
  'output_tokens',
  'reasoning_tokens',
  'cost_micros',
] as const

export type UsedOfMessage = Pick<MessageRow, (typeof USED)[number]>
export type ShownMessage = Pick<MessageRow, (typeof SHOWN)[number]>

export interface HistoryRange {
  from?: { createdAt: string; id: string }
  order: 'asc' | 'desc'
  limit: number
  offset: number
  /** Whether to tell what messages took. */
  usage: boolean
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

const pageOf = (start: Start, order: 'asc' | 'desc', columns: readonly (keyof MessageRow)[]) =>
  prepared<Tables, HistoryPage, ShownMessage & UsedOfMessage>((db, page) =>
    inRange(db, start, page)
      .select(columns)
      .orderBy('created_at', order)
      .orderBy('id', order)
      .limit(page.limit)
      .offset(page.offset),
  )

const countOf = (start: Start) =>
  prepared<Tables, HistoryPage, { total: number }>((db, page) =>
    inRange(db, start, page).select((select) => select.fn.countAll<number>().as('total')),
  )

const pagesOf = (start: Start, columns: readonly (keyof MessageRow)[]) => ({
  asc: pageOf(start, 'asc', columns),
  desc: pageOf(start, 'desc', columns),
})

const statementsOf = (start: Start) => ({
  count: countOf(start),
  plain: pagesOf(start, SHOWN),
  withUsage: pagesOf(start, [...SHOWN, ...USED]),
})

const statements = { whole: statementsOf('whole'), from: statementsOf('from') }

/** A page, and how many there are in all. What messages took is there only with `usage`. */
export async function listMessages(
  db: Db,
  organizationId: string,
  chatId: string,
  { from, order, limit, offset, usage }: HistoryRange,
): Promise<{ messages: (ShownMessage & UsedOfMessage)[]; total: number }> {
  const { count, plain, withUsage } = statements[from ? 'from' : 'whole']
  const start = { fromCreatedAt: from?.createdAt ?? '', fromId: from?.id ?? '' }
  const page: HistoryPage = { organizationId, chatId, limit, offset, ...start }
  const { rows: counts } = await count(db, page)
  const { rows: messages } = await (usage ? withUsage : plain)[order](db, page)
  return { messages, total: Number(counts[0]!.total) }
}
