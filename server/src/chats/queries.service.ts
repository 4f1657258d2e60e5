import { hash } from 'node:crypto'
import type { Caller } from '../access/caller.ts'
import { AgentFailedError } from '../agents/agents.errors.ts'
import type { AgentRecord } from '../agents/agents.store.ts'
import { type JobService, narrowToJob } from '../agents/jobs.service.ts'
import { renderShortcut } from '../agents/render-shortcut.ts'
import type { ShortcutService } from '../agents/shortcuts.service.ts'
import type { Db, Writes } from '../db.ts'
import { type Clock, isoNow } from '../platform/clock.ts'
import { isForeignKeyViolation, isUniqueViolation } from '../platform/database/sqlite.ts'
import type { NewId } from '../platform/ids.ts'
import type { EnsureVirtualUser } from '../users/attribution.ts'
import { ChatNotFoundError, MessageIdConflictError } from './chats.errors.ts'
import type { ChatPath } from './chats.schemas.ts'
import type { ChatService } from './chats.service.ts'
import { findMessage, insertMessage, type MessageRow } from './messages.store.ts'
import type { SendQuery } from './queries.schemas.ts'
import type { AnswerMessage } from './runs/answer-message.ts'
import type { Run, RunReader } from './runs/run.ts'
import { InterruptedError, type Runs } from './runs/runs.ts'
import { storedEvents } from './runs/stored-events.ts'

/** An accepted query: one that runs, or one that was answered before. */
export interface Answer {
  messageId: string
  /** Waits for the end. @throws AgentFailedError when the run failed. */
  text(): Promise<string>
  /** Everything from the start, then what comes. @returns a function that ends the reading, not the run. */
  read(reader: RunReader): () => void
}

export type QueryService = ReturnType<typeof createQueryService>

export interface QueryServiceOptions {
  db: Db
  writes: Writes
  newId: NewId
  clock: Clock
  chats: ChatService
  runs: Runs
  jobs: JobService
  shortcuts: ShortcutService
  answerMessage: AnswerMessage
  ensureVirtualUser: EnsureVirtualUser
  processId: string
}

export function createQueryService(options: QueryServiceOptions) {
  const { db, writes, newId, clock, chats, runs, jobs, shortcuts } = options
  const { answerMessage, ensureVirtualUser, processId } = options
  /** Queries whose caller chose the id, until they are accepted: equal ones wait for the first. */
  const accepting = new Map<string, Promise<unknown>>()

  /**
   * Stores the query and begins to answer it, in its turn. The same `message_id` with the same content gives the
   * answer of the first.
   * @throws ChatNotFoundError and its like, MessageIdConflictError, RateLimitedError when 16 queries wait in the chat.
   */
  async function send(caller: Caller, path: ChatPath, query: SendQuery): Promise<Answer> {
    const fingerprint = fingerprintOf(path, query)
    if (!query.message_id) return accept(caller, path, query, newId(), fingerprint)

    const messageId = query.message_id
    const key = `${caller.organizationId}:${messageId}`
    while (accepting.has(key)) await accepting.get(key)
    const accepted = sendWithId(caller, path, query, messageId, fingerprint)
    const settled = accepted.catch(() => {}).finally(() => accepting.delete(key))
    accepting.set(key, settled)
    return accepted
  }

  async function sendWithId(caller: Caller, path: ChatPath, query: SendQuery, messageId: string, fingerprint: string) {
    await chats.get(caller, path)
    const known = await findMessage(db, caller.organizationId, messageId)
    if (known) return answerAgain(known, path, fingerprint)
    return accept(caller, path, query, messageId, fingerprint)
  }

  function answerAgain(message: MessageRow, path: ChatPath, fingerprint: string): Answer {
    if (message.chat_id !== path.chat_id || message.fingerprint !== fingerprint) throw new MessageIdConflictError()
    const run = runs.find(message.organization_id, message.id)
    return run ? answerOf(run) : storedAnswer(message)
  }

  async function accept(
    caller: Caller,
    path: ChatPath,
    query: SendQuery,
    messageId: string,
    fingerprint: string,
  ): Promise<Answer> {
    const { organizationId, workspaceId } = caller
    const { agent, chat } = await chats.get(caller, path)
    const task = await prepareTask(organizationId, agent, query)
    const release = runs.reserve(chat.id)
    try {
      await writes.commit(async (tx) => {
        const { virtual_user_email: email } = query
        const virtualUserId = email && (await ensureVirtualUser(tx, organizationId, workspaceId, email))
        await insertMessage(tx, organizationId, {
          id: messageId,
          chatId: chat.id,
          agentId: agent.id,
          query: task.query,
          isPinned: query.pin_response,
          virtualUserId,
          mode: query.is_stream ? 'streaming' : 'blocking',
          jobId: task.jobId,
          quickActionId: query.shortcut_id,
          quickActionFields: query.shortcut_id === null ? [] : query.shortcut_fields_with_values,
          fingerprint,
          processId,
          createdAt: isoNow(clock),
        })
      })
    } catch (error) {
      release()
      if (isUniqueViolation(error)) throw new MessageIdConflictError()
      if (isForeignKeyViolation(error)) throw new ChatNotFoundError()
      throw error
    }
    const id = { organizationId, chatId: chat.id, messageId }
    const run = runs.start(id, (started) => answerMessage(started, task.agent, task.query).finally(release))
    return answerOf(run)
  }

  /**
   * What the agent is to do: the query as it was sent, or as the shortcut writes it; on the job that was named, or the
   * shortcut's.
   * @throws ShortcutNotFoundError, JobNotFoundError, ValidationError for a field of the shortcut
   */
  async function prepareTask(organizationId: string, agent: AgentRecord, sent: SendQuery) {
    const { shortcut_id: shortcutId, shortcut_fields_with_values: values } = sent
    const shortcut = shortcutId === null ? undefined : await shortcuts.ofAgent(organizationId, agent.id, shortcutId)
    const jobId = sent.job_id ?? shortcut?.jobId ?? null
    const job = jobId === null ? undefined : await jobs.ofAgent(organizationId, agent.id, jobId)
    const parts = [shortcut && renderShortcut(shortcut, values), sent.query?.trim() ? sent.query : undefined]
    return {
      query: parts.filter((part) => part !== undefined).join('\n\n'),
      agent: job ? narrowToJob(agent, job) : agent,
      jobId,
    }
  }

  return { send }
}

const answerOf = (run: Run): Answer => ({
  messageId: run.id.messageId,
  async text() {
    const { text, errorMessage } = await run.done
    if (errorMessage !== null) throw new AgentFailedError(errorMessage)
    return text
  },
  read: (reader) => run.read(reader),
})

/** The answer of a run that ended before, from what was stored of it; one that never ended was interrupted. */
const storedAnswer = (message: MessageRow): Answer => ({
  messageId: message.id,
  async text() {
    const problem = message.error_message ?? (message.status === 'completed' ? null : new InterruptedError().message)
    if (problem !== null) throw new AgentFailedError(problem)
    return message.response
  },
  read: (reader) => storedEvents(message).read(reader),
})

/** What makes two queries with one id the same; how the answer is sent is not part of it. */
function fingerprintOf(path: ChatPath, { message_id: _, is_stream: __, ...content }: SendQuery): string {
  return hash('sha256', JSON.stringify([path.agent_id, path.chat_id, content]), 'base64')
}
