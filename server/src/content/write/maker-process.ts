import { fork } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { OUT_OF_TIME } from '../../platform/host/watchdog.ts'
import { MakeFailure } from './failure.ts'
import type { MadeFile, MakeAnswer, MakeTask } from './make-request.ts'

const entry = fileURLToPath(new URL('./maker.child.ts', import.meta.url))
const MOST_STDERR = 4_096

export interface ProcessOptions {
  /** Node's cache of compiled code, which halves the start. */
  cacheFolder: string
  heapMb: number
}

/**
 * Makes one file in a process that knows nothing of ours (no keys, no database) and ends with it.
 * @throws MakeFailure for what the model can do better; the signal's reason when aborted, after which nothing runs on
 */
export function makeInProcess(
  task: MakeTask,
  { cacheFolder, heapMb }: ProcessOptions,
  signal: AbortSignal,
): Promise<MadeFile> {
  return new Promise((resolve, reject) => {
    signal.throwIfAborted()
    const child = fork(entry, {
      serialization: 'advanced',
      execArgv: [`--max-old-space-size=${heapMb}`, '--disable-warning=ExperimentalWarning'],
      env: { NODE_COMPILE_CACHE: process.env.NODE_COMPILE_CACHE ?? `${cacheFolder}/compiled` },
      stdio: ['ignore', 'ignore', 'pipe', 'ipc'],
    })
    let stderr = ''
    const onAbort = () => end(() => reject(signal.reason as Error))
    const end = (settle: () => void) => {
      signal.removeEventListener('abort', onAbort)
      child.kill('SIGKILL')
      settle()
    }
    signal.addEventListener('abort', onAbort, { once: true })
    child.stderr?.on('data', (data: Buffer) => {
      stderr = (stderr + data.toString('latin1')).slice(-MOST_STDERR)
    })
    child.on('message', (answer: MakeAnswer) =>
      end(() => {
        if (answer.type === 'made') resolve(answer.file)
        else if (answer.type === 'refused') reject(new MakeFailure(answer.problem, answer.advice))
        else reject(new Error(`A file could not be made: ${answer.stack}`))
      }),
    )
    child.on('error', (error) => end(() => reject(error)))
    child.on('exit', (code, killedBy) => end(() => reject(exitFailure(code, killedBy, stderr))))
    child.send(task, (error) => error && end(() => reject(error)))
  })
}

/**
 * SIGXCPU comes from the watchdog, too. SIGKILL comes from the watchdog or from the system when memory runs out; V8
 * aborts when the heap is full.
 */
function exitFailure(code: number | null, signal: NodeJS.Signals | null, stderr: string): Error {
  if (signal === OUT_OF_TIME) {
    return new MakeFailure('The file takes too long to make. Make it smaller and simpler, or several files.')
  }
  if (signal === 'SIGKILL' || /heap out of memory|allocation failed/i.test(stderr)) {
    return new MakeFailure('The file needs more memory than it may take. Make it smaller, or several files.')
  }
  return new Error(`The process that makes files ended with ${signal ?? code}: ${stderr.slice(-500)}`)
}
