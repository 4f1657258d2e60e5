import type { Run } from './run.ts'

/** Run that waits until it is first in its chat. */
export interface QueuedRun {
  run: Run
  /** Place of its message in the chat: lower ones come first. */
  place: number
  /** Resolves when no other process has a message of the chat that comes first, or when the signal aborts; never rejects. */
  untilFirst?(signal: AbortSignal): Promise<void>
  /** Runs it; never throws. */
  begin(): Promise<void>
}

/** Queue of the runs of this process in one chat: one at a time, in the order of their places. */
export class ChatLine {
  readonly #queue: QueuedRun[] = []
  readonly #onEmpty: () => void
  /** Called with errors of callbacks that should handle their own. */
  readonly #onError: (error: unknown) => void
  #isMoving = false
  /** Ends the wait of the first run for other processes; set while it waits. */
  #look: AbortController | undefined

  constructor({ onEmpty, onError }: { onEmpty: () => void; onError: (error: unknown) => void }) {
    this.#onEmpty = onEmpty
    this.#onError = onError
  }

  /** Begins the run once it is first, or at once if it is cancelled: then it only stores its end. */
  join(queued: QueuedRun): void {
    const { signal } = queued.run
    if (signal.aborted) {
      this.#begin(queued)
      return
    }
    const index = this.#queue.findLastIndex(({ place }) => place <= queued.place) + 1
    this.#queue.splice(index, 0, queued)
    if (index === 0) this.#look?.abort()
    this.#move().catch(this.#onError)
    if (this.#queue.includes(queued)) signal.addEventListener('abort', () => this.#leave(queued), { once: true })
  }

  async #move(): Promise<void> {
    if (this.#isMoving) return
    this.#isMoving = true
    for (let first = this.#queue[0]; first; first = this.#queue[0]) {
      if (first.untilFirst) {
        this.#look = new AbortController()
        const { signal } = this.#look
        await first.untilFirst(signal).catch(this.#onError)
        this.#look = undefined
        if (signal.aborted) continue
      }
      this.#queue.shift()
      await first.begin().catch(this.#onError)
    }
    this.#isMoving = false
    this.#onEmpty()
  }

  #begin(queued: QueuedRun): void {
    queued.begin().catch(this.#onError)
  }

  #leave(queued: QueuedRun): void {
    const index = this.#queue.indexOf(queued)
    if (index < 0) return
    this.#queue.splice(index, 1)
    if (index === 0) this.#look?.abort()
    this.#begin(queued)
  }
}
