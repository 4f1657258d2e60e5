import { hash } from 'node:crypto'
import type { Caller } from '../access/caller.ts'
import { AgentFailedError } from '../agents/agents.errors.ts'
import type { AgentService } from '../agents/agents.service.ts'
import type { AgentRecord } from '../agents/agents.store.ts'
import { configuratorOf } from '../agents/configurator/configurator.ts'
import { type JobService, narrowToJob } from '../agents/jobs.service.ts'
import { narrowToFolders } from '../agents/narrow-folders.ts'
import { renderShortcut } from '../agents/render-shortcut.ts'
import type { ShortcutService } from '../agents/shortcuts.service.ts'
import type { Db, Writes } from '../db.ts'
import { FolderNotFoundError } from '../drive/drive.errors.ts'
import { getUploads, type Upload } from '../drive/uploads.service.ts'
import { type Clock, isoNow } from '../platform/clock.ts'
import { commitChecked } from '../platform/database/commit-checked.ts'
import { CommitUnansweredError, isForeignKeyViolation, isUniqueViolation } from '../platform/database/errors.ts'
import type { NewId } from '../platform/ids.ts'
import type { Processes } from '../platform/processes/processes.ts'
import type { Queue } from '../queue/queue.ts'
import type { TaskContext } from '../queue/worker.ts'
import type { StoredAttachment } from '../retrieval/read-attachment.ts'
import type { QuotaService } from '../usage/quotas.service.ts'
import type { EnsureVirtualUser } from '../users/attribution.ts'
import type { WebhookService } from '../webhooks/webhooks.service.ts'
import { ChatNotFoundError, MessageIdConflictError } from './chats.errors.ts'
import type { ChatPath } from './chats.schemas.ts'
import { type ChatService, requireConfigurator } from './chats.service.ts'
import { typeOfChat, workspaceOfChat } from './chats.store.ts'
import { insertMessageFiles } from './message-files.store.ts'
import { acceptMessage, claimMessage, fenceOf } from './message-life.store.ts'
import { findMessage, type MessageRow } from './messages.store.ts'
import type { OutputService } from './outputs.service.ts'
import type { QueryContent, SendAsyncQuery, SendQuery } from './queries.schemas.ts'
import { findPendingReview } from './reviews.store.ts'
import { type ReviewOnWire, toReview } from './reviews.wire.ts'
import type { AnswerMessage } from './runs/answer-message.ts'
import type { Elsewhere } from './runs/elsewhere.ts'
import type { Follower } from './runs/followed-events.ts'
import { isDurable } from './runs/modes.ts'
import type { Run, RunBefore, RunReader } from './runs/run.ts'
import type { RunTurn } from './runs/run-store.ts'
import { ChatFullError, InterruptedError, MOST_WAITING } from './runs/runs.errors.ts'
import type { Runs } from './runs/runs.ts'
import { type Readable, storedEvents } from './runs/stored-events.ts'
import { findStoredRun, type StoredRun } from './runs/stored-run.ts'

/** An accepted query: one that runs, or one that was answered before. */
export interface Answer {
  messageId: string
  /** Waits for the end, or for the run to wait. @throws AgentFailedError when the run failed. */
  result(): Promise<{ text: string; review?: ReviewOnWire }>
  /** Everything from the start, then what comes. @returns a function that ends the reading, not the run. */
  read(reader: RunReader): () => void
}

type Sent = QueryContent & ({ mode: 'blocking' | 'streaming' } | { mode: 'async'; webhook_url: string })

/** Of the task that takes a message up. */
type TaskTurn = Pick<TaskContext, 'signal' | 'pause' | 'resume'>

export type QueryService = ReturnType<typeof createQueryService>

export interface QueryServiceOptions {
  db: Db
  writes: Writes
  newId: NewId
  clock: Clock
  chats: ChatService
  runs: Runs
  follower: Follower
  /** What is in progress beside the runs of this process. */
  elsewhere: Elsewhere
  /** Whether this process does work in the background: if not, others answer what is asked asynchronously. */
  answersAsync: boolean
  queue: Queue
  webhooks: WebhookService
  agents: AgentService
  jobs: JobService
  shortcuts: ShortcutService
  outputs: OutputService
  quotas: QuotaService
  answerMessage: AnswerMessage
  ensureVirtualUser: EnsureVirtualUser
  processes: Pick<Processes, 'id'>
}

export function createQueryService(options: QueryServiceOptions) {
  const { db, writes, newId, clock, chats, runs, queue, webhooks, agents, jobs, shortcuts } = options
  const { outputs, quotas, answerMessage, ensureVirtualUser, processes, follower, elsewhere, answersAsync } = options
  /** Queries whose caller chose the id, until they are accepted: equal ones wait for the first. */
  const accepting = new Map<string, Promise<unknown>>()
  /** Messages that this process is about to run for a task. */
  const takingUp = new Set<string>()

  /**
   * Stores the query and begins to answer it, in its turn. The same `message_id` with the same content gives the
   * answer of the first.
   * @throws ChatNotFoundError and its like, MessageIdConflictError, QuotaExceededError, RateLimitedError when 16 queries
   *   wait in the chat.
   */
  function send(caller: Caller, path: ChatPath, { is_stream, ...query }: SendQuery): Promise<Answer> {
    return once(caller, path, { ...query, mode: is_stream ? 'streaming' : 'blocking' })
  }

  /**
   * The same, answered in the background: message, task and delivery are committed together, so that what was
   * accepted is answered and delivered even if this process does not live to do it.
   * @throws WebhookUrlNotAllowedError
   */
  async function sendAsync(caller: Caller, path: ChatPath, query: SendAsyncQuery): Promise<Answer> {
    await chats.get(caller, path)
    await webhooks.requireAllowedUrl(query.webhook_url)
    return once(caller, path, { ...query, mode: 'async' })
  }

  async function once(caller: Caller, path: ChatPath, query: Sent): Promise<Answer> {
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

  async function sendWithId(caller: Caller, path: ChatPath, query: Sent, messageId: string, fingerprint: string) {
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

  /** The answer of a run that is not at work here, from what is stored of it; one that never ended was interrupted. */
  function storedAnswer(message: MessageRow): Answer {
    const { organization_id: organizationId, id } = message
    const goesOn = message.status === 'in_progress' && (isDurable(message.mode) || elsewhere.isShared)
    return goesOn ? followedAnswer(organizationId, id) : answerFrom(id, async () => message, storedEvents(message))
  }

  /** The answer of a run that goes on elsewhere, or will. */
  const followedAnswer = (organizationId: string, id: string): Answer =>
    answerFrom(
      id,
      () => follower.settled(organizationId, id),
      follower.events(organizationId, id, { untilReview: true }),
    )

  function answerFrom(id: string, settle: () => Promise<MessageRow | undefined>, events: Readable): Answer {
    return {
      messageId: id,
      async result() {
        const settled = await settle()
        if (settled?.status === 'waiting') {
          const review = await findPendingReview(db, settled.organization_id, id)
          if (review) return waiting(settled.response, toReview(review))
        }
        if (settled?.status !== 'completed') throw new AgentFailedError(new InterruptedError().message)
        if (settled.error_message !== null) throw new AgentFailedError(settled.error_message)
        return { text: settled.response }
      },
      read: (reader) => events.read(reader),
    }
  }

  async function accept(
    caller: Caller,
    path: ChatPath,
    query: Sent,
    messageId: string,
    fingerprint: string,
  ): Promise<Answer> {
    const { organizationId, workspaceId } = caller
    const { agent, chat } = await chats.getWithAgent(caller, path)
    const isConfiguration = chat.chatType === 'configuration'
    if (isConfiguration) requireConfigurator(caller)
    const task = await prepareTask(organizationId, isConfiguration ? configuratorOf(agent) : agent, query)
    const fileIds = [...new Set(query.uploaded_files)]
    const hasFiles = chat.hasFiles || fileIds.length > 0
    const isAnsweredHere = query.mode !== 'async' || answersAsync
    let virtualUserId: string | null = null
    let createdAt!: string
    let place!: number
    let isBehindOthers = false
    const release = runs.reserve(chat.id)
    try {
      await commitChecked(writes, async (tx) => {
        const files = await getUploads(tx, caller, fileIds, isoNow(clock))
        const { virtual_user_email: email } = query
        await quotas.require(tx, caller, email)
        virtualUserId = email && (await ensureVirtualUser(tx, organizationId, workspaceId, email))
        const standing = await acceptMessage(tx, organizationId, {
          id: messageId,
          chatId: chat.id,
          agentId: agent.id,
          query: task.query,
          isPinned: query.pin_response,
          virtualUserId,
          apiKeyId: caller.keyId,
          mode: query.mode,
          jobId: task.jobId,
          knowledgeBaseIds: query.knowledge_base_ids ?? null,
          quickActionId: query.shortcut_id,
          quickActionFields: query.shortcut_id === null ? [] : query.shortcut_fields_with_values,
          fingerprint,
          processId: isAnsweredHere ? processes.id : '',
          createdAt: isoNow(clock),
        })
        createdAt = standing.createdAt
        place = standing.place
        if (elsewhere.mayHave(chat.id)) {
          const at = { organizationId, agentId: agent.id, chatId: chat.id, place }
          const before = await elsewhere.before(tx, at, (id) => runs.find(organizationId, id))
          // Not a refusal but a failure, so that nothing of it stays.
          if (before.count > MOST_WAITING) throw new NoRoomError()
          isBehindOthers = before.unseen > 0
        }
        await insertMessageFiles(tx, organizationId, { id: messageId, chatId: chat.id }, files.map(toAttachment))
        await quotas.count(tx, caller, virtualUserId)
        if (query.mode !== 'async') return
        await webhooks.openDelivery(tx, organizationId, { workspaceId, messageId, url: query.webhook_url })
        await queue.enqueue(tx, organizationId, 'chats.answer', { messageId })
      })
    } catch (error) {
      release()
      if (error instanceof NoRoomError) throw new ChatFullError()
      // It may be stored, while the caller is told that the database is away and nobody runs it.
      if (error instanceof CommitUnansweredError)
        elsewhere.abandon(organizationId, messageId, query.mode).catch(() => {})
      if (isUniqueViolation(error)) return answerOfTwin(caller, path, messageId, fingerprint)
      if (isForeignKeyViolation(error)) throw new ChatNotFoundError()
      throw error
    }
    const id = { organizationId, chatId: chat.id, messageId }
    const turn: RunTurn = {
      ...id,
      workspaceId,
      agentId: agent.id,
      virtualUserId,
      keyId: caller.keyId,
      mode: query.mode,
      createdAt,
      attempt: 1,
    }
    if (!isAnsweredHere) {
      release()
      return followedAnswer(organizationId, messageId)
    }
    const execute = (run: Run) => answerMessage(run, { ...task, turn, hasFiles }).finally(release)
    return answerOf(runs.start(id, execute, { agentId: agent.id, place, isBehindOthers }))
  }

  /** Another process accepted the id at the same time. @throws MessageIdConflictError */
  async function answerOfTwin({ organizationId }: Caller, path: ChatPath, messageId: string, fingerprint: string) {
    const twin = await findMessage(db, organizationId, messageId)
    if (!twin) throw new MessageIdConflictError()
    return answerAgain(twin, path, fingerprint)
  }

  /**
   * The run of a message that nobody waits for at a connection, gone on with where another process, or the review that
   * it waited for, left it.
   * While another process that lives has it, this waits with it, to take it up if that dies.
   * @returns undefined for a message that is answered, or deleted.
   * @throws the signal's reason
   */
  async function takeUp(organizationId: string, messageId: string, turn: TaskTurn): Promise<Run | undefined> {
    const { signal } = turn
    for (;;) {
      signal.throwIfAborted()
      const running = runs.find(organizationId, messageId)
      // It is at work, or waits, under the task that began it.
      if (running) await turn.pause()
      if (running) return running
      const message = await findMessage(db, organizationId, messageId)
      // It went before anybody answered it: its delivery ends.
      if (!message) await writes.commit((tx) => webhooks.deliver(tx, organizationId, messageId))
      if (message?.status !== 'in_progress') return undefined
      if (takingUp.has(messageId) || (await elsewhere.isHeld(message))) {
        await turn.pause()
        await elsewhere.untilChange(message, signal)
        await turn.resume(signal)
        continue
      }
      takingUp.add(messageId)
      try {
        const run = await claimAndGoOn(message, turn)
        if (run) return run
      } finally {
        takingUp.delete(messageId)
      }
    }
  }

  /** @returns undefined when another process was faster. */
  async function claimAndGoOn(message: MessageRow, turn: TaskTurn): Promise<Run | undefined> {
    const { organization_id: organizationId, id, mode } = message
    try {
      const isOurs = await writes.commit((tx) => claimMessage(tx, fenceOf(message), processes.id))
      return isOurs ? await goOn(message, turn) : undefined
    } catch (error) {
      // Else those who take up its task next would wait for this process to run it.
      await elsewhere.abandon(organizationId, id, mode)
      throw error
    }
  }

  async function goOn(message: MessageRow, { pause, resume }: TaskTurn): Promise<Run> {
    const { organization_id: organizationId, id: messageId } = message
    const stored = await findStoredRun(db, organizationId, messageId)
    await outputs.forgetAfter(organizationId, messageId, stored?.outputCount ?? 0)
    const { agent, query, workspaceId } = await taskOf(message)
    const id = { organizationId, chatId: message.chat_id, messageId }
    const runTurn: RunTurn = {
      ...id,
      workspaceId,
      agentId: message.agent_id,
      virtualUserId: message.virtual_user_id,
      keyId: message.api_key_id,
      mode: message.mode,
      createdAt: message.created_at,
      attempt: message.attempt + 1,
    }
    const task = { turn: runTurn, agent, query, hasFiles: true, stored }
    async function execute(run: Run): Promise<void> {
      await resume(run.signal)
      await answerMessage(run, task)
    }
    // Until it comes to its turn in the chat.
    await pause()
    return runs.start(id, execute, {
      agentId: message.agent_id,
      place: message.place,
      isBehindOthers: true,
      earlierPart: beforeOf(message, stored),
    })
  }

  /** Undefined for a message that nobody began to answer. */
  function beforeOf({ created_at, attempt }: MessageRow, stored: StoredRun | undefined): RunBefore | undefined {
    if (attempt === 0) return undefined
    const { log, response, reasoning, activeMs } = stored ?? NOTHING_SHOWN
    const elapsedMs = Math.max(0, clock().getTime() - Date.parse(created_at))
    return { log, response, reasoning, activeMs, elapsedMs, parts: attempt }
  }

  /** What a stored message asks for; without its job, if that was deleted meanwhile. */
  async function taskOf(message: MessageRow) {
    const { organization_id: organizationId, chat_id, agent_id, query, job_id: jobId } = message
    const agent = await agents.ofOrganization(organizationId, agent_id)
    const job = jobId === null ? undefined : await jobs.find(organizationId, agent_id, jobId)
    const workspaceId = await workspaceOfChat(db, organizationId, chat_id)
    const isConfiguration = (await typeOfChat(db, organizationId, chat_id)) === 'configuration'
    const folderIds: string[] | null =
      message.knowledge_base_ids === null ? null : JSON.parse(message.knowledge_base_ids)
    const acting = await narrowToFolders(db, isConfiguration ? configuratorOf(agent) : agent, folderIds)
    return { query, agent: job ? narrowToJob(acting, job) : acting, workspaceId: workspaceId ?? agent.workspaceId }
  }

  /**
   * What the agent is to do: the query as it was sent, or as the shortcut writes it; on the job that was named, or the
   * shortcut's.
   * @throws ShortcutNotFoundError, JobNotFoundError, FolderNotFoundError for one that the agent does not have,
   *   ValidationError for a field of the shortcut
   */
  async function prepareTask(organizationId: string, whole: AgentRecord, sent: QueryContent) {
    const folderIds = sent.knowledge_base_ids ?? null
    const agent = await narrowToFolders(db, whole, folderIds)
    if (folderIds?.some((id) => !agent.knowledgeBaseIds.includes(id))) throw new FolderNotFoundError()
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

  return { send, sendAsync, takeUp }
}

/** Of what an earlier part said and nobody stored: the new one says it again, under other numbers. */
const NOTHING_SHOWN = {
  log: [{ type: 'metadata', seq: 0 }],
  response: '',
  reasoning: '',
  activeMs: 0,
} satisfies Partial<StoredRun>

/** So many messages wait in the chat that there is no room for one more. */
class NoRoomError extends Error {}

const toAttachment = (upload: Upload): StoredAttachment => ({
  id: upload.id,
  blobKey: upload.blob_key,
  fileName: upload.file_name,
  mediaType: upload.media_type,
  sizeBytes: upload.size_bytes,
})

const answerOf = (run: Run): Answer => ({
  messageId: run.id.messageId,
  async result() {
    const { text, errorMessage, review } = await run.done
    if (errorMessage !== null) throw new AgentFailedError(errorMessage)
    return review ? waiting(text, review) : { text }
  },
  read: (reader) => run.read(reader),
})

/** Says in words what the run waits for, for callers who read only text. */
const waiting = (said: string, review: ReviewOnWire) => ({
  text: [said, review.text].filter(Boolean).join('\n\n'),
  review,
})

/** What makes two queries with one id the same; how the answer is sent is not part of it. */
function fingerprintOf(path: ChatPath, { message_id: _, mode: __, ...content }: Sent): string {
  return hash('sha256', JSON.stringify([path.agent_id, path.chat_id, content]), 'base64')
}
