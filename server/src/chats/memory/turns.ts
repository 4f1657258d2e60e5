import type { Db } from '../../db.ts'
import { isAfter, type Place } from './memory.store.ts'
import { shorten } from './shorten.ts'
import { listTurnsBefore, type Turn } from './turns.store.ts'

const PAGE = 100
/** A text that takes more of the budget than this is shortened, so that one does not push out all others. */
const MOST_SHARE_OF_A_TEXT = 1 / 3
/** What roles and separators take. */
const TOKENS_BESIDE_TEXTS = 8

export interface MeasuredTurn extends Turn {
  tokens: number
}

/**
 * Turns of a chat, newest first, read page by page.
 * @param first the newest of them; fewer than `firstPage` are all that there are
 * @param until where to end, before this place
 */
export async function* turnsBack(
  db: Db,
  organizationId: string,
  chatId: string,
  { first, firstPage, until }: { first: Turn[]; firstPage: number; until: Place | undefined },
): AsyncGenerator<Turn> {
  let page = first
  let size = firstPage
  for (;;) {
    for (const turn of page) {
      if (until && !isAfter(turn, until)) return
      yield turn
    }
    if (page.length < size) return
    page = await listTurnsBefore(db, organizationId, chatId, page.at(-1), PAGE)
    size = PAGE
  }
}

/** The turn as it goes into a history of so many tokens. */
export function fitTurn(turn: Turn, budgetTokens: number): MeasuredTurn {
  const most = budgetTokens * MOST_SHARE_OF_A_TEXT
  const query = shorten(turn.query, most)
  const response = shorten(turn.response, most)
  const tokens = query.tokens + response.tokens + TOKENS_BESIDE_TEXTS
  return { ...turn, query: query.text, response: response.text, tokens }
}
