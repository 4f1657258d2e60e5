import type { HistoryRoom } from '../../agents/agents.ts'
import type { Tx } from '../../db.ts'
import type { KernelParts } from '../../kernel-parts.ts'
import { isoNow } from '../../platform/clock.ts'
import type { RunExclusive } from '../../platform/cluster/locks/run-exclusive.ts'
import { createLruCache } from '../../platform/lru-cache.ts'
import type { ModelMessage } from '../../platform/models/model.ts'
import { type Cursor, forgetFrom, isAfter } from './memory.store.ts'
import type { NewestTurns } from './newest-turns.ts'
import { budgetToSumUp, type RecallFrom, type Recollection, recall, recallGiven } from './recall.ts'
import { type SummarizerOptions, summarizeChat } from './summarize.ts'
import type { Exchange, Remembered } from './turns.store.ts'

/** A task that has not ended after this time is not waited for. */
const BELIEVED_MS = 60_000
const MOST_ASKED = 10_000

export type ChatMemoryService = ReturnType<typeof createChatMemory>

export interface ChatMemoryOptions extends Pick<KernelParts, 'clock' | 'db' | 'queue'>, SummarizerOptions {
  newest: NewestTurns
  runExclusive: RunExclusive
  /** Tokens that a history takes at most, however much fits into a model's window. */
  mostTokens: number
}

interface DeletedMessage extends Cursor {
  chatId: string
}

/**
 * Memory of chats: their turns, as far as a budget of tokens goes, and a summary of those before. Older turns are
 * summed up in the background, once the history takes most of the budget; what is deleted is forgotten.
 */
export function createChatMemory(options: ChatMemoryOptions) {
  const { queue, clock, mostTokens, runExclusive } = options
  /** State of a chat when a task was enqueued for it here: answers that knew no more need no other one. */
  const asked = createLruCache<{ coversId: string | null; otherId: string | undefined; until: number }>(MOST_ASKED)
  /** Chats that this process sums up. */
  const atWork = new Set<string>()

  /** Whether a task was enqueued here for what is known of the chat. */
  function isAsked(chatId: string, { coversId, otherId }: Recollection): boolean {
    const before = asked.get(chatId)
    return before?.coversId === coversId && before.otherId === otherId && before.until > performance.now()
  }

  return {
    /** @param remembered what was just read of the chat, if it was */
    recall: (from: RecallFrom, room: HistoryRoom, remembered?: Remembered): Promise<Recollection> =>
      recall(options, from, room, mostTokens, remembered),

    /** Memory that the caller of a query gives. @param history oldest first */
    recallGiven: (history: Exchange[], room: HistoryRoom): ModelMessage[] => recallGiven(history, room, mostTokens),

    /** Whether `afterAnswer` has anything to do. */
    isDueAfter(chatId: string, recollection: Recollection, answered: { query: string; response: string }): boolean {
      if (recollection.late) return true
      if (isAsked(chatId, recollection)) return false
      return Boolean(budgetToSumUp(recollection, [answered.query, answered.response], mostTokens))
    },

    /**
     * Plans a new summary if the history has grown past its budget. Called in the transaction that stores an answer.
     * @param recollection what the answer was given with
     */
    async afterAnswer(
      tx: Tx,
      { organizationId, chatId }: Pick<RecallFrom, 'organizationId' | 'chatId'>,
      recollection: Recollection,
      answered: { query: string; response: string },
    ): Promise<void> {
      const { late, coversId, otherId } = recollection
      const forgotten = late && (await forgetFrom(tx, organizationId, chatId, late, isoNow(clock)))
      if (!forgotten && isAsked(chatId, recollection)) return
      const budgetTokens = budgetToSumUp(recollection, [answered.query, answered.response], mostTokens) ?? forgotten
      if (!budgetTokens) return
      asked.set(chatId, { coversId, otherId, until: performance.now() + BELIEVED_MS })
      await queue.enqueue(tx, organizationId, 'chats.summarize', { chatId, budgetTokens })
    },

    /**
     * Removes summaries that mention deleted messages, so that they are made again. Called in the transaction that
     * deletes the messages.
     */
    async forget(tx: Tx, organizationId: string, messages: DeletedMessage[]): Promise<void> {
      const firsts = new Map<string, DeletedMessage>()
      for (const message of messages) {
        const first = firsts.get(message.chatId)
        if (!first || isAfter(first, message)) firsts.set(message.chatId, message)
      }
      for (const [chatId, first] of firsts) {
        const budgetTokens = await forgetFrom(tx, organizationId, chatId, first, isoNow(clock))
        if (budgetTokens) await queue.enqueue(tx, organizationId, 'chats.summarize', { chatId, budgetTokens })
      }
    },

    /** Work in the background, of the task `chats.summarize`. */
    async summarize(
      organizationId: string,
      work: { chatId: string; budgetTokens: number },
      signal: AbortSignal,
    ): Promise<void> {
      const { chatId } = work
      if (atWork.has(chatId)) return
      atWork.add(chatId)
      try {
        // Two at once would only pay a model twice, for both read the newest turns.
        await runExclusive(`summary of ${chatId}`, () => summarizeChat(options, organizationId, work, signal))
      } catch (error) {
        asked.delete(chatId)
        throw error
      } finally {
        atWork.delete(chatId)
      }
    },
  }
}
