import type { Logger } from '../../telemetry/logger.ts'

export interface Repeated {
  /** The first time comes at once. */
  start(): void
  /** Does it soon; if it is under way, again afterwards. */
  now(): void
  /** Resolves when it is not being done any more. */
  stop(): Promise<void>
}

/**
 * Does something again and again, one after the other.
 * @param what is told in the log, once, when it begins to fail
 */
export function repeat(
  step: () => Promise<void>,
  { everyMs, logger, what }: { everyMs: number; logger: Logger; what: string },
): Repeated {
  let timer: NodeJS.Timeout | undefined
  let running: Promise<void> | undefined
  let isAskedAgain = false
  let isFailing = false
  let isStopped = false

  async function round(): Promise<void> {
    try {
      await step()
      if (isFailing) logger.info(`over: ${what}`)
      isFailing = false
    } catch (error) {
      if (!isFailing) logger.error({ err: error }, what)
      isFailing = true
    }
    running = undefined
    if (isStopped) return
    timer = setTimeout(go, isAskedAgain ? 0 : everyMs)
    timer.unref()
    isAskedAgain = false
  }

  function go(): void {
    clearTimeout(timer)
    running = round()
  }

  return {
    start: go,
    now() {
      if (running) isAskedAgain = true
      else if (!isStopped) go()
    },
    async stop() {
      isStopped = true
      clearTimeout(timer)
      await running
    },
  }
}
