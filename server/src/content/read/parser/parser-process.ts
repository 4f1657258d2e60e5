import { type ChildProcess, fork } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { OUT_OF_TIME } from '../../../platform/host/watchdog.ts'
import type { ReadingStage } from '../extraction.ts'
import { ParseError, parseFailures } from '../parse.errors.ts'
import type { LoadLanguage } from '../pictures/language-data.ts'
import type { MadeParse } from '../stored-parse.ts'
import type { ChildMessage, LanguageAnswer, ParseTask } from './child-messages.ts'
import type { ParseLimits } from './parse-limits.ts'

type LanguageQuestion = Extract<ChildMessage, { type: 'language' }>

const entry = fileURLToPath(new URL('./child.ts', import.meta.url))
const MAX_STDERR = 4_096
const MAX_END_MS = 2_000

type OnProgress = (stage: ReadingStage, done: number, total: number | null) => void

interface AnswerOptions {
  signal: AbortSignal | undefined
  onProgress: OnProgress | undefined
  over: AbortSignal
}

/** A child process that reads one file at a time. */
export interface ParserProcess {
  /**
   * @throws ParseError for what is wrong with the file; the signal's reason when aborted. After any error the process
   *   is gone.
   */
  run(task: ParseTask, signal?: AbortSignal, onProgress?: OnProgress): Promise<MadeParse>
  /** Files read and memory held after the last one. */
  readonly used: { files: number; rssMb: number }
  readonly alive: boolean
  /** Lets an idle child end by itself, which is when Node writes down the code that it compiled; after 2 s it is killed. */
  end(): Promise<void>
}

export const startParserProcess = (
  limits: ParseLimits,
  cacheFolder: string,
  loadLanguage: LoadLanguage,
): ParserProcess => new ParserChild(limits, cacheFolder, loadLanguage)

/**
 * A child whose environment is empty but for the folder in which Node keeps compiled code, of this process where it was
 * given one (a start takes 30 ms instead of 65 ms with it): a file that takes over its parser finds no keys there.
 */
class ParserChild implements ParserProcess {
  readonly used = { files: 0, rssMb: 0 }
  readonly #child: ChildProcess
  readonly #loadLanguage: LoadLanguage
  #stderr = ''
  #hasExited = false

  constructor(limits: ParseLimits, cacheFolder: string, loadLanguage: LoadLanguage) {
    this.#loadLanguage = loadLanguage
    this.#child = fork(entry, {
      execArgv: [`--max-old-space-size=${limits.heapMb}`, '--disable-warning=ExperimentalWarning'],
      env: { NODE_COMPILE_CACHE: process.env.NODE_COMPILE_CACHE ?? `${cacheFolder}/compiled` },
      stdio: ['ignore', 'ignore', 'pipe', 'ipc'],
    })
    this.#child.stderr?.on('data', (data: Buffer) => {
      this.#stderr = (this.#stderr + data.toString('latin1')).slice(-MAX_STDERR)
    })
    const noteExit = () => {
      this.#hasExited = true
    }
    this.#child.on('exit', noteExit)
    // Failures to start or to send end the run below; without a run they mean the same as an exit.
    this.#child.on('error', noteExit)
    hold(this.#child, false)
  }

  get alive(): boolean {
    return !this.#hasExited && this.#child.connected
  }

  async run(task: ParseTask, signal?: AbortSignal, onProgress?: OnProgress): Promise<MadeParse> {
    signal?.throwIfAborted()
    hold(this.#child, true)
    const listeners = new AbortController()
    try {
      const made = await this.#answer(task, { signal, onProgress, over: listeners.signal })
      this.used.files++
      return made
    } catch (error) {
      this.#kill()
      throw error
    } finally {
      listeners.abort()
      hold(this.#child, false)
    }
  }

  async end(): Promise<void> {
    const child = this.#child
    if (child.exitCode !== null || child.signalCode !== null) return
    this.#hasExited = true
    hold(child, true)
    const gone = new Promise<void>((resolve) => child.once('exit', () => resolve()))
    const timer = setTimeout(() => this.#kill(), MAX_END_MS)
    timer.unref()
    if (child.connected) child.disconnect()
    else this.#kill()
    await gone
    clearTimeout(timer)
  }

  #kill(): void {
    this.#hasExited = true
    this.#child.kill('SIGKILL')
  }

  /** Sends the task and waits for what comes of it, until `over` is aborted. */
  #answer(task: ParseTask, { signal, onProgress, over }: AnswerOptions) {
    const child = this.#child
    const on = (event: string, listener: (...args: never[]) => void) => {
      child.on(event, listener as (...args: unknown[]) => void)
      over.addEventListener('abort', () => child.off(event, listener as (...args: unknown[]) => void))
    }
    return new Promise<MadeParse>((resolve, reject) => {
      const readPages = limitTime(task.limits, over, reject)
      on('message', (message: ChildMessage) => {
        if (message.type === 'pages') readPages(message.count)
        else if (message.type === 'language')
          this.#answerLanguage(message, readPages).catch((error: Error) => reject(error))
        else if (message.type === 'progress') onProgress?.(message.stage, message.done, message.total)
        else if (message.type === 'done') {
          this.used.rssMb = message.rssMb
          resolve(message.made)
        } else if (message.type === 'failed') reject(new ParseError(message.failure, message.message))
        else reject(Object.assign(new Error(`The parser process failed: ${message.stack}`), { code: message.code }))
      })
      on('exit', (code: number | null, cause: NodeJS.Signals | null) => {
        const isOutOfTime = cause === OUT_OF_TIME
        reject(isOutOfTime ? parseFailures.timeout(task.limits.mostMs / 1000) : exitFailure(code, cause, this.#stderr))
      })
      on('error', (error: Error) => reject(error))
      signal?.addEventListener('abort', () => reject(signal.reason as Error), { signal: over })
      child.send(task, (error) => error && reject(error))
    })
  }

  /** The wait for a language is no time of the file's. */
  async #answerLanguage({ language, isOnlyAtHand }: LanguageQuestion, readPages: (pages: number) => void) {
    const begun = performance.now()
    const isThere = await this.#loadLanguage(language, isOnlyAtHand)
    readPages(Math.ceil((performance.now() - begun) / 1000))
    const answer: LanguageAnswer = { language, isThere }
    if (this.#child.connected) this.#child.send(answer, () => {})
  }
}

/**
 * Rejects once a file takes too long, until `over` is aborted.
 * @returns a function that notes pages read: each allows more time
 */
function limitTime(
  { baseMs, perPageMs, mostMs }: ParseLimits,
  over: AbortSignal,
  reject: (error: Error) => void,
): (pages: number) => void {
  const started = performance.now()
  let pages = 0
  let timer: NodeJS.Timeout | undefined
  const checkTime = () => {
    const allowed = Math.min(baseMs + pages * perPageMs, mostMs)
    const left = started + allowed - performance.now()
    if (left > 0) timer = setTimeout(checkTime, left)
    else reject(parseFailures.timeout(allowed / 1000))
  }
  checkTime()
  over.addEventListener('abort', () => clearTimeout(timer))
  return (count) => {
    pages += count
  }
}

/** Whether an idle child keeps this process from ending. */
function hold(child: ChildProcess, busy: boolean): void {
  const handles = [child, child.channel, child.stderr as unknown as { ref(): void; unref(): void } | null]
  for (const handle of handles) busy ? handle?.ref() : handle?.unref()
}

/** SIGKILL comes from the watchdog or from the system when memory runs out; V8 aborts when the heap is full. */
function exitFailure(code: number | null, signal: NodeJS.Signals | null, stderr: string): Error {
  if (signal === 'SIGKILL' || /heap out of memory|allocation failed/i.test(stderr)) return parseFailures.memory()
  if (signal || code === 134 || code === 139) return parseFailures.crashed()
  return new Error(`The parser process ended with code ${code}: ${stderr.slice(-500)}`)
}
