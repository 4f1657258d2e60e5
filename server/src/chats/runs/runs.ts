import { RateLimitedError } from '../../access/access.errors.ts'
import { DrainingError } from '../../platform/errors.ts'
import { Run, type RunBefore, type RunEnd, type RunIdentity } from './run.ts'

/** Messages that may wait in one chat behind the one that runs. */
const MOST_WAITING = 16
const PING_CHECK_MS = 250

export class CancelledError extends Error {
  override name = 'CancelledError'
  constructor() {
    super('cancelled')
  }
}

export class InterruptedError extends Error {
  override name = 'InterruptedError'
  constructor() {
    super('The answer was interrupted because the server was stopped; send the query again')
  }
}

export interface Runs {
  /**
   * Keeps a place in the chat's queue.
   * @returns gives it back.
   * @throws RateLimitedError when 16 wait already, DrainingError when what runs is being ended.
   */
  reserve(chatId: string): () => void
  /**
   * Runs it when all that came before it in its chat have ended. `execute` never throws: it finishes the run.
   */
  start(id: RunIdentity, execute: (run: Run) => Promise<void>, earlierPart?: RunBefore): Run
  find(organizationId: string, messageId: string): Run | undefined
  /** Ends a run early and waits for its end. @returns false when nothing by this id runs here. */
  cancel(organizationId: string, messageId: string): Promise<boolean>
  cancelChat(organizationId: string, chatId: string): Promise<void>
  /** Those that are at work, and those that are queued behind an earlier one of their chat. */
  count(): { active: number; queued: number }
  /** Waits for all runs, then interrupts those that are left. */
  drain(patienceMs: number): Promise<void>
}

/** The runs of this process. One chat runs one message at a time, in the order in which they were accepted. */
export function createRuns(): Runs {
  const runs = new Map<string, Run>()
  const tails = new Map<string, Promise<unknown>>()
  const places = new Map<string, number>()
  let pings: NodeJS.Timeout | undefined
  let active = 0
  let isClosed = false

  const keyOf = (organizationId: string, messageId: string) => `${organizationId}:${messageId}`

  function leave(chatId: string): void {
    const left = (places.get(chatId) ?? 1) - 1
    if (left > 0) places.set(chatId, left)
    else places.delete(chatId)
  }

  function checkSilence(): void {
    const now = performance.now()
    for (const run of runs.values()) run.pingIfSilent(now)
    if (runs.size > 0) return
    clearInterval(pings)
    pings = undefined
  }

  async function work(run: Run, execute: (run: Run) => Promise<void>): Promise<void> {
    active++
    await execute(run).finally(() => {
      active--
    })
  }

  async function endOf(run: Run): Promise<RunEnd> {
    run.cancel(new CancelledError())
    return run.done
  }

  return {
    reserve(chatId) {
      if (isClosed) throw new DrainingError()
      const taken = places.get(chatId) ?? 0
      if (taken > MOST_WAITING) throw new RateLimitedError(`${MOST_WAITING} queries wait in this chat already`, 5)
      places.set(chatId, taken + 1)
      let isHeld = true
      return () => {
        if (isHeld) leave(chatId)
        isHeld = false
      }
    },

    start(id, execute, earlierPart) {
      const run = new Run(id, earlierPart)
      const key = keyOf(id.organizationId, id.messageId)
      runs.set(key, run)
      pings ??= setInterval(checkSilence, PING_CHECK_MS)
      const before = tails.get(id.chatId)
      const tail = (before ? before.then(() => work(run, execute)) : work(run, execute)).finally(() => {
        runs.delete(key)
        if (tails.get(id.chatId) === tail) tails.delete(id.chatId)
      })
      tails.set(id.chatId, tail)
      // Accepted before the drain, stored after it: its end must be stored, too.
      if (isClosed) run.cancel(new InterruptedError())
      return run
    },

    find: (organizationId, messageId) => runs.get(keyOf(organizationId, messageId)),

    async cancel(organizationId, messageId) {
      const run = runs.get(keyOf(organizationId, messageId))
      if (!run) return false
      await endOf(run)
      return true
    },

    async cancelChat(organizationId, chatId) {
      const ofChat = [...runs.values()].filter(({ id }) => id.chatId === chatId && id.organizationId === organizationId)
      await Promise.all(ofChat.map(endOf))
    },

    count: () => ({ active, queued: runs.size - active }),

    async drain(patienceMs) {
      const deadline = performance.now() + patienceMs
      while (runs.size > 0 && performance.now() < deadline) await new Promise((resolve) => setTimeout(resolve, 50))
      isClosed = true
      for (const run of runs.values()) run.cancel(new InterruptedError())
      while (tails.size > 0) await Promise.all(tails.values())
    },
  }
}
