import { type CompiledQuery, type Kysely, sql } from 'kysely'
import type { Db, Tables } from '../../db.ts'
import { anyLimit } from '../../platform/database/any-limit.ts'
import { prepared } from '../../platform/database/statements/prepared.ts'
import { columnsOf, type MessageRecord } from './messages.store.ts'

const ofChat = (db: Kysely<Tables>, organizationId: string, chatId: string) =>
  db.selectFrom('message').where('organization_id', '=', organizationId).where('chat_id', '=', chatId)

/** Fields that a history shows of a message: not the log of its stream, which can be longer than all the rest. */
const SHOWN = [
  'id',
  'query',
  'response',
  'chatId',
  'agentId',
  'createdAt',
  'updatedAt',
  'messageType',
  'isPinned',
  'reasoning',
  'status',
  'errorMessage',
  'citations',
  'quickActionId',
  'quickActionFields',
  'outputCount',
  'feedbackRating',
  'feedbackComment',
  'askedModel',
] as const

/** Fields of a message's usage: a tenth of what a page of short messages costs, so only for those who ask. */
const USED = ['model', 'inputTokens', 'cachedInputTokens', 'outputTokens', 'reasoningTokens', 'costMicros'] as const

export type UsedOfMessage = Pick<MessageRecord, (typeof USED)[number]>
export type ShownMessage = Pick<MessageRecord, (typeof SHOWN)[number]>

/** Messages of a chat, in the branch that is shown: all of them, or one and all later ones. */
export interface HistoryRange {
  chatId: string
  from?: { createdAt: string; id: string }
}

export interface HistoryPage extends HistoryRange {
  order: 'asc' | 'desc'
  limit: number
  offset: number
  /** Whether to tell what messages took. */
  usage: boolean
}

interface HistoryKey {
  organizationId: string
  chatId: string
  fromCreatedAt: string
  fromId: string
  limit: number
  offset: number
}

type Start = 'whole' | 'from'

const inRange = (db: Kysely<Tables>, start: Start, { organizationId, chatId, fromCreatedAt, fromId }: HistoryKey) => {
  const whole = ofChat(db, organizationId, chatId).where('is_aside', '=', sql.lit(0))
  if (start === 'whole') return whole
  return (
    whole
      // Said twice, because only this form lets the index find the place to start from.
      .where('created_at', '>=', fromCreatedAt)
      .where((where) => where.or([where('created_at', '>', fromCreatedAt), where('id', '>=', fromId)]))
  )
}

const pageOf = (start: Start, order: 'asc' | 'desc', fields: readonly (keyof MessageRecord)[]) =>
  prepared<Tables, HistoryKey, ShownMessage & UsedOfMessage>((db, key) =>
    inRange(db, start, key)
      .select(columnsOf(fields))
      .orderBy('created_at', order)
      .orderBy('id', order)
      .limit(anyLimit(key.limit))
      .offset(key.offset),
  )

const pagesOf = (start: Start, fields: readonly (keyof MessageRecord)[]) => ({
  asc: pageOf(start, 'asc', fields),
  desc: pageOf(start, 'desc', fields),
})

const statementsOf = (start: Start) => ({
  plain: pagesOf(start, SHOWN),
  withUsage: pagesOf(start, [...SHOWN, ...USED]),
})

const pages = { whole: statementsOf('whole'), from: statementsOf('from') }

const countFrom = prepared<Tables, HistoryKey, { total: number }>((db, key) =>
  inRange(db, 'from', key).select((select) => select.fn.countAll<number>().as('total')),
)

const keyOf = (organizationId: string, { chatId, from }: HistoryRange) => ({
  organizationId,
  chatId,
  fromCreatedAt: from?.createdAt ?? '',
  fromId: from?.id ?? '',
})

/** How many messages there are from one on, in the branch that is shown. Of a chat without branches the chat itself knows. */
export async function countMessages(db: Db, organizationId: string, range: HistoryRange): Promise<number> {
  const { rows } = await countFrom(db, { ...keyOf(organizationId, range), limit: 0, offset: 0 })
  return Number(rows[0]!.total)
}

/** One page, as a statement for `together`. What messages took is there only with `usage`. */
export function selectPage(
  db: Db,
  organizationId: string,
  { order, limit, offset, usage, ...range }: HistoryPage,
): CompiledQuery<ShownMessage & UsedOfMessage> {
  const statements = pages[range.from ? 'from' : 'whole'][usage ? 'withUsage' : 'plain']
  return statements[order].bind(db, { ...keyOf(organizationId, range), limit, offset })
}
