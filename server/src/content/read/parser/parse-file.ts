import { createReadStream } from 'node:fs'
import { mkdir, rm } from 'node:fs/promises'
import { type Lazy, lazy } from '../../../platform/concurrency/lazy.ts'
import type { ReadingStage } from '../extraction.ts'
import type { LoadLanguage } from '../pictures/language-data.ts'
import type { MadeParse, ParseSummary } from '../stored-parse.ts'
import { defaultParseLimits, type ParseLimits } from './parse-limits.ts'
import { type ParserProcess, startParserProcess } from './parser-process.ts'

const MAX_FILES = 1_000
const MAX_RSS_MB = 400
const IDLE_MS = 5_000
/** Time to wait for a running process: less than starting one costs, and enough to read a few short texts. */
const PATIENCE_MS = 25

export interface ParseRequest {
  /** Local file with the bytes. */
  path: string
  /** Title or file name, which distinguishes kinds of text that look alike. */
  name: string
  /** Whether it holds what a model wrote down of a recording, instead of a document. */
  isTranscript?: boolean
  /** File for the chunks of a long document; absent after a failure. */
  outputPath: string
  signal?: AbortSignal
  /** Told how far the file is, in pages. */
  onProgress?(stage: ReadingStage, done: number, total: number | null): void
}

export interface ParsedFile extends ParseSummary {
  /** The stored parse, for `readChunks` or to be kept; as often as it is asked for. */
  stored(): AsyncIterable<Uint8Array>
  /** Whether it is at `outputPath`, from where the caller removes it. */
  isInFile: boolean
}

export interface Parser {
  /**
   * Reads a file into chunks.
   * @throws ParseError whose message is for the person who uploaded the file; the signal's reason when aborted; any
   * other error is not the file's fault and may pass.
   */
  parse(request: ParseRequest): Promise<ParsedFile>
  /** Ends the idle processes and waits for them; the others end as soon as their file is done. */
  close(): Promise<void>
}

export interface ParserOptions {
  /** Folder for what later starts need again: unpacked data for text recognition (5 MB) and compiled code (1 MB). */
  cacheFolder: string
  limits?: Partial<ParseLimits>
  /** Languages whose text is recognised in pictures, as Tesseract calls them. Default English. */
  ocrLanguages?: readonly string[]
  /** Brings data of other languages, for pictures that are in none of these. Default: there is none. */
  loadLanguage?: LoadLanguage
  /** How long an unused process stays. Default 5 s. */
  idleMs?: number
  /** How long a parse waits for the process of another before it starts one. Default 25 ms. */
  patienceMs?: number
}

export const createParser = (options: ParserOptions): Parser => new ParserPool(options)

/**
 * Reads files in child processes, so that a hostile or broken file can only fail itself: a child is killed when its
 * file takes too long (60 s and 1 s a page, 30 minutes at most), too much memory, or is cancelled. Parsing and chunking
 * happen there, and many chunks come back through a file, so nothing of it blocks this process.
 *
 * All formats go the same way, plain text too. A child costs 30 to 65 ms of CPU to start, so it is kept for the next
 * file after a success, never after a failure, for 1,000 files, 400 MB or 5 idle seconds; a text of 20 KB then costs
 * about 2 ms. A parse waits a moment for a child that is about to be done before it starts another: short texts all go
 * through one. At most each parse in flight has a child of its own: how many there are is the caller's decision.
 */
class ParserPool implements Parser {
  readonly #options: ParserOptions
  readonly #limits: ParseLimits
  readonly #cache: Lazy<unknown>
  readonly #idle = new Map<ParserProcess, NodeJS.Timeout>()
  readonly #waiting: ((child: ParserProcess) => void)[] = []
  #busy = 0
  #isClosed = false

  constructor(options: ParserOptions) {
    this.#options = options
    this.#limits = { ...defaultParseLimits, ...options.limits }
    this.#cache = lazy(() => mkdir(options.cacheFolder, { recursive: true }))
  }

  async parse({ path, name, isTranscript, outputPath, signal, onProgress }: ParseRequest): Promise<ParsedFile> {
    const { cacheFolder, ocrLanguages = ['eng'] } = this.#options
    signal?.throwIfAborted()
    await this.#cache.get()
    const workFolder = `${outputPath}.work`
    const child = await this.#take()
    try {
      if (signal?.aborted) {
        this.#giveBack(child)
        throw signal.reason
      }
      const request = {
        path,
        name,
        isTranscript,
        outputPath,
        workFolder,
        cacheFolder,
        limits: this.#limits,
        ocrLanguages,
      }
      const made = await child.run(request, signal, onProgress)
      this.#giveBack(child)
      return toParsedFile(made, outputPath)
    } catch (error) {
      // After a success the child has tidied up itself.
      await rm(outputPath, { force: true })
      await rm(workFolder, { recursive: true, force: true })
      throw error
    } finally {
      this.#busy--
    }
  }

  async close(): Promise<void> {
    this.#isClosed = true
    const children = [...this.#idle]
    this.#idle.clear()
    for (const [, timer] of children) clearTimeout(timer)
    await Promise.all(children.map(([child]) => child.end()))
  }

  async #take(): Promise<ParserProcess> {
    const { cacheFolder, patienceMs = PATIENCE_MS, loadLanguage = noLanguage } = this.#options
    const mayWait = this.#busy > 0 && patienceMs > 0
    const free = this.#takeIdle() ?? (mayWait ? await this.#untilFree(patienceMs) : undefined)
    const child = free ?? startParserProcess(this.#limits, cacheFolder, loadLanguage)
    this.#busy++
    return child
  }

  #takeIdle(): ParserProcess | undefined {
    // The one used last is warm; the others may time out.
    for (const [child, timer] of [...this.#idle].reverse()) {
      clearTimeout(timer)
      this.#idle.delete(child)
      if (child.alive) return child
    }
    return undefined
  }

  /** A child that another parse is done with; undefined when none is for too long. */
  #untilFree(patienceMs: number): Promise<ParserProcess | undefined> {
    return new Promise((resolve) => {
      const give = (child?: ParserProcess) => {
        clearTimeout(timer)
        const at = this.#waiting.indexOf(give)
        if (at >= 0) this.#waiting.splice(at, 1)
        resolve(child)
      }
      const timer = setTimeout(give, patienceMs)
      this.#waiting.push(give)
    })
  }

  #giveBack(child: ParserProcess): void {
    const isWorn = child.used.files >= MAX_FILES || child.used.rssMb > MAX_RSS_MB
    if (this.#isClosed || isWorn || !child.alive) {
      endBeside(child)
      return
    }
    const next = this.#waiting.shift()
    if (next) {
      next(child)
      return
    }
    const timer = setTimeout(() => {
      this.#idle.delete(child)
      endBeside(child)
    }, this.#options.idleMs ?? IDLE_MS)
    timer.unref()
    this.#idle.set(child, timer)
  }
}

/** Ends a child without waiting for it; one that cannot be ended ends with this process. */
function endBeside(child: ParserProcess): void {
  child.end().catch(() => {})
}

const noLanguage: LoadLanguage = async () => false

function toParsedFile({ summary, text }: MadeParse, outputPath: string): ParsedFile {
  if (text === undefined) return { ...summary, stored: () => createReadStream(outputPath), isInFile: true }
  const bytes = Buffer.from(text)
  return {
    ...summary,
    async *stored() {
      yield bytes
    },
    isInFile: false,
  }
}
