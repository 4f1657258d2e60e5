import { isDeepStrictEqual } from 'node:util'
import { type Caller, ForbiddenError, isBound } from '../../access/access.ts'
import { type AgentService, problemWithArguments, waitingCall } from '../../agents/agents.ts'
import { recordAudit } from '../../audit/record-audit.ts'
import type { KernelParts } from '../../kernel-parts.ts'
import { isoNow } from '../../platform/clock.ts'
import { commitChecked } from '../../platform/database/statements/commit-checked.ts'
import { invalidField } from '../../platform/errors.ts'
import type { Models } from '../../platform/models/models.ts'
import { findReviewedChats, type Threads } from '../chat/chats.access.ts'
import { findWorkspaceOfChat } from '../chat/chats.store.ts'
import { MessageNotWaitingError } from '../chats.errors.ts'
import { fenceOf, wakeMessage } from '../messages/message-life.store.ts'
import { findMessage, type MessageRecord } from '../messages/messages.store.ts'
import type { RunDirectory } from '../runs/directory/run-directory.ts'
import { lastSeqOf } from '../runs/run-log.ts'
import { CANCELLED } from '../runs/runs.errors.ts'
import type { RunStore } from '../runs/stored/run-store.ts'
import { findStoredRun, putStoredRun, type StoredRun } from '../runs/stored/stored-run.ts'
import type { ReviewDecision } from './reviews.schemas.ts'
import {
  closeReview,
  findPendingReview,
  listPendingReviews,
  listReviews,
  listWaiting,
  type ReviewRecord,
  type ReviewStatus,
} from './reviews.store.ts'

export interface ReviewServiceOptions extends Pick<KernelParts, 'clock' | 'db' | 'queue' | 'writes'> {
  agents: AgentService
  models: Models
  runStore: RunStore
  directory: Pick<RunDirectory, 'expect'>
  threadsAccess: Threads
}

const DECIDED = { approve: 'approved', reject: 'rejected', answer: 'answered' } as const
const DAY_MS = 86_400_000

/** Questions of runs to people, and their decisions. */
export class ReviewService {
  readonly #options: ReviewServiceOptions

  constructor(options: ReviewServiceOptions) {
    this.#options = options
  }

  /** Pending reviews of those messages that wait, by message. */
  async findPending(
    organizationId: string,
    messages: readonly Pick<MessageRecord, 'id' | 'status'>[],
  ): Promise<Map<string, ReviewRecord>> {
    const { db } = this.#options
    const waiting = messages.filter(({ status }) => status === 'waiting').map(({ id }) => id)
    const pending = await listPendingReviews(db, organizationId, waiting)
    return new Map(pending.map((review) => [review.messageId, review]))
  }

  /**
   * Continues a waiting message in the background, with what the person decided.
   * @throws MessageNotWaitingError when it does not wait, or somebody was faster; ValidationError when the decision is
   *   none for what is asked.
   */
  async decide(caller: Caller, message: MessageRecord, decided: ReviewDecision): Promise<void> {
    const { writes, queue, clock, directory } = this.#options
    const { decision, note } = decided
    const { organizationId, id: messageId } = message
    const at = isoNow(clock)
    await commitChecked(writes, async (tx) => {
      const review = await findPendingReview(tx, organizationId, messageId)
      const stored = review && (await findStoredRun(tx, organizationId, messageId))
      if (!stored) throw new MessageNotWaitingError()
      if ((caller.visitor || caller.isEndUser) && review.kind === 'approval')
        throw new ForbiddenError('Visitors and end users answer questions; tool calls are for people of the workspace')
      const given = requireFitting(review, decision, note)
      const changed = requireArguments(review, stored, decided)
      const closed = {
        status: DECIDED[given],
        note,
        decidedAt: at,
        decidedBy: caller.keyId,
        changedArguments: changed,
      }
      if (!(await closeReview(tx, organizationId, review.id, closed))) throw new MessageNotWaitingError()
      const state = JSON.stringify({ ...stored, decision: { decision: given, note, arguments: changed } })
      await putStoredRun(tx, organizationId, messageId, state, at)
      // Not a refusal but a failure, so that nothing of it stays.
      if (!(await wakeMessage(tx, fenceOf(message), message, at))) throw new WentOnError()
      directory.expect(message.chatId)
      await queue.enqueue(tx, organizationId, 'chats.answer', { messageId })
      const details = {
        decision: given,
        kind: review.kind,
        tool_name: review.toolName,
        agent_id: review.agentId,
        ...(changed && { changed_arguments: differingFields(review, changed) }),
      }
      const target = { type: 'message', id: messageId } as const
      await recordAudit(tx, caller, { action: 'review.decided', at, target, details })
    }).catch((error) => {
      throw error instanceof WentOnError ? new MessageNotWaitingError() : error
    })
  }

  /** The workspace's inbox, newest first. A key that is bound to agents sees theirs. */
  async list(caller: Caller, { status, page, page_size }: { status?: ReviewStatus; page: number; page_size: number }) {
    const { scopes } = caller
    const { db, threadsAccess } = this.#options
    return listReviews(db, caller.organizationId, caller.workspaceId, {
      status,
      agentIds: scopes && isBound(scopes) ? (scopes.agent_ids ?? []) : undefined,
      inChats: await findReviewedChats(threadsAccess, caller),
      limit: page_size,
      offset: (page - 1) * page_size,
    })
  }

  /**
   * Ends a message that nobody decided about in time. One that was decided, or that waits for something else, stays.
   */
  async expire(organizationId: string, messageId: string, reviewId: string): Promise<void> {
    const { db } = this.#options
    const message = await findMessage(db, organizationId, messageId)
    const review = await findPendingReview(db, organizationId, messageId)
    if (!message || review?.id !== reviewId) return
    const ms = Date.parse(review.expiresAt) - Date.parse(review.createdAt)
    const time = ms >= DAY_MS ? `${ms / DAY_MS} days` : `${ms / 1000} seconds`
    await this.#endWaiting(
      message,
      'expired',
      `Nobody decided within ${time} what the answer waited for: ${review.text}`,
    )
  }

  /** Ends what waits of an agent that was deleted: nobody can decide it any more. */
  async endOfAgent(organizationId: string, agentId: string): Promise<void> {
    const { db } = this.#options
    for (const messageId of await listWaiting(db, organizationId, { agentId })) {
      const message = await findMessage(db, organizationId, messageId)
      if (message)
        await this.#endWaiting(message, 'cancelled', 'The agent was deleted while the answer waited for a person')
    }
  }

  /** Ends a message that waits because the caller cancelled or deletes it. One that does not wait stays as it is. */
  async cancel(message: MessageRecord): Promise<void> {
    if (message.status === 'waiting') await this.#endWaiting(message, 'cancelled', CANCELLED)
  }

  /** Ends a message whose run waits, without a decision. */
  async #endWaiting(message: MessageRecord, status: ReviewStatus, reason: string): Promise<void> {
    const { db, writes, clock, agents, models, runStore } = this.#options
    const { organizationId, id, agentId } = message
    const agent = await agents.ofOrganization(organizationId, agentId)
    const workspaceId = (await findWorkspaceOfChat(db, organizationId, message.chatId)) ?? agent.workspaceId
    const model = await models.idFor(agent)
    await writes.commit(async (tx) => {
      const review = await findPendingReview(tx, organizationId, id)
      const stored = await findStoredRun(tx, organizationId, id)
      if (!review || !stored) return
      // Decided by somebody who was faster, it may have come to its next review.
      if ((await findMessage(tx, organizationId, id))?.attempt !== message.attempt) return
      const closed = { status, note: null, decidedAt: isoNow(clock), decidedBy: null }
      if (!(await closeReview(tx, organizationId, review.id, closed))) return
      const target = {
        organizationId,
        workspaceId,
        agentId,
        chatId: message.chatId,
        messageId: id,
        virtualUserId: message.virtualUserId,
        rightsHolderId: message.rightsHolderId,
        keyId: message.apiKeyId,
        mode: message.mode,
        createdAt: message.createdAt,
        attempt: message.attempt,
      }
      await runStore.endWaiting(tx, target, {
        response: stored.response,
        reasoning: stored.reasoning,
        errorMessage: reason,
        citations: [],
        log: [...stored.log, { type: 'error', seq: lastSeqOf(stored.log) + 1, text: reason }],
        outputCount: stored.outputCount,
        model,
        spent: stored.agents.spent,
        hasState: true,
      })
    })
  }
}

/** The message continued after the caller saw it wait, and now waits for something else. */
class WentOnError extends Error {}

/** A question that is approved with a note is answered by it. */
function requireFitting({ kind }: ReviewRecord, decision: ReviewDecision['decision'], note: string | null) {
  if (kind === 'approval') {
    if (decision === 'answer')
      throw invalidField('decision', 'must be approve or reject: a tool call waits, not a question')
    return decision
  }
  if (decision === 'reject') return decision
  if (!note?.trim()) throw invalidField('note', 'must hold the answer to the question')
  return 'answer'
}

/**
 * Arguments that replace the tool's own; undefined where nothing changes.
 * @throws ValidationError for what the tool does not take
 */
function requireArguments(review: ReviewRecord, stored: StoredRun, { decision, arguments: given }: ReviewDecision) {
  if (given === null) return undefined
  if (review.kind !== 'approval' || decision !== 'approve')
    throw invalidField('arguments', 'can only be given to approve a tool call')
  const schema = waitingCall(stored.agents.loop)?.parameters
  const problem = schema && problemWithArguments(schema, given)
  if (problem) throw invalidField(problem.path ? `arguments.${problem.path}` : 'arguments', problem.message)
  return isDeepStrictEqual(given, review.arguments ?? {}) ? undefined : given
}

/** Names of the arguments that are others than the model gave. */
function differingFields(review: ReviewRecord, changed: Record<string, unknown>): string[] {
  const before = review.arguments ?? {}
  const names = new Set([...Object.keys(before), ...Object.keys(changed)])
  return [...names].filter((name) => !isDeepStrictEqual(before[name], changed[name]))
}
