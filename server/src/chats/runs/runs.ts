import { DrainingError } from '../../platform/errors.ts'
import type { Logger } from '../../platform/telemetry/logger.ts'
import { ChatLine } from './chat-line.ts'
import type { Elsewhere } from './elsewhere.ts'
import { Run, type RunBefore, type RunEnd, type RunIdentity } from './run.ts'
import { CancelledError, ChatFullError, InterruptedError, MOST_WAITING } from './runs.errors.ts'

const PING_CHECK_MS = 250

export interface StartOptions {
  agentId: string
  /** In the chat's line. */
  place: number
  /** Whether messages may stand before it that this process does not run. */
  isBehindOthers: boolean
  /** Where the run goes on. */
  earlierPart?: RunBefore
}

export interface Runs {
  /**
   * Keeps room among those that wait in the chat.
   * @returns gives it back.
   * @throws ChatFullError when 16 wait already, DrainingError when what runs is being ended.
   */
  reserve(chatId: string): () => void
  /** Runs it when all that come before it in its chat have ended. `execute` never throws: it finishes the run. */
  start(id: RunIdentity, execute: (run: Run) => Promise<void>, options: StartOptions): Run
  /** Of this process. */
  find(organizationId: string, messageId: string): Run | undefined
  /** Something of the chat is in progress, or about to be, that is to be taken up here: what is new comes after it. */
  expect(chatId: string): void
  /** Ends what is in progress, whichever process has it, or none, and waits for that. */
  cancel(organizationId: string, messageId: string): Promise<void>
  cancelChat(organizationId: string, chatId: string): Promise<void>
  /** Ends a message that is not tried again, with the reason as its error. One that somebody is at work on goes on. */
  giveUp(organizationId: string, messageId: string, reason: string): Promise<void>
  /** Those that are at work, and those that are queued behind an earlier one of their chat. */
  count(): { active: number; queued: number }
  /** Waits for all runs of this process, then interrupts those that are left. */
  drain(patienceMs: number): Promise<void>
}

export interface RunsOptions {
  /** What is in progress beside them. */
  elsewhere: Elsewhere
  logger: Logger
}

/** The runs of this process. One chat runs one message at a time, in the order in which they were accepted. */
export function createRuns({ elsewhere, logger }: RunsOptions): Runs {
  const runs = new Map<string, Run>()
  const lines = new Map<string, ChatLine>()
  const rooms = new Map<string, number>()
  const works = new Set<Promise<void>>()
  let pings: NodeJS.Timeout | undefined
  let isClosed = false

  const keyOf = (organizationId: string, messageId: string) => `${organizationId}:${messageId}`
  const findRunOf = (organizationId: string) => (messageId: string) => runs.get(keyOf(organizationId, messageId))

  function leave(chatId: string): void {
    const left = (rooms.get(chatId) ?? 1) - 1
    if (left > 0) rooms.set(chatId, left)
    else rooms.delete(chatId)
  }

  function checkSilence(): void {
    const now = performance.now()
    for (const run of runs.values()) run.pingIfSilent(now)
    if (runs.size > 0) return
    clearInterval(pings)
    pings = undefined
  }

  function lineOf(chatId: string): ChatLine {
    let line = lines.get(chatId)
    if (!line) {
      line = new ChatLine({
        onEmpty: () => lines.delete(chatId),
        onError: (err) => logger.error({ err, chat_id: chatId }, 'a run did not deal with its failure'),
      })
      lines.set(chatId, line)
    }
    return line
  }

  function work(key: string, run: Run, execute: (run: Run) => Promise<void>): Promise<void> {
    const work = execute(run).finally(() => {
      runs.delete(key)
      works.delete(work)
    })
    works.add(work)
    return work
  }

  async function endOf(run: Run): Promise<RunEnd> {
    run.cancel(new CancelledError())
    return run.done
  }

  return {
    reserve(chatId) {
      if (isClosed) throw new DrainingError()
      const taken = rooms.get(chatId) ?? 0
      if (taken > MOST_WAITING) throw new ChatFullError()
      rooms.set(chatId, taken + 1)
      let isHeld = true
      return () => {
        if (isHeld) leave(chatId)
        isHeld = false
      }
    },

    start(id, execute, { agentId, place, isBehindOthers, earlierPart }) {
      const run = new Run(id, earlierPart)
      const key = keyOf(id.organizationId, id.messageId)
      runs.set(key, run)
      pings ??= setInterval(checkSilence, PING_CHECK_MS)
      // Accepted before the drain, stored after it: its end must be stored, too.
      if (isClosed) run.cancel(new InterruptedError())
      lineOf(id.chatId).join({
        run,
        place,
        untilFirst: isBehindOthers
          ? (signal) => elsewhere.untilFirst({ ...id, agentId, place }, findRunOf(id.organizationId), signal)
          : undefined,
        begin: () => work(key, run, execute),
      })
      return run
    },

    find: (organizationId, messageId) => runs.get(keyOf(organizationId, messageId)),

    async cancel(organizationId, messageId) {
      const run = runs.get(keyOf(organizationId, messageId))
      if (run) await endOf(run)
      await elsewhere.cancel(organizationId, messageId, findRunOf(organizationId))
    },

    async cancelChat(organizationId, chatId) {
      const ofChat = [...runs.values()].filter(({ id }) => id.chatId === chatId && id.organizationId === organizationId)
      await Promise.all(ofChat.map(endOf))
      await elsewhere.cancelChat(organizationId, chatId, findRunOf(organizationId))
    },

    expect: elsewhere.expect,

    async giveUp(organizationId, messageId, reason) {
      if (!runs.has(keyOf(organizationId, messageId))) await elsewhere.giveUp(organizationId, messageId, reason)
    },

    count: () => ({ active: works.size, queued: runs.size - works.size }),

    async drain(patienceMs) {
      const deadline = performance.now() + patienceMs
      while (runs.size > 0 && performance.now() < deadline) await new Promise((resolve) => setTimeout(resolve, 50))
      isClosed = true
      for (const run of runs.values()) run.cancel(new InterruptedError())
      while (works.size > 0) await Promise.all(works)
    },
  }
}
