import { setTimeout as delay } from 'node:timers/promises'
import { type Citation, type ReviewRequest, type Spent, totalOf } from '../../../agents/agents.ts'
import type { Tx } from '../../../db.ts'
import type { KernelParts } from '../../../kernel-parts.ts'
import { isoNow } from '../../../platform/clock.ts'
import { patiently } from '../../../platform/database/patience.ts'
import type { UsageService } from '../../../usage/usage.ts'
import type { EmitEvent, WebhookService } from '../../../webhooks/webhooks.ts'
import {
  completeMessage,
  endWaitingMessage,
  type Fence,
  type RunResult,
  releaseMessage,
  storeProgress,
  suspendMessage,
} from '../../messages/message-life.store.ts'
import { findMessage, type MessageRecord } from '../../messages/messages.store.ts'
import type { PlainQueries } from '../../queries/plain-queries.ts'
import { insertReview, type ReviewRecord } from '../../reviews/reviews.store.ts'
import type { RunDirectory } from '../directory/run-directory.ts'
import { isDurable } from '../modes.ts'
import type { Run } from '../run.ts'
import type { LogEntry } from '../run-log.ts'
import { InterruptedError } from '../runs.errors.ts'
import { deleteStoredRun, putStoredRun, type StoredRun } from './stored-run.ts'

export interface RunStoreOptions extends Pick<KernelParts, 'clock' | 'logger' | 'newId' | 'queue' | 'writes'> {
  plainQueries: Pick<PlainQueries, 'end'>
  webhooks: WebhookService
  emitEvent: EmitEvent
  usage: UsageService
  directory: Pick<RunDirectory, 'expect'>
  /** How long a person has for a review. */
  reviewTtlMs: number
}

/** Message that a run answers, with the attempt that this is. */
export interface RunTarget extends Fence {
  workspaceId: string
  agentId: string
  chatId: string
  virtualUserId: string | null
  /** Holder of the rights that it is answered with (`rightsHolderOf`): a member or a workspace; null: everything. */
  rightsHolderId: string | null
  /** The API key that asked; null for messages from before keys were noted. */
  keyId: string | null
  mode: MessageRecord['mode']
  /** Time at which the message was accepted. */
  createdAt: string
}

export interface Ending {
  response: string
  reasoning: string
  errorMessage: string | null
  citations: Citation[]
  log: LogEntry[]
  outputCount: number
  /** `provider/model` of the agent that was asked. */
  model: string
  spent: Spent[]
  /** Whether a state of the run may be stored, which is of no use any more. */
  hasState: boolean
  /** Writes that belong to the end. */
  after?: ((tx: Tx) => Promise<void>) | undefined
}

/** Copy of the current state: a run advances while it waits to be written. */
const shownBy = ({ response, reasoning, log }: Pick<Run, 'response' | 'reasoning' | 'log'>) => ({
  response,
  reasoning,
  events: JSON.stringify(log),
})

const STORE_AGAIN_MS = [100, 400, 1_500]
/** Time that an end waits for an unavailable database before its callers get the error that it is not stored. */
const AWAY_PATIENCE_MS = 60_000
const STORE_LATER_MS = 5_000
const STORE_LATER_TIMES = 720

/** Writes of a run: its progress, what it waits for, its end. Each write is fenced by the attempt. */
export class RunStore {
  readonly #options: RunStoreOptions

  constructor(options: RunStoreOptions) {
    this.#options = options
  }

  async end(target: RunTarget, ending: Ending): Promise<boolean> {
    if (await this.#options.plainQueries.end(target, ending)) return true
    return this.#persist(target.messageId, (tx) => this.#complete(tx, target, ending))
  }

  /** Ends a message that waits for a review without a decision. */
  endWaiting(tx: Tx, target: RunTarget, ending: Ending & { errorMessage: string }): Promise<void> {
    const { errorMessage } = ending
    return this.#settle(tx, target, ending, (result) => endWaitingMessage(tx, target, { ...result, errorMessage }))
  }

  /**
   * Retries an end that could not be stored, after its callers got that error. Once the database accepts it, the
   * message is no longer in progress, or left to its task; later messages of its chat wait for that.
   */
  endLater(target: RunTarget, ending: Ending): void {
    const { logger } = this.#options
    this.#endAsSoonAsPossible(target, ending).catch((error) =>
      logger.error({ err: error, message_id: target.messageId }, 'an end was not stored'),
    )
  }

  /**
   * Stores the text and events of a run so far. A run that another process ended or claimed is interrupted.
   * @returns whether the write was settled; never throws
   */
  progress(target: RunTarget, run: Pick<Run, 'response' | 'reasoning' | 'log' | 'cancel'>): Promise<boolean> {
    const shown = shownBy(run)
    return this.#storeShown(target.messageId, async (tx) => {
      if (!(await storeProgress(tx, target, shown))) run.cancel(new InterruptedError())
    })
  }

  /** Stores the present state of a run, with which another process can resume it. */
  checkpoint(target: RunTarget, run: StoredRun): void {
    const { organizationId, messageId } = target
    const at = isoNow(this.#options.clock)
    const shown = shownBy(run)
    const state = JSON.stringify(run)
    const store = async (tx: Tx) => {
      const isHeld = await storeProgress(tx, target, shown)
      if (isHeld) await putStoredRun(tx, organizationId, messageId, state, at)
    }
    // It never rejects.
    this.#storeShown(messageId, store).catch(() => {})
  }

  /** Releases a message so that another process resumes it. */
  release(target: RunTarget): Promise<boolean> {
    return this.#persist(target.messageId, (tx) => this.#release(tx, target))
  }

  /** Review that a run is going to wait for, before it is stored. */
  reviewOf(target: RunTarget, request: ReviewRequest): ReviewRecord {
    const { clock, newId, reviewTtlMs } = this.#options
    const now = clock()
    return {
      id: newId(),
      organizationId: target.organizationId,
      workspaceId: target.workspaceId,
      agentId: target.agentId,
      chatId: target.chatId,
      messageId: target.messageId,
      askedBy: request.agentId,
      kind: request.kind,
      toolName: request.toolName,
      text: request.text,
      arguments: request.arguments ?? null,
      changedArguments: null,
      options: request.options,
      status: 'pending',
      note: null,
      decidedAt: null,
      decidedBy: null,
      createdAt: now.toISOString(),
      expiresAt: new Date(now.getTime() + reviewTtlMs).toISOString(),
    }
  }

  /** The run stops here until a person has decided; its message waits. */
  suspend(target: RunTarget, run: StoredRun, review: ReviewRecord): Promise<boolean> {
    const { queue, reviewTtlMs, emitEvent } = this.#options
    const { organizationId, messageId, workspaceId, chatId, agentId } = target
    const at = review.createdAt
    const part = { ...run, at }
    const state = JSON.stringify(run)
    return this.#persist(messageId, async (tx) => {
      if (!(await suspendMessage(tx, target, part))) return
      await putStoredRun(tx, organizationId, messageId, state, at)
      await insertReview(tx, organizationId, review)
      const payload = { reviewId: review.id, messageId }
      await queue.enqueue(tx, organizationId, 'chats.expire-review', payload, { delayMs: reviewTtlMs })
      await emitEvent(tx, organizationId, {
        type: 'message.waiting',
        workspaceId,
        data: {
          message_id: messageId,
          chat_id: chatId,
          agent_id: agentId,
          review_id: review.id,
          review_kind: review.kind,
          expires_at: review.expiresAt,
        },
      })
    })
  }

  #complete(tx: Tx, target: RunTarget, ending: Ending): Promise<void> {
    return this.#settle(tx, target, ending, (result) => completeMessage(tx, target, result))
  }

  /** Stores in one transaction the message's end, and all that follows from it. */
  async #settle(
    tx: Tx,
    target: RunTarget,
    ending: Ending,
    write: (result: RunResult) => Promise<boolean>,
  ): Promise<void> {
    const { clock, usage, webhooks } = this.#options
    const { organizationId, messageId } = target
    const { spent, hasState, after, ...result } = ending
    const at = isoNow(clock)
    const used = usage.price({ ...target, model: ending.model, parts: spent, at })
    const isHeld = await write({ ...result, usage: totalOf(spent), costMicros: used.costMicros, at })
    // A message deleted meanwhile still has a delivery to end; one that continues in another process has not.
    if (!isHeld && (await findMessage(tx, organizationId, messageId))) return
    await usage.record(tx, organizationId, used)
    await after?.(tx)
    if (hasState) await deleteStoredRun(tx, organizationId, messageId)
    if (target.mode === 'async') await webhooks.deliver(tx, organizationId, [messageId])
  }

  async #release(tx: Tx, target: RunTarget): Promise<void> {
    await releaseMessage(tx, target)
    this.#options.directory.expect(target.chatId)
  }

  async #endAsSoonAsPossible(target: RunTarget, ending: Ending): Promise<void> {
    const { writes, logger } = this.#options
    const { messageId } = target
    const write = (tx: Tx) => (isDurable(target.mode) ? this.#release(tx, target) : this.#complete(tx, target, ending))
    for (let times = 0; times < STORE_LATER_TIMES; times++) {
      await delay(STORE_LATER_MS, undefined, { ref: false })
      const isStored = await writes.commit(write, messageId).then(
        () => true,
        () => false,
      )
      if (isStored) return
    }
    logger.error({ message_id: messageId }, 'the end of a message was never stored')
  }

  /** A full disk or a held lock may pass, and the database may come back. @returns whether it is stored. */
  async #persist(messageId: string, write: (tx: Tx) => Promise<unknown>): Promise<boolean> {
    const { writes, logger } = this.#options
    for (const delayMs of [...STORE_AGAIN_MS, undefined]) {
      try {
        await patiently({ ms: AWAY_PATIENCE_MS }, () => writes.commit(write, messageId))
        return true
      } catch (error) {
        logger.error({ err: error, message_id: messageId, again_in_ms: delayMs }, 'an answer could not be stored')
        if (delayMs !== undefined) await delay(delayMs)
      }
    }
    return false
  }

  /** @returns whether it is stored; never throws. */
  #storeShown(messageId: string, write: (tx: Tx) => Promise<unknown>): Promise<boolean> {
    const { writes, logger } = this.#options
    return writes.commit(write, messageId).then(
      () => true,
      (error) => {
        logger.warn({ err: error, message_id: messageId }, 'progress could not be stored')
        return false
      },
    )
  }
}
