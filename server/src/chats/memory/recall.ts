import type { HistoryRoom } from '../../agents/history.ts'
import type { Db } from '../../db.ts'
import { estimateTokens } from '../../platform/models/estimate-tokens.ts'
import type { ModelMessage } from '../../platform/models/model.ts'
import { type Budget, budgetOf, lowestBudgetOf, MOST_TURNS, mostTokensOf, SUM_UP_FROM } from './budget.ts'
import { findChatMemory, isAfter, type Place } from './memory.store.ts'
import { shorten } from './shorten.ts'
import { summaryMessages } from './summary-prompt.ts'
import { listNewestUntil, type Turn } from './turns.store.ts'
import { fitTurn, listNewestTurns } from './turns.ts'

export interface RecallFrom {
  organizationId: string
  chatId: string
  /** That is to be answered: what came after it is not remembered. */
  messageId: string
  createdAt: string
  /** From 2 on it was taken up again, perhaps days later. */
  attempt: number
}

/** What an agent remembers of a chat when it answers a message. */
export interface Recollection {
  /** Oldest first. */
  messages: ModelMessage[]
  room: HistoryRoom
  /** The message that is answered, if it is older than what the summary tells of: the summary lacks it. */
  late?: Place
}

/** Most chats are no longer than this, and cost one query. */
const FIRST_PAGE = 20
const MOST_SHARE_OF_A_SUMMARY = 0.5

/**
 * Earlier turns of a chat, as far as the room goes; for older ones stands the summary, if there is one.
 * @param mostTokens whatever the room is
 */
export async function recall(
  db: Db,
  { organizationId, chatId, messageId, createdAt, attempt }: RecallFrom,
  room: HistoryRoom,
  mostTokens: number,
): Promise<Recollection> {
  const first = await listNewestUntil(db, organizationId, chatId, { at: createdAt, limit: FIRST_PAGE })
  const isNew = attempt === 1
  if (isNew && first.length < FIRST_PAGE && isShort(first, lowestBudgetOf(room, mostTokens))) {
    return { messages: asMessages(first), room }
  }
  const { summary } = await findChatMemory(db, organizationId, chatId)
  const place = { createdAt, id: messageId }
  const late = summary && isAfter(summary.covers, place) ? place : undefined
  const told = late ? undefined : summary
  const lowest = lowestBudgetOf(room, mostTokens).now
  const limits = { after: told?.covers, mostTurns: MOST_TURNS, mostTokens }
  const turns = await listNewestTurns(db, organizationId, chatId, { first, ...limits })
  if (mostTokensOfTurns(turns) + mostTokensOf(told?.text ?? '') <= lowest) {
    return { messages: [...(told ? summaryMessages(told.text) : []), ...asMessages(turns)], room, late }
  }
  const { now } = budgetOf(room, mostTokens)
  const record = told && shorten(told.text, now * MOST_SHARE_OF_A_SUMMARY)
  const fitting = fitTurns(turns, now, now - (record?.tokens ?? 0))
  return { messages: [...(record && now > 0 ? summaryMessages(record.text) : []), ...asMessages(fitting)], room, late }
}

/** Whether it fits beyond doubt, and was never so long that it was summed up. */
const isShort = (turns: Turn[], { now, usual }: Budget): boolean => mostTokensOfTurns(turns) <= Math.min(now, usual / 2)

const mostTokensOfTurns = (turns: Turn[]): number =>
  turns.reduce((sum, { query, response }) => sum + mostTokensOf(query) + mostTokensOf(response), 0)

/** The newest turns that fit, newest first. */
function fitTurns(turns: Turn[], budgetTokens: number, freeTokens: number): Turn[] {
  const fitting: Turn[] = []
  let tokensLeft = freeTokens
  for (const turn of turns) {
    const fitted = fitTurn(turn, budgetTokens)
    tokensLeft -= fitted.tokens
    if (tokensLeft < 0) break
    fitting.push(fitted)
  }
  return fitting
}

/** @param turns newest first */
function asMessages(turns: Turn[]): ModelMessage[] {
  const messages: ModelMessage[] = []
  for (const { query, response } of turns.toReversed()) {
    messages.push({ role: 'user', content: query }, { role: 'assistant', content: response })
  }
  return messages
}

/**
 * The budget to sum up for, if the history is so long with the answer that was just given that its older part is to be
 * summed up.
 */
export function budgetToSumUp(
  { messages, room }: Recollection,
  answered: string[],
  mostTokens: number,
): number | undefined {
  const texts = [...answered, ...messages.map(({ content }) => content)]
  const mostPossible = texts.reduce((sum, text) => sum + mostTokensOf(text), 0)
  const isCrowded = texts.length / 2 > MOST_TURNS * SUM_UP_FROM
  if (!isCrowded && mostPossible <= lowestBudgetOf(room, mostTokens).usual * SUM_UP_FROM) return undefined
  const { usual } = budgetOf(room, mostTokens)
  if (isCrowded) return usual
  let tokens = 0
  for (const text of texts) {
    tokens += estimateTokens(text)
    if (tokens > usual * SUM_UP_FROM) return usual
  }
  return undefined
}
