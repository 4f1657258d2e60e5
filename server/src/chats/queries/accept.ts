import type { AgentService, UsableAgent } from '../../agents/agents.ts'
import type { Writes } from '../../db.ts'
import { CommitUnansweredError } from '../../platform/database/away-errors.ts'
import { isForeignKeyViolation, isUniqueViolation } from '../../platform/database/errors.ts'
import { commitChecked } from '../../platform/database/statements/commit-checked.ts'
import { requireConfigurator } from '../chat/chats.service.ts'
import { ChatNotFoundError, MessageIdConflictError } from '../chats.errors.ts'
import { findMessage } from '../messages/messages.store.ts'
import type { AnswerMessage } from '../runs/answer-message.ts'
import type { Run } from '../runs/run.ts'
import { ChatFullError } from '../runs/runs.errors.ts'
import type { Runs } from '../runs/runs.ts'
import type { RunTarget } from '../runs/stored/run-store.ts'
import { type Answer, answerOfRun } from './answer.ts'
import { type AnswerAgainOptions, answerAgain, followedAnswer } from './answer-again.ts'
import type { PlainQueries } from './plain-queries.ts'
import { type PreparedQuery, type PrepareQueryOptions, prepareQuery } from './prepare-query.ts'
import {
  type IncomingQuery,
  isAnsweredHere,
  NoRoomError,
  type StoredQuery,
  type StoreQueryOptions,
  storeQuery,
} from './store-query.ts'

export interface AcceptOptions extends PrepareQueryOptions, StoreQueryOptions, AnswerAgainOptions {
  writes: Writes
  runs: Runs
  plainQueries: PlainQueries
  agents: AgentService
  answerMessage: AnswerMessage
}

/** A query in a chat that may not be there, or be another's. */
export type UnseenQuery = Omit<IncomingQuery, 'chat'> & { chatId: string }

/**
 * Stores a query and answers it once it is first in its chat, or leaves it to a process that works in the background.
 * @throws ChatNotFoundError and the like, MessageIdConflictError, QuotaExceededError, ChatFullError when 16 queries wait
 *   in the chat
 */
export async function acceptQuery(options: AcceptOptions, asked: UsableAgent, query: IncomingQuery): Promise<Answer> {
  const { writes, runs } = options
  const { caller, chat, sent, messageId } = query
  const { organizationId } = caller
  if (chat.chatType === 'configuration') requireConfigurator(caller)
  const prepared = await prepareQuery(options, { caller, agent: asked, chat }, sent)
  const release = runs.reserve({ organizationId, chatId: chat.id, messageId })
  let stored: StoredQuery
  try {
    stored =
      (await options.plainQueries.store(query, prepared)) ??
      (await commitChecked(writes, (tx) => storeQuery(options, tx, query, prepared)))
  } catch (error) {
    release()
    return answerRefused(options, query, error)
  }
  if (isAnsweredHere(options, sent)) return beginAnswer(options, query, prepared, stored, release)
  release()
  return followedAnswer(options, organizationId, messageId)
}

/**
 * Accepts a query without a look at the chat before, if it names nothing else that could be missing: the statement
 * that stores it stores none in a chat that is not the caller's, and says what else is to be known of the chat.
 * @returns undefined if it is to be accepted with a look at the chat: nothing is stored then
 */
export async function acceptPlainQuery(
  options: AcceptOptions,
  agent: UsableAgent,
  query: UnseenQuery,
): Promise<Answer | undefined> {
  const { caller, sent, messageId, chatId } = query
  const { organizationId } = caller
  if (caller.virtualUserIds) return undefined
  if (
    sent.job_id !== null ||
    sent.shortcut_id !== null ||
    sent.knowledge_base_ids ||
    sent.filters ||
    sent.mode === 'async'
  )
    return undefined
  // Only the type `configuration` changes the answer, and the statement stores nothing in such chats.
  const chat = { id: chatId, agentId: agent.id, chatType: 'standard' as const }
  const incoming = { ...query, chat }
  const prepared = await prepareQuery(options, { caller, agent, chat }, sent)
  // It takes no room in the chat: the statement counts who waits there, and the chat may be another's.
  const withdraw = options.runs.announce({ organizationId, messageId })
  try {
    const stored = await options.plainQueries.store(incoming, prepared)
    if (stored) return beginAnswer(options, incoming, prepared, stored, withdraw)
  } catch (error) {
    withdraw()
    return answerRefused(options, incoming, error)
  }
  withdraw()
  return undefined
}

/** Runs it in this process. @param release gives back the room in the chat when it has ended */
function beginAnswer(
  { runs, answerMessage }: AcceptOptions,
  { caller, chat, sent, messageId }: IncomingQuery,
  { agent, query }: PreparedQuery,
  { virtualUserId, createdAt, place, isBehindOthers, hasFiles, projectId, remembered, mayBranch }: StoredQuery,
  release: () => void,
): Answer {
  const { organizationId, workspaceId, keyId } = caller
  const id = { organizationId, chatId: chat.id, messageId }
  const target: RunTarget = {
    ...id,
    workspaceId,
    agentId: chat.agentId,
    virtualUserId,
    rightsHolderId: caller.rightsHolderId,
    keyId,
    mode: sent.mode,
    createdAt,
    attempt: 1,
  }
  const task = { agent, query, target, hasFiles, projectId, remembered, mayBranch, given: sent.given }
  const execute = (run: Run) => answerMessage(run, task).finally(release)
  return answerOfRun(runs.start(id, execute, { agentId: chat.agentId, place, isBehindOthers }))
}

/** The answer to a query that could not be stored, if another process accepted the same. @throws why it was not */
async function answerRefused(
  options: AcceptOptions,
  { caller, chat, messageId, fingerprint }: IncomingQuery,
  error: unknown,
): Promise<Answer> {
  const { organizationId } = caller
  if (error instanceof NoRoomError) throw new ChatFullError()
  // It may be stored, while the caller gets the error that the database is away and nobody runs it.
  if (error instanceof CommitUnansweredError) options.directory.abandon(organizationId, messageId).catch(() => {})
  if (isForeignKeyViolation(error)) throw new ChatNotFoundError()
  if (!isUniqueViolation(error)) throw error
  const twin = await findMessage(options.db, organizationId, messageId)
  if (!twin) throw new MessageIdConflictError()
  return answerAgain(options, caller, twin, { chatId: chat.id, fingerprint })
}
