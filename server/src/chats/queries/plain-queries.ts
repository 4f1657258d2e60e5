import { totalOf } from '../../agents/agents.ts'
import type { Writes } from '../../db.ts'
import { type Clock, isoNow } from '../../platform/clock.ts'
import type { QuotaService, UsageService } from '../../usage/usage.ts'
import { LEFT_OUT } from '../messages/message-life.inserts.store.ts'
import type { RunDirectory } from '../runs/directory/run-directory.ts'
import type { Ending, RunTarget } from '../runs/stored/run-store.ts'
import { type AcceptOptions, acceptPlainQuery, type UnseenQuery } from './accept.ts'
import type { Answer } from './answer.ts'
import type { PreparedQuery } from './prepare-query.ts'
import type { QueryWrites } from './query-writes.ts'
import { type IncomingQuery, type MessageOptions, messageOf, type StoredQuery } from './store-query.ts'

/** Queries with which nothing else is stored, and their ends. What is refused here is stored in a transaction of its own. */
export interface PlainQueries {
  /** Accepts a query without a look at its chat before. @returns undefined if it is to be accepted with one */
  accept(options: AcceptOptions, agentId: string, query: UnseenQuery): Promise<Answer | undefined>
  /**
   * Stores a query, and reads what is remembered of its chat.
   * @returns undefined if it is to be stored alone: it is not stored then
   * @throws CommitUnansweredError
   */
  store(query: IncomingQuery, prepared: PreparedQuery): Promise<StoredQuery | undefined>
  /** @returns false if the end is to be stored alone, which changes nothing where it is stored already */
  end(target: RunTarget, ending: Ending): Promise<boolean>
}

/** Takes none: on SQLite writes of all kinds share a flush of the disk. */
export class SqlitePlainQueries implements PlainQueries {
  async accept(): Promise<undefined> {}

  async store(): Promise<undefined> {}

  async end(): Promise<boolean> {
    return false
  }
}

export interface PlainQueriesOptions extends MessageOptions {
  clock: Clock
  writes: Pick<Writes, 'settled'>
  queryWrites: QueryWrites
  quotas: Pick<QuotaService, 'hold'>
  usage: Pick<UsageService, 'price' | 'plain'>
  directory: Pick<RunDirectory, 'beforeOf'>
}

/** Stores those of one organization that come at the same time in one transaction. */
export class PostgresPlainQueries implements PlainQueries {
  readonly #options: PlainQueriesOptions

  constructor(options: PlainQueriesOptions) {
    this.#options = options
  }

  async accept(options: AcceptOptions, agentId: string, query: UnseenQuery): Promise<Answer | undefined> {
    return acceptPlainQuery(options, await options.agents.getRecent(query.caller, agentId), query)
  }

  async store(query: IncomingQuery, prepared: PreparedQuery): Promise<StoredQuery | undefined> {
    const { queryWrites, quotas, directory } = this.#options
    const { caller, chat, sent } = query
    const { organizationId, workspaceId, visitor, memberId } = caller
    if (sent.uploaded_files.length > 0 || sent.virtual_user_email || chat.chatType === 'configuration') return undefined
    const message = messageOf(this.#options, query, prepared)
    if (LEFT_OUT.some((field) => message[field] != null)) return undefined
    if (await quotas.hold(organizationId, workspaceId)) return undefined
    const inserted = await queryWrites.insert(organizationId, {
      ...message,
      workspaceId,
      visitorId: visitor?.id ?? null,
      memberId: memberId ?? null,
      webhookUrl: sent.mode === 'async' ? sent.webhook_url : null,
    })
    if (!inserted) return undefined
    const { before, remembered, ...rest } = inserted
    return {
      ...rest,
      virtualUserId: null,
      mayBranch: before.length > 0,
      isBehindOthers: directory.beforeOf(before).hasOthers,
      // Messages in progress add to it.
      remembered: before.length === 0 ? remembered : undefined,
    }
  }

  async end(target: RunTarget, ending: Ending): Promise<boolean> {
    const { writes, queryWrites, usage, clock } = this.#options
    const { spent, hasState, after, ...result } = ending
    if (hasState || after) return false
    const { organizationId, messageId, attempt, chatId } = target
    const at = isoNow(clock)
    const used = usage.price({ ...target, model: ending.model, parts: spent, at })
    try {
      const plain = await usage.plain(organizationId, used)
      if (!plain) return false
      // Progress is stored before the end.
      await writes.settled(messageId)
      const fence = { organizationId, messageId, attempt, chatId }
      const ended = { ...result, usage: totalOf(spent), costMicros: used.costMicros, at }
      const isDelivered = target.mode === 'async'
      return await queryWrites.end(organizationId, { fence, result: ended, used: plain, isDelivered })
    } catch {
      return false
    }
  }
}
