import type { Db } from '../../db.ts'
import type { Cursor } from './memory.store.ts'
import { shorten } from './shorten.ts'
import { type Exchange, listNewestBetween, type Turn } from './turns.store.ts'

const PAGE = 100
/** Cursor after every message: no time begins with a letter. */
const END: Cursor = { createdAt: 'Z', id: '' }
/** Characters of a token in texts that people write. */
const MOST_CHARACTERS_PER_TOKEN = 8
/** A text that takes more of the budget than this is shortened, so that one does not push out all others. */
const MOST_SHARE_OF_A_TEXT = 1 / 3
/** Tokens of roles and separators. */
const TOKENS_BESIDE_TEXTS = 8

/** An exchange with the tokens that it takes. */
export type Measured<Of extends Exchange> = Of & { tokens: number }

interface Newest {
  /** Place to begin at; absent: the newest. */
  before?: Cursor
  /** Place to end at: turns up to it are not included. */
  after?: Cursor
  mostTurns: number
  /** Turns beyond this many tokens are left away, by a rough guess. */
  mostTokens: number
}

/** Turns of a chat, newest first, read page by page. */
export async function listNewestTurns(
  db: Db,
  organizationId: string,
  chatId: string,
  { before = END, after, mostTurns, mostTokens }: Newest,
): Promise<Turn[]> {
  const turns: Turn[] = []
  let isAll = false
  let characters = 0
  while (!isAll && turns.length < mostTurns && characters < mostTokens * MOST_CHARACTERS_PER_TOKEN) {
    const limit = Math.min(PAGE, mostTurns - turns.length)
    const page = await listNewestBetween(db, organizationId, chatId, { before: turns.at(-1) ?? before, after, limit })
    turns.push(...page)
    characters += charactersOf(page)
    isAll = page.length < limit
  }
  return turns
}

const charactersOf = (turns: Turn[]): number =>
  turns.reduce((sum, { query, response }) => sum + query.length + response.length, 0)

/** The turn as it goes into a history of this many tokens. */
export function fitTurn<Of extends Exchange>(turn: Of, budgetTokens: number): Measured<Of> {
  const most = budgetTokens * MOST_SHARE_OF_A_TEXT
  const query = shorten(turn.query, most)
  const response = shorten(turn.response, most)
  const tokens = query.tokens + response.tokens + TOKENS_BESIDE_TEXTS
  return { ...turn, query: query.text, response: response.text, tokens }
}
