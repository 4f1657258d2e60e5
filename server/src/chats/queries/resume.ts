import {
  type AgentService,
  type JobService,
  narrowToFilter,
  narrowToFolders,
  narrowToJob,
} from '../../agents/agents.ts'
import type { FileFilter } from '../../drive/drive.ts'
import type { KernelParts } from '../../kernel-parts.ts'
import type { Clock } from '../../platform/clock.ts'
import type { Membership } from '../../platform/cluster/membership/membership.ts'
import type { TaskContext } from '../../queue/worker.ts'
import type { WebhookService } from '../../webhooks/webhooks.ts'
import { findChatOfRun } from '../chat/chats.store.ts'
import { claimMessage, fenceOf } from '../messages/message-life.store.ts'
import { findMessage, type MessageRecord } from '../messages/messages.store.ts'
import type { OutputService } from '../outputs/outputs.service.ts'
import type { AnswerMessage } from '../runs/answer-message.ts'
import type { RunDirectory } from '../runs/directory/run-directory.ts'
import type { Run, RunBefore } from '../runs/run.ts'
import type { RunRegistry } from '../runs/run-registry.ts'
import type { Runs } from '../runs/runs.ts'
import type { RunTarget } from '../runs/stored/run-store.ts'
import { findStoredRun, type StoredRun } from '../runs/stored/stored-run.ts'
import { answeringAgent, withModel } from './prepare-query.ts'

export interface ResumeOptions extends Pick<KernelParts, 'clock' | 'db' | 'writes'> {
  runs: Runs
  registry: RunRegistry
  directory: RunDirectory
  agents: AgentService
  jobs: JobService
  outputs: OutputService
  webhooks: WebhookService
  answerMessage: AnswerMessage
  membership: Pick<Membership, 'id'>
}

/** Part of the task that resumes a message. */
export type TaskControl = Pick<TaskContext, 'signal' | 'pause' | 'resume'>

/**
 * Resumes a message that nobody waits for at a connection, where another process, or the review that it waited
 * for, left it.
 * While another live process holds it, this waits, and resumes the message if that one dies.
 * @returns undefined for a message that is answered, or deleted.
 * @throws the signal's reason
 */
export async function resumeMessage(
  options: ResumeOptions,
  organizationId: string,
  messageId: string,
  control: TaskControl,
): Promise<Run | undefined> {
  const { db, writes, runs, registry, directory, webhooks } = options
  const { signal } = control
  for (;;) {
    signal.throwIfAborted()
    const running = runs.find(organizationId, messageId)
    // This process answers it already, or it waits in its chat.
    if (running) await control.pause()
    if (running) return running
    const message = await findMessage(db, organizationId, messageId)
    // It was deleted before it was answered: its delivery ends.
    if (!message) await writes.commit((tx) => webhooks.deliver(tx, organizationId, [messageId]))
    if (message?.status !== 'in_progress') return undefined
    const withdraw = (await directory.isHeldRemotely(message))
      ? undefined
      : registry.announce(organizationId, messageId)
    if (!withdraw) {
      await control.pause()
      await directory.untilChange(message, signal)
      await control.resume(signal)
      continue
    }
    try {
      const run = await claimAndResume(options, message, control)
      if (run) return run
    } finally {
      withdraw()
    }
  }
}

/** @returns undefined when another process was faster. */
async function claimAndResume(
  options: ResumeOptions,
  message: MessageRecord,
  control: TaskControl,
): Promise<Run | undefined> {
  const { writes, directory, membership } = options
  try {
    const isOurs = await writes.commit((tx) => claimMessage(tx, fenceOf(message), membership.id))
    return isOurs ? await resumeRun(options, message, control) : undefined
  } catch (error) {
    // Else those who take up its task next would wait for this process to run it.
    await directory.abandon(message.organizationId, message.id)
    throw error
  }
}

async function resumeRun(options: ResumeOptions, message: MessageRecord, { pause, resume }: TaskControl): Promise<Run> {
  const { db, clock, runs, outputs, answerMessage } = options
  const { organizationId, id: messageId } = message
  const stored = await findStoredRun(db, organizationId, messageId)
  await outputs.forgetAfter(organizationId, messageId, stored?.outputCount ?? 0)
  const { agent, query, workspaceId, projectId } = await findQuery(options, message)
  const id = { organizationId, chatId: message.chatId, messageId }
  const target: RunTarget = {
    ...id,
    workspaceId,
    agentId: message.agentId,
    virtualUserId: message.virtualUserId,
    rightsHolderId: message.rightsHolderId,
    keyId: message.apiKeyId,
    mode: message.mode,
    createdAt: message.createdAt,
    attempt: message.attempt + 1,
  }
  async function execute(run: Run): Promise<void> {
    await resume(run.signal)
    await answerMessage(run, { target, agent, query, projectId, hasFiles: true, mayBranch: true, stored })
  }
  // The task pauses until the message is first in its chat.
  await pause()
  return runs.start(id, execute, {
    agentId: message.agentId,
    place: message.place,
    isBehindOthers: true,
    earlierPart: earlierPartOf(message, stored, clock),
  })
}

/** Undefined for a message that nobody began to answer. */
function earlierPartOf(
  { createdAt, attempt }: MessageRecord,
  stored: StoredRun | undefined,
  clock: Clock,
): RunBefore | undefined {
  if (attempt === 0) return undefined
  const { log, response, reasoning, activeMs } = stored ?? NOTHING_SHOWN
  const elapsedMs = Math.max(0, clock().getTime() - Date.parse(createdAt))
  return { log, response, reasoning, activeMs, elapsedMs, parts: attempt }
}

/** Work that a stored message asks for; without its job, if that was deleted meanwhile. */
async function findQuery({ db, agents, jobs }: ResumeOptions, message: MessageRecord) {
  const { organizationId, chatId, agentId, query, jobId, rightsHolderId } = message
  const agent = await agents.ofOrganization(organizationId, agentId)
  const job = jobId === null ? undefined : await jobs.find(organizationId, agentId, jobId)
  const chat = await findChatOfRun(db, organizationId, chatId)
  const folderIds: string[] | null = message.knowledgeBaseIds === null ? null : JSON.parse(message.knowledgeBaseIds)
  const acting = withModel(answeringAgent(chat?.chatType, agent), message.askedModel)
  const reader = {
    organizationId,
    workspaceId: chat?.workspaceId ?? agent.workspaceId,
    rightsHolderId,
    virtualUserId: message.virtualUserId,
  }
  const filter: FileFilter | null = message.filters === null ? null : JSON.parse(message.filters)
  const narrowed = narrowToFilter(await narrowToFolders(db, reader, acting, folderIds), filter)
  return {
    query,
    agent: job ? await narrowToJob(db, narrowed, job) : narrowed,
    workspaceId: reader.workspaceId,
    projectId: chat?.projectId ?? null,
  }
}

/** State of an answer of which nothing was stored: it begins again, and its events are numbered anew. */
const NOTHING_SHOWN = {
  log: [{ type: 'metadata', seq: 0 }],
  response: '',
  reasoning: '',
  activeMs: 0,
} satisfies Partial<StoredRun>
