import { setImmediate as yieldToEventLoop } from 'node:timers/promises'
import type { Caller } from '../../access/access.ts'
import type { AgentService } from '../../agents/agents.ts'
import type { Db } from '../../db.ts'
import { runsInThread } from '../../platform/database/in-slices.ts'
import { findSeenChats, type Threads } from '../chat/chats.access.ts'
import { listSearchedChats, listSearchedMessages, type SearchedChat } from './chat-search.store.ts'
import { type FoundText, findWords, wordsOf } from './find-words.ts'

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

/**
 * Search in what was asked and answered. It reads the texts themselves, newest chats first, in short statements: no index
 * has to be kept up with every answer, and what is deleted is no longer found.
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
    const atOnce = runsInThread(db) ? MESSAGES_IN_THREAD : MESSAGES_OF_TRIP
    const { organizationId, workspaceId } = caller
    const usable = await agents.usableIds(caller)
    const seen = await findSeenChats(threadsAccess, caller, '', { onlyOwn: true })
    const messages: FoundMessage[] = []
    let looked = 0
    let beforeId: string | undefined
    for (;;) {
      const chats = await listSearchedChats(db, organizationId, { workspaceId, seen, beforeId, limit: CHATS_AT_ONCE })
      for (const part of partsOf(
        chats.filter(({ agentId }) => usable.has(agentId)),
        atOnce,
      )) {
        if (messages.length >= limit || looked >= MOST_MESSAGES) return { messages, isComplete: false }
        signal?.throwIfAborted()
        const byId = new Map(part.chats.map((chat) => [chat.id, chat]))
        const among = await listSearchedMessages(db, organizationId, { ...part, chatIds: [...byId.keys()] })
        looked += part.count
        for (const message of among) {
          const found = messages.length < limit && findWords(message, words)
          if (!found) continue
          const { id, chatId, createdAt } = message
          const { agentId, title } = byId.get(chatId)!
          messages.push({ id, chatId, agentId, title, createdAt, ...found })
        }
        await yieldToEventLoop()
      }
      if (chats.length < CHATS_AT_ONCE) return { messages, isComplete: messages.length < limit }
      beforeId = chats.at(-1)!.id
    }
  }
}

interface Part {
  chats: SearchedChat[]
  /** Messages in it. */
  count: number
  limit: number
  offset: number
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
