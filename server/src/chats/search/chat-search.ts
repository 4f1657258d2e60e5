import { setImmediate as yieldToEventLoop } from 'node:timers/promises'
import type { Caller } from '../../access/access.ts'
import type { AgentService } from '../../agents/agents.ts'
import type { Db } from '../../db.ts'
import { runsInThread, slicesOf } from '../../platform/database/in-slices.ts'
import { isIndexable } from '../../platform/database/text-index.ts'
import { findSeenChats, type SeenChats, type Threads } from '../chat/chats.access.ts'
import { listSearchedChats, type SearchedChat } from './chat-search.store.ts'
import { type FoundText, findWords, type Word, wordsOf } from './find-words.ts'
import { listOutsideIndex, matchingMessages, type PlacedMessage } from './message-matches.store.ts'
import { listSearchedMessages } from './message-search.store.ts'

const CHATS_AT_ONCE = 500
/** Messages of one statement on the embedded database: their texts are read without letting others in between. */
const MESSAGES_IN_THREAD = 200
/** Messages of one statement elsewhere, where each costs a trip. */
const MESSAGES_OF_TRIP = 1_000
const MOST_MESSAGES = 200_000

export interface FoundMessage extends FoundText {
  id: string
  chatId: string
  agentId: string
  /** Title of the chat. */
  title: string
  createdAt: string
}

export interface Found {
  messages: FoundMessage[]
  /** Whether all chats were looked through; otherwise only the newest, as far as `limit` or the largest amount went. */
  isComplete: boolean
}

export type ChatSearch = ReturnType<typeof createChatSearch>

/** Messages that may be found, beyond which all are read instead: words that are everywhere are found soon. */
const MOST_MATCHES = 20_000
/** Messages outside of the index, which every search reads. */
const MOST_OUTSIDE = 2_000

/**
 * Search in what was asked and answered. The index tells which messages may hold the words; their texts are read to find
 * where, so that what is deleted is no longer found. Where it cannot tell - of short words, of words that are everywhere,
 * and while an upgrade fills it - all texts are read, newest chats first, in short statements.
 */
export function createChatSearch({
  db,
  agents,
  threadsAccess,
}: {
  db: Db
  agents: AgentService
  threadsAccess: Threads
}) {
  /** Messages of the caller's own chats with agents that they may still use. @param signal ends it early */
  return async function search(
    caller: Caller,
    { query, limit }: { query: string; limit: number },
    signal?: AbortSignal,
  ): Promise<Found> {
    const words = wordsOf(query)
    const usable = await agents.usableIds(caller)
    const seen = await findSeenChats(threadsAccess, caller, '', { onlyOwn: true })
    const found: Found = { messages: [], isComplete: true }
    const { organizationId, workspaceId } = caller
    const matches = await findMatches(db, organizationId, words, signal)
    const parts = partsOfChats(db, organizationId, { workspaceId, seen, usable, matches })
    let looked = 0
    for await (const part of parts) {
      if (found.messages.length >= limit || looked >= MOST_MESSAGES) return { ...found, isComplete: false }
      signal?.throwIfAborted()
      const byId = new Map(part.chats.map((chat) => [chat.id, chat]))
      const among = await listSearchedMessages(db, organizationId, { ...part, chatIds: [...byId.keys()] })
      looked += part.count
      for (const message of among) {
        const text = found.messages.length < limit && findWords(message, words)
        if (!text) continue
        const { id, chatId, createdAt } = message
        const { agentId, title } = byId.get(chatId)!
        found.messages.push({ id, chatId, agentId, title, createdAt, ...text })
      }
      await yieldToEventLoop()
    }
    return { ...found, isComplete: found.messages.length < limit }
  }
}

/** Messages by chat. */
type Matches = Map<string, PlacedMessage[]>

/** All messages of the organization that may hold the words; undefined where the index cannot tell, or they are too many. */
async function findMatches(
  db: Db,
  organizationId: string,
  words: Word[],
  signal: AbortSignal | undefined,
): Promise<Matches | undefined> {
  if (!isIndexable(words)) return undefined
  const matches: PlacedMessage[] = await listOutsideIndex(db, organizationId, MOST_OUTSIDE)
  if (matches.length >= MOST_OUTSIDE) return undefined
  for await (const some of matchingMessages(db, organizationId, { words, limit: MOST_MATCHES })) {
    signal?.throwIfAborted()
    for (const match of some) matches.push(match)
    if (matches.length >= MOST_MATCHES) return undefined
    await yieldToEventLoop()
  }
  return Map.groupBy(matches, ({ chatId }) => chatId)
}

interface LookedAt {
  workspaceId: string
  seen: SeenChats
  /** Agents that the caller may use. */
  usable: ReadonlySet<string>
  matches: Matches | undefined
}

/** Chats that the caller may see, newest first, in parts of so few messages that one statement reads them. */
async function* partsOfChats(
  db: Db,
  organizationId: string,
  { workspaceId, seen, usable, matches }: LookedAt,
): AsyncGenerator<Part> {
  const atOnce = runsInThread(db) ? MESSAGES_IN_THREAD : MESSAGES_OF_TRIP
  const among = (chats: SearchedChat[]) => chats.filter(({ agentId }) => usable.has(agentId))
  if (matches) {
    const newest = [...matches.keys()].sort().reverse()
    for (const ids of slicesOf(newest, CHATS_AT_ONCE)) {
      const chats = await listSearchedChats(db, organizationId, { workspaceId, seen, ids, limit: CHATS_AT_ONCE })
      yield* partsOfMatches(among(chats), matches, atOnce)
    }
    return
  }
  let beforeId: string | undefined
  for (;;) {
    const chats = await listSearchedChats(db, organizationId, { workspaceId, seen, beforeId, limit: CHATS_AT_ONCE })
    yield* partsOf(among(chats), atOnce)
    if (chats.length < CHATS_AT_ONCE) return
    beforeId = chats.at(-1)!.id
  }
}

interface Part {
  chats: SearchedChat[]
  /** Messages in it. */
  count: number
  /** Ids to which the search is limited. */
  ids?: string[]
  limit: number
  offset: number
}

/** Messages of chats in parts; those of one chat are read in several only if they are more than the limit. */
function* partsOfMatches(chats: SearchedChat[], matches: Matches, limit: number): Generator<Part> {
  const counted = chats.map((chat) => ({ ...chat, messageCount: matches.get(chat.id)!.length }))
  for (const part of partsOf(counted, limit)) {
    const ids = part.chats.flatMap((chat) => matches.get(chat.id)!.map(({ id }) => id))
    yield { ...part, ids, count: ids.length }
  }
}

/** Chats in parts of so few messages that one statement reads them; a long chat is read in several. */
function* partsOf(chats: SearchedChat[], limit: number): Generator<Part> {
  let together: SearchedChat[] = []
  let count = 0
  for (const chat of chats) {
    if (count + chat.messageCount > limit && together.length > 0) {
      yield { chats: together, count, limit, offset: 0 }
      together = []
      count = 0
    }
    if (chat.messageCount > limit) {
      for (let offset = 0; offset < chat.messageCount; offset += limit)
        yield { chats: [chat], count: limit, limit, offset }
      continue
    }
    together.push(chat)
    count += chat.messageCount
  }
  if (together.length > 0) yield { chats: together, count, limit, offset: 0 }
}
