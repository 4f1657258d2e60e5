import { setTimeout as delay } from 'node:timers/promises'
import { AgentFailedError } from '../../agents/agents.errors.ts'
import type { AgentRecord } from '../../agents/agents.store.ts'
import type { Citation } from '../../agents/citations.ts'
import { runAgent } from '../../agents/run-agent.ts'
import type { Toolbox } from '../../agents/tools/toolbox.ts'
import type { Db, Writes } from '../../db.ts'
import { type Clock, isoNow } from '../../platform/clock.ts'
import { DomainError } from '../../platform/errors.ts'
import type { ModelMessage, ModelUsage } from '../../platform/models/model.ts'
import type { Models } from '../../platform/models/models.ts'
import type { Logger } from '../../platform/telemetry/logger.ts'
import type { AttachedFile } from '../../retrieval/attached-files.ts'
import type { createAttachmentReader } from '../../retrieval/read-attachment.ts'
import type { WebhookService } from '../../webhooks/webhooks.service.ts'
import { listChatFiles } from '../message-files.store.ts'
import { listRecentAnswers } from '../messages.history.store.ts'
import { completeMessage, type MessageRow, type RunResult, storeProgress } from '../messages.store.ts'
import type { OutputService } from '../outputs.service.ts'
import type { Run, RunIdentity } from './run.ts'
import { CancelledError, InterruptedError } from './runs.ts'

/** Answers one message to its end, and stores it. Never throws: what goes wrong is the message's `error_message`. */
export type AnswerMessage = (run: Run, task: AnswerTask) => Promise<void>

export interface AnswerTask {
  agent: AgentRecord
  query: string
  mode: MessageRow['mode']
  /** Whether the chat has any files; to look for some that are not there does no harm. */
  hasFiles: boolean
}

export interface AnswerMessageOptions {
  db: Db
  writes: Writes
  clock: Clock
  models: Models
  tools: Toolbox
  outputs: OutputService
  readAttachment: ReturnType<typeof createAttachmentReader>
  webhooks: WebhookService
  logger: Logger
}

/** Messages of the chat that an agent remembers, as far as they fit into its model's window. */
const REMEMBERED_MESSAGES = 20
/** Files of the chat that a run reads, the newest first. */
const REMEMBERED_FILES = 20
const REMEMBERED_SHARE = 0.5
/** Characters that a token has at least, in most languages and models: a careful estimate. */
const CHARACTERS_PER_TOKEN = 3
const PROGRESS_EVERY_MS = 2_000
const STORE_AGAIN_MS = [100, 400, 1_500]
/** How a run ends whose message stays in progress, because it cannot be written. */
export const NOT_STORED = 'The answer could not be stored; send the query again'
const NOTHING_USED: ModelUsage = { inputTokens: 0, cachedInputTokens: 0, outputTokens: 0, reasoningTokens: 0 }

export function createAnswerMessage(options: AnswerMessageOptions): AnswerMessage {
  const { db, writes, clock, models, tools, outputs, readAttachment, webhooks, logger } = options
  return async (run, { agent, query, mode, hasFiles }) => {
    const { organizationId, chatId, messageId } = run.id
    const modelId = agent.model ?? models.defaultModelId
    const stopProgress = storeProgressOf(run)
    const made = outputs.of(organizationId, messageId)
    let citations: Citation[] = []
    let usage = NOTHING_USED
    let errorMessage: string | null = null
    try {
      run.signal.throwIfAborted()
      const model = models.resolve(modelId)
      const history = await recall(organizationId, chatId, model.contextTokens)
      const today = isoNow(clock).slice(0, 10)
      const { events, signal } = run
      const files = hasFiles ? await readFiles(run.id, signal) : []
      const output = await runAgent({
        agent,
        model,
        history,
        query,
        files,
        outputs: made,
        tools,
        events,
        signal,
        logger,
        today,
      })
      citations = output.citations
      usage = output.usage
    } catch (error) {
      errorMessage = reasonOf(error)
    }
    stopProgress()
    const isTakenUpAgain = mode === 'async' && run.signal.reason instanceof InterruptedError
    const log = run.seal(errorMessage, citations)
    const { response, reasoning } = run
    const result = {
      response,
      reasoning,
      errorMessage,
      citations,
      log,
      outputCount: made.count(),
      model: modelId,
      usage,
      at: isoNow(clock),
    }
    // A message that goes on elsewhere stays as it is, in progress.
    const isStored = isTakenUpAgain || (await store(organizationId, messageId, result, mode))
    run.finish(isStored ? undefined : NOT_STORED)
  }

  /**
   * What was sent with the message and with earlier ones of its chat.
   * @throws AgentFailedError that names a file of the message that cannot be read
   */
  async function readFiles({ organizationId, chatId, messageId }: RunIdentity, signal: AbortSignal) {
    const files: AttachedFile[] = []
    for (const stored of await listChatFiles(db, organizationId, chatId, REMEMBERED_FILES)) {
      try {
        files.push(await readAttachment(stored, signal))
      } catch (error) {
        if (!(error instanceof DomainError)) throw error
        if (stored.messageId !== messageId) continue
        throw new AgentFailedError(`${stored.fileName}: ${error.message}`, { cause: error })
      }
    }
    return files
  }

  /** A full disk or a held lock may pass. @returns whether it is stored. */
  async function store(
    organizationId: string,
    messageId: string,
    result: RunResult,
    mode: MessageRow['mode'],
  ): Promise<boolean> {
    for (const delayMs of [...STORE_AGAIN_MS, undefined]) {
      try {
        await writes.commit(async (tx) => {
          await completeMessage(tx, organizationId, messageId, result)
          if (mode === 'async') await webhooks.deliver(tx, organizationId, messageId)
        })
        return true
      } catch (error) {
        logger.error({ err: error, message_id: messageId, again_in_ms: delayMs }, 'an answer could not be stored')
        if (delayMs !== undefined) await delay(delayMs)
      }
    }
    return false
  }

  function reasonOf(error: unknown): string {
    if (error instanceof DomainError || error instanceof CancelledError || error instanceof InterruptedError)
      return error.message
    logger.error({ err: error }, 'a run failed')
    return 'The agent failed for a reason that is not yours; the log of the server has it'
  }

  /** Earlier turns of the chat, oldest first, as far as they fit. */
  async function recall(organizationId: string, chatId: string, contextTokens: number): Promise<ModelMessage[]> {
    const answers = await listRecentAnswers(db, organizationId, chatId, REMEMBERED_MESSAGES)
    let room = contextTokens * REMEMBERED_SHARE * CHARACTERS_PER_TOKEN
    const messages: ModelMessage[] = []
    for (const { query, response } of answers) {
      room -= query.length + response.length
      if (room < 0) break
      messages.unshift({ role: 'user', content: query }, { role: 'assistant', content: response })
    }
    return messages
  }

  /** Stores what was said so far every two seconds: a crash then loses no more than that. */
  function storeProgressOf(run: Run): () => void {
    let storedSeq = run.lastSeq
    const timer = setInterval(() => {
      if (run.lastSeq === storedSeq) return
      storedSeq = run.lastSeq
      const { organizationId, messageId } = run.id
      const { response, reasoning } = run
      writes
        .commit((tx) => storeProgress(tx, organizationId, messageId, { response, reasoning }))
        .catch((error) => logger.warn({ err: error, message_id: messageId }, 'progress could not be stored'))
    }, PROGRESS_EVERY_MS)
    return () => clearInterval(timer)
  }
}
