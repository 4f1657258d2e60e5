import { createFairSemaphore } from '../../platform/concurrency/fair-semaphore.ts'
import { runInWorker, WorkerFailedError } from '../../platform/host/run-in-worker.ts'
import type { SandboxLimits, SandboxResult, SandboxTask } from './sandbox-messages.ts'

const ENTRY = new URL('./sandbox.worker.ts', import.meta.url)
const AT_ONCE = 2
/** Heap of the thread around the sandbox, which gets no more of the code than its output. */
const HEAP_MB = 48
const YOUNG_MB = 4
/** Time beyond the limit of the code itself: for the thread's start, and for code that cannot be interrupted. */
const GRACE_MS = 5_000

const LIMITS: SandboxLimits = {
  timeMs: 5_000,
  memoryBytes: 64 * 1024 * 1024,
  outputCharacters: 20_000,
}

export interface SandboxCaller {
  /** Organizations share the places. */
  organizationId: string
  signal: AbortSignal
}

export interface Sandbox {
  /**
   * Runs JavaScript that sees nothing but the language: no network, no files, no modules, no timers, and nothing of an
   * earlier run. Whatever it does is a result. @throws only the signal's reason
   */
  run(code: string, input: string | undefined, caller: SandboxCaller): Promise<SandboxResult>
}

/** Runs code in threads, two at a time, for the memory that they take; what comes while both are busy waits for
 * some seconds at most, and then those go first whose organization has none.
 * @param limits default: 5 s, 64 MB, 20,000 characters
 */
export function createSandbox(limits: Partial<SandboxLimits> = {}): Sandbox {
  const all = { ...LIMITS, ...limits }
  const limit = createFairSemaphore({ atOnce: AT_ONCE })
  return {
    run: (code, input, { organizationId, signal }) =>
      limit(organizationId, () => runOnce({ code, input, limits: all }, signal), signal),
  }
}

async function runOnce(task: SandboxTask, signal: AbortSignal): Promise<SandboxResult> {
  try {
    return await runInWorker<SandboxResult>({
      entry: ENTRY,
      data: task,
      timeoutMs: task.limits.timeMs + GRACE_MS,
      heapMb: HEAP_MB,
      youngMb: YOUNG_MB,
      signal,
    })
  } catch (error) {
    if (!(error instanceof WorkerFailedError)) throw error
    return { console: [], isCut: false, error: FAILURES[error.reason] }
  }
}

const FAILURES = {
  timeout: 'The code ran too long and was stopped.',
  memory: 'The code took too much memory.',
  crash: 'The code broke the machine that it ran on, perhaps by calls that are nested too deeply.',
}
