import { hash } from 'node:crypto'
import type { Db, Writes } from '../db.ts'
import { type Clock, isoNow } from '../platform/clock.ts'
import { findKeptChat, keepChat, takeKeptChat } from './kept-chats.store.ts'

/** A conversation that a client keeps, between two questions. */
export interface ConversationState {
  keyId: string
  agentId: string
  email: string | null
  /** Oldest first. */
  history: { query: string; response: string }[]
}

/**
 * Chats of clients that repeat the whole conversation with each question. A conversation that repeats a chat word by
 * word continues in it, so that it is one chat for those who look at the threads; any other begins a chat of its own.
 */
export class KeptChats {
  readonly #options: { db: Db; writes: Writes; clock: Clock }

  constructor(options: { db: Db; writes: Writes; clock: Clock }) {
    this.#options = options
  }

  /** Takes the chat that is at this state, for one request. @returns undefined if there is none */
  async take(organizationId: string, state: ConversationState): Promise<string | undefined> {
    if (state.history.length === 0) return undefined
    const { db, writes } = this.#options
    const digest = digestOf(state)
    const chatId = await findKeptChat(db, organizationId, digest)
    if (chatId === undefined) return undefined
    const isOurs = await writes.commit((tx) => takeKeptChat(tx, organizationId, { chatId, digest }))
    return isOurs ? chatId : undefined
  }

  /** Keeps a chat for the request that continues from this state; one that continues nothing begins a chat. */
  async keep(organizationId: string, chatId: string, state: ConversationState): Promise<void> {
    if (state.history.length === 0) return
    const { writes, clock } = this.#options
    const kept = { chatId, digest: digestOf(state), at: isoNow(clock) }
    await writes.commit((tx) => keepChat(tx, organizationId, kept))
  }
}

function digestOf({ keyId, agentId, email, history }: ConversationState): string {
  const said = history.flatMap(({ query, response }) => [query.trim(), response.trim()])
  return hash('sha256', JSON.stringify([keyId, agentId, email, ...said]))
}
