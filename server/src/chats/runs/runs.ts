import { DrainingError } from '../../platform/errors.ts'
import type { Logger } from '../../platform/telemetry/logger.ts'
import { ChatLine } from './chat-line.ts'
import type { RunDirectory } from './directory/run-directory.ts'
import { Run, type RunBefore, type RunEnd, type RunIdentity } from './run.ts'
import type { RunRegistry } from './run-registry.ts'
import { CancelledError, ChatFullError, InterruptedError, MOST_WAITING } from './runs.errors.ts'

const PING_CHECK_MS = 250

export interface StartOptions {
  agentId: string
  /** Number of the message in its chat. */
  place: number
  /** Whether messages may be before it that this process does not run. */
  isBehindOthers: boolean
  /** State to resume from. */
  earlierPart?: RunBefore
}

export interface RunsOptions {
  registry: RunRegistry
  directory: RunDirectory
  logger: Logger
}

/** The runs of this process. One chat runs one message at a time, in the order in which they were accepted. */
export class Runs {
  readonly #registry: RunRegistry
  readonly #directory: RunDirectory
  readonly #logger: Logger
  readonly #lines = new Map<string, ChatLine>()
  /** Messages that this process accepted and that have not ended, by chat. */
  readonly #rooms = new Map<string, number>()
  readonly #works = new Set<Promise<void>>()
  #pings: NodeJS.Timeout | undefined
  #isClosed = false

  constructor({ registry, directory, logger }: RunsOptions) {
    this.#registry = registry
    this.#directory = directory
    this.#logger = logger
  }

  /**
   * Keeps room among those that wait in the chat, and lets nobody overtake the message before it runs.
   * @returns gives it back.
   * @throws ChatFullError when 16 wait already, DrainingError when what runs is being ended.
   */
  reserve({ organizationId, chatId, messageId }: RunIdentity): () => void {
    if (this.#isClosed) throw new DrainingError()
    const taken = this.#rooms.get(chatId) ?? 0
    if (taken > MOST_WAITING) throw new ChatFullError()
    this.#rooms.set(chatId, taken + 1)
    const withdraw = this.announce({ organizationId, messageId })
    let isHeld = true
    return () => {
      if (!isHeld) return
      isHeld = false
      withdraw()
      this.#leave(chatId)
    }
  }

  /**
   * Announces a message without taking room in the chat, for one that somebody else counts.
   * @returns withdraws it
   * @throws DrainingError
   */
  announce({ organizationId, messageId }: Omit<RunIdentity, 'chatId'>): () => void {
    if (this.#isClosed) throw new DrainingError()
    const withdraw = this.#registry.announce(organizationId, messageId)
    return () => withdraw?.()
  }

  /** Runs it when all that come before it in its chat have ended. `execute` never throws: it finishes the run. */
  start(
    id: RunIdentity,
    execute: (run: Run) => Promise<void>,
    { agentId, place, isBehindOthers, earlierPart }: StartOptions,
  ): Run {
    const run = new Run(id, earlierPart)
    this.#registry.add(run)
    this.#pings ??= setInterval(() => this.#checkSilence(), PING_CHECK_MS)
    // Accepted before the drain, stored after it: its end must be stored, too.
    if (this.#isClosed) run.cancel(new InterruptedError())
    this.#lineOf(id.chatId).join({
      run,
      place,
      untilFirst: isBehindOthers
        ? (signal) => this.#directory.untilFirst({ ...id, agentId, place }, signal)
        : undefined,
      begin: () => this.#work(run, execute),
    })
    return run
  }

  /** A run of this process. */
  find(organizationId: string, messageId: string): Run | undefined {
    return this.#registry.find(organizationId, messageId)
  }

  /** Ends what is in progress, whichever process has it, or none, and waits for that. */
  async cancel(organizationId: string, messageId: string): Promise<void> {
    const run = this.find(organizationId, messageId)
    if (run) await waitForEnd(run)
    await this.#directory.cancel(organizationId, messageId)
  }

  async cancelChat(organizationId: string, chatId: string): Promise<void> {
    const ofChat = [...this.#registry.all()].filter(
      ({ id }) => id.chatId === chatId && id.organizationId === organizationId,
    )
    await Promise.all(ofChat.map(waitForEnd))
    await this.#directory.cancelChat(organizationId, chatId)
  }

  /** Counts the runs at work, and those queued behind an earlier one of their chat. */
  count(): { active: number; queued: number } {
    return { active: this.#works.size, queued: this.#registry.size - this.#works.size }
  }

  /** Waits for all runs of this process, then interrupts those that are left. */
  async drain(patienceMs: number): Promise<void> {
    const deadline = performance.now() + patienceMs
    while (this.#registry.size > 0 && performance.now() < deadline)
      await new Promise((resolve) => setTimeout(resolve, 50))
    this.#isClosed = true
    for (const run of this.#registry.all()) run.cancel(new InterruptedError())
    while (this.#works.size > 0) await Promise.all(this.#works)
  }

  #leave(chatId: string): void {
    const left = (this.#rooms.get(chatId) ?? 1) - 1
    if (left > 0) this.#rooms.set(chatId, left)
    else this.#rooms.delete(chatId)
  }

  #checkSilence(): void {
    const now = performance.now()
    for (const run of this.#registry.all()) run.pingIfSilent(now)
    if (this.#registry.size > 0) return
    clearInterval(this.#pings)
    this.#pings = undefined
  }

  #lineOf(chatId: string): ChatLine {
    let line = this.#lines.get(chatId)
    if (!line) {
      line = new ChatLine({
        onEmpty: () => this.#lines.delete(chatId),
        onError: (err) => this.#logger.error({ err, chat_id: chatId }, 'a run did not deal with its failure'),
      })
      this.#lines.set(chatId, line)
    }
    return line
  }

  #work(run: Run, execute: (run: Run) => Promise<void>): Promise<void> {
    const work = execute(run).finally(() => {
      this.#registry.remove(run)
      this.#works.delete(work)
    })
    this.#works.add(work)
    return work
  }
}

async function waitForEnd(run: Run): Promise<RunEnd> {
  run.cancel(new CancelledError())
  return run.done
}
