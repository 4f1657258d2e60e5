import type { Run } from './run.ts'

/** A run that is to come to its turn in its chat. */
export interface Standing {
  run: Run
  /** Position in the line: lower ones come first. */
  place: number
  /** Resolves when no other process has a message of the chat that comes first, or when the signal aborts; never rejects. */
  untilFirst?(signal: AbortSignal): Promise<void>
  /** Runs it; never throws. */
  begin(): Promise<void>
}

/** Runs of this process in one chat: one at a time, in the order of their places. */
export class ChatLine {
  readonly #standing: Standing[] = []
  readonly #onEmpty: () => void
  /** Told of what should have dealt with its own failure. */
  readonly #onError: (error: unknown) => void
  #isMoving = false
  /** Ends the wait of the first one for other processes; there while it waits. */
  #look: AbortController | undefined

  constructor({ onEmpty, onError }: { onEmpty: () => void; onError: (error: unknown) => void }) {
    this.#onEmpty = onEmpty
    this.#onError = onError
  }

  /** Begins in its turn, or at once when it is cancelled: then it only stores its end. */
  join(standing: Standing): void {
    const { signal } = standing.run
    if (signal.aborted) {
      this.#begin(standing)
      return
    }
    const index = this.#standing.findLastIndex(({ place }) => place <= standing.place) + 1
    this.#standing.splice(index, 0, standing)
    if (index === 0) this.#look?.abort()
    this.#move().catch(this.#onError)
    if (this.#standing.includes(standing)) signal.addEventListener('abort', () => this.#leave(standing), { once: true })
  }

  async #move(): Promise<void> {
    if (this.#isMoving) return
    this.#isMoving = true
    for (let first = this.#standing[0]; first; first = this.#standing[0]) {
      if (first.untilFirst) {
        this.#look = new AbortController()
        const { signal } = this.#look
        await first.untilFirst(signal).catch(this.#onError)
        this.#look = undefined
        if (signal.aborted) continue
      }
      this.#standing.shift()
      await first.begin().catch(this.#onError)
    }
    this.#isMoving = false
    this.#onEmpty()
  }

  #begin(standing: Standing): void {
    standing.begin().catch(this.#onError)
  }

  #leave(standing: Standing): void {
    const index = this.#standing.indexOf(standing)
    if (index < 0) return
    this.#standing.splice(index, 1)
    if (index === 0) this.#look?.abort()
    this.#begin(standing)
  }
}
