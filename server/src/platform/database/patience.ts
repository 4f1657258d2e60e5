import { AsyncLocalStorage } from 'node:async_hooks'
import { setTimeout as delay } from 'node:timers/promises'
import { isDatabaseAway } from './away-errors.ts'

const SHORTEST_PAUSE_MS = 5
const LONGEST_PAUSE_MS = 500

interface Patience {
  /** Ends the wait when it aborts. */
  signal: AbortSignal | undefined
  /** Time that one statement or transaction waits. */
  ms: number
}

const storage = new AsyncLocalStorage<Patience>()

/**
 * Runs work whose statements and transactions wait for a database that is away, where those of a request fail at once.
 * It covers all that the work awaits, in whatever module.
 * @param ms for this long each of them waits; default: until the signal aborts, and then they throw its reason
 */
export const patiently = <R>(
  { signal, ms = Number.POSITIVE_INFINITY }: { signal?: AbortSignal; ms?: number },
  work: () => Promise<R>,
): Promise<R> => storage.run({ signal, ms }, work)

type LeastMs = (error: unknown) => number | undefined

const onlyIfPatient: LeastMs = (error) => (isDatabaseAway(error) ? 0 : undefined)

/**
 * Tries again while the database is away, if what runs is patient. The step must be one that may run twice.
 * @param leastMs for this long a failure is tried again whoever asks; undefined: not at all
 * @throws the last failure, or the reason of the signal that `patiently` was given
 */
export const untilThere = <R>(step: () => Promise<R>, leastMs = onlyIfPatient): Promise<R> =>
  step().catch((error) => tryAgain(error, step, leastMs))

async function tryAgain<R>(failure: unknown, step: () => Promise<R>, leastMs: LeastMs): Promise<R> {
  const { signal, ms = 0 } = storage.getStore() ?? {}
  const beganAt = performance.now()
  let error = failure
  for (let pauseMs = SHORTEST_PAUSE_MS; ; pauseMs = Math.min(pauseMs * 2, LONGEST_PAUSE_MS)) {
    const patienceMs = leastMs(error)
    if (patienceMs === undefined || performance.now() + pauseMs > beganAt + Math.max(ms, patienceMs)) throw error
    // Two that met once would otherwise meet again.
    await delay(pauseMs * (0.5 + Math.random()), undefined, { signal }).catch(() => signal?.throwIfAborted())
    try {
      return await step()
    } catch (again) {
      error = again
    }
  }
}
