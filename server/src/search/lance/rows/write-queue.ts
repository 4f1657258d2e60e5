interface Entry<W> {
  write: W
  settle: PromiseWithResolvers<void>
}

/** Long enough for requests that arrive together, short enough not to be felt. */
const GATHER_MS = 2
/**
 * Time for which a commit waits while more writes keep coming, because a commit of many costs nearly the same as one:
 * in steps of half the time of the last commit, from 20 to 100 ms, half a second in all.
 */
const STREAM_MS = 200
const STEP_MIN_MS = 20
const STEP_MAX_MS = 100
const GATHER_MAX_MS = 500

const pause = (ms: number) => new Promise<void>((resolve) => setTimeout(resolve, ms))

export interface WriteQueueOptions<W> {
  commit(writes: W[]): Promise<void>
  sizeOf(write: W): number
  /** Largest sum of `sizeOf` in a commit; a single larger write still is one. */
  maxSize: number
}

/** Writes of one space, in order; those of one kind that are next to each other are committed as one. */
export class WriteQueue<W extends { kind: string }> {
  readonly #options: WriteQueueOptions<W>
  #waiting: Entry<W>[] = []
  #tail: Promise<unknown> = Promise.resolve()
  #pending = 0
  #draining = false
  #committedAt = Number.NEGATIVE_INFINITY
  #tookMs = 0

  constructor(options: WriteQueueOptions<W>) {
    this.#options = options
  }

  /** Resolves when the write's commit is done, and rejects with what that commit failed with. */
  push(write: W): Promise<void> {
    const settle = Promise.withResolvers<void>()
    this.#waiting.push({ write, settle })
    if (!this.#draining) {
      this.#draining = true
      this.#drain()
    }
    return settle.promise
  }

  /** Runs something while no write is under way; later writes wait for it. */
  exclusively<T>(run: () => Promise<T>): Promise<T> {
    this.#pending += 1
    const result = this.#tail.then(run)
    this.#tail = result
      .catch(() => {})
      .finally(() => {
        this.#pending -= 1
      })
    return result
  }

  /** Resolves when nothing is waiting or under way. */
  async idle(): Promise<void> {
    while (this.#pending > 0) await this.#tail
  }

  isIdle(): boolean {
    return this.#pending === 0
  }

  /** Commits what waits; a failure goes to the callers whose writes are in the commit. */
  #drain(): void {
    this.exclusively(() => this.#commitNext()).catch(() => {})
  }

  async #commitNext(): Promise<void> {
    await this.#gather()
    const entries = this.#takeBatch()
    const startedAt = performance.now()
    try {
      await this.#options.commit(entries.map(({ write }) => write))
      for (const { settle } of entries) settle.resolve()
    } catch (error) {
      for (const { settle } of entries) settle.reject(error)
    }
    this.#committedAt = performance.now()
    this.#tookMs = this.#committedAt - startedAt
    this.#draining = this.#waiting.length > 0
    // Back to the end of the line: under a stream of writes, what must run alone gets its turn, too.
    if (this.#draining) this.#drain()
  }

  async #gather(): Promise<void> {
    const startedAt = performance.now()
    if (startedAt - this.#committedAt > STREAM_MS) return pause(GATHER_MS)
    const stepMs = Math.min(STEP_MAX_MS, Math.max(STEP_MIN_MS, this.#tookMs / 2))
    for (let before = 0; this.#waiting.length > before; ) {
      if (this.#isFull() || performance.now() - startedAt > GATHER_MAX_MS) return
      before = this.#waiting.length
      await pause(stepMs)
    }
  }

  /** Whether the next commit would not take what comes now. */
  #isFull(): boolean {
    const { sizeOf, maxSize } = this.#options
    const size = this.#waiting.reduce((sum, { write }) => sum + sizeOf(write), 0)
    return size >= maxSize || this.#waiting.at(-1)?.write.kind !== this.#waiting[0]?.write.kind
  }

  #takeBatch(): Entry<W>[] {
    const { sizeOf, maxSize } = this.#options
    let size = 0
    let count = 0
    const kind = this.#waiting[0]?.write.kind
    for (const { write } of this.#waiting) {
      size += sizeOf(write)
      if (write.kind !== kind || (count > 0 && size > maxSize)) break
      count += 1
    }
    const batch = this.#waiting.slice(0, count)
    this.#waiting = this.#waiting.slice(count)
    return batch
  }
}
