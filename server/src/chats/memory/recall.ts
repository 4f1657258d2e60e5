import type { HistoryRoom } from '../../agents/agents.ts'
import type { Db } from '../../db.ts'
import { findRestriction } from '../../drive/drive.ts'
import { estimateTokens } from '../../platform/models/estimate-tokens.ts'
import type { ModelMessage } from '../../platform/models/model.ts'
import { budgetOf, lowestBudgetOf, MOST_TURNS, mostTokensOf, SUM_UP_FROM, SUM_UP_FROM_TURNS } from './budget.ts'
import { type Cursor, findChatMemory, isAfter, type Summary } from './memory.store.ts'
import type { NewestTurns } from './newest-turns.ts'
import { shorten } from './shorten.ts'
import { summaryMessages } from './summary-prompt.ts'
import {
  type Exchange,
  hasTurnsOfOthers,
  hasTurnsUntil,
  listNewestTurnsOf,
  listTurnsAmong,
  type Remembered,
  type Turn,
} from './turns.store.ts'
import { fitTurn, listNewestTurns } from './turns.ts'

export interface RecallFrom {
  organizationId: string
  workspaceId: string
  chatId: string
  /** Holder of the rights with which it is answered, and the virtual user that it names. */
  rightsHolderId: string | null
  virtualUserId: string | null
  /** Message to be answered: what came after it is not remembered. */
  messageId: string
  createdAt: string
  /** Messages that it follows, the nearest first, in a chat with branches; absent: all that are earlier. */
  ancestors?: string[] | undefined
}

/** Memory of a chat that an agent has when it answers a message. */
export interface Recollection {
  /** Oldest first. */
  messages: ModelMessage[]
  /** How many of them are turns and not the summary. */
  turns: number
  /** The newest message that the summary tells of; null where there is none. */
  coversId: string | null
  room: HistoryRoom
  /** The newest message of the summary of another branch, which is not used. */
  otherId?: string | undefined
  /** The message that is answered, if it is older than what the summary tells of: the summary lacks it. */
  late?: Cursor
}

export interface RecallSources {
  db: Db
  newest: NewestTurns
}

const MOST_SHARE_OF_A_SUMMARY = 0.5

/**
 * Earlier turns of a chat, as far as the room goes; for older ones stands the summary, if there is one.
 * @param mostTokens whatever the room is
 * @param remembered what was just read, if it was
 */
export async function recall(
  { db, newest }: RecallSources,
  from: RecallFrom,
  room: HistoryRoom,
  mostTokens: number,
  remembered?: Remembered,
): Promise<Recollection> {
  const { organizationId, chatId, messageId, createdAt } = from
  const lowest = lowestBudgetOf(room, mostTokens).now
  const own = await listOwnTurns(db, from)
  if (own) return recollection(own)
  if (from.ancestors) {
    const branch = await readBranch(db, organizationId, chatId, from.ancestors)
    return { ...recollection(branch.turns, branch.summary), otherId: branch.otherId }
  }
  const { turns: found, coversId } = remembered ?? (await newest.of(organizationId, chatId, createdAt))
  if (coversId === null && mostTokensOfTurns(found) <= lowest) return recollection(found)

  const { summary } = await findChatMemory(db, organizationId, chatId)
  // The messages that the summary covered were deleted in between.
  if (coversId != null && coversId !== summary?.covers.id) return recall({ db, newest }, from, room, mostTokens)
  const before = { createdAt, id: messageId }
  if (summary && isAfter(summary.covers, before)) {
    const turns = await listNewestTurns(db, organizationId, chatId, {
      before: before,
      mostTurns: MOST_TURNS,
      mostTokens,
    })
    return { ...recollection(turns), late: before }
  }
  return recollection(summary ? found.filter((turn) => isAfter(turn, summary.covers)) : found, summary)

  /** Memory of as many of the turns as there is room for. */
  function recollection(turns: Turn[], summary?: Summary): Recollection {
    const rest = { room, coversId: summary?.covers.id ?? null }
    if (mostTokensOfTurns(turns) + mostTokensOf(summary?.text ?? '') <= lowest) {
      const messages = [...(summary ? summaryMessages(summary.text) : []), ...asMessages(turns)]
      return { messages, turns: turns.length, ...rest }
    }
    const { now } = budgetOf(room, mostTokens)
    const record = summary && shorten(summary.text, now * MOST_SHARE_OF_A_SUMMARY)
    const fitting = fitTurns(turns, now, now - (record?.tokens ?? 0))
    const messages = [...(record && now > 0 ? summaryMessages(record.text) : []), ...asMessages(fitting)]
    return { messages, turns: fitting.length, ...rest }
  }
}

/**
 * Turns of the asker alone, where a chat has others, too, and the asker may not read all: what the rights of somebody
 * else, or those that they had before, brought in stays out of the answer, and so does the summary, which tells of all.
 * A chat of a member who names no virtual user has turns of that member alone; those of keys may have turns of several.
 * @returns undefined where nothing is to be left out
 */
async function listOwnTurns(db: Db, from: RecallFrom): Promise<Turn[] | undefined> {
  const { organizationId, chatId, messageId, createdAt, rightsHolderId, virtualUserId } = from
  if (virtualUserId === null && rightsHolderId === null) return undefined
  const restriction = await findRestriction(db, from)
  if (!restriction) return undefined
  const asker = { rightsHolderId, virtualUserId, ...restriction }
  const isOfKeys = rightsHolderId === from.workspaceId
  const isCut = virtualUserId === null && !isOfKeys ? hasTurnsUntil : hasTurnsOfOthers
  if (!(await isCut(db, organizationId, chatId, asker))) return undefined
  const before = { createdAt, id: messageId }
  const among = from.ancestors?.slice(0, MOST_ANCESTORS)
  return listNewestTurnsOf(db, organizationId, chatId, { asker, before, among, limit: MOST_TURNS })
}

/** Nearest messages of a branch among which the turns of its memory are looked for. */
const MOST_ANCESTORS = 500

/** Newest turns of a branch, newest first, and the summary of those before, if the one that is there is of this branch. */
async function readBranch(db: Db, organizationId: string, chatId: string, ancestors: string[]) {
  const { summary } = await findChatMemory(db, organizationId, chatId)
  const covered = summary ? ancestors.indexOf(summary.covers.id) : -1
  const ids = ancestors.slice(0, covered === -1 ? MOST_ANCESTORS : Math.min(covered, MOST_ANCESTORS))
  const turns = await listTurnsAmong(db, organizationId, chatId, { ids, limit: MOST_TURNS })
  return covered === -1 ? { turns, otherId: summary?.covers.id } : { turns, summary }
}

/** Memory that a caller gives, as far as the room goes. @param history oldest first */
export function recallGiven(history: Exchange[], room: HistoryRoom, mostTokens: number): ModelMessage[] {
  const { now } = budgetOf(room, mostTokens)
  return asMessages(fitTurns(history.toReversed(), now, now))
}

const mostTokensOfTurns = (turns: Turn[]): number =>
  turns.reduce((sum, { query, response }) => sum + mostTokensOf(query) + mostTokensOf(response), 0)

/** The newest turns that fit, newest first. */
function fitTurns(turns: Exchange[], budgetTokens: number, freeTokens: number): Exchange[] {
  const fitting: Exchange[] = []
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
function asMessages(turns: Exchange[]): ModelMessage[] {
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
  { messages, turns, room }: Recollection,
  answered: string[],
  mostTokens: number,
): number | undefined {
  const texts = [...answered, ...messages.map(({ content }) => content)]
  const mostPossible = texts.reduce((sum, text) => sum + mostTokensOf(text), 0)
  const isCrowded = turns + 1 >= SUM_UP_FROM_TURNS
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
