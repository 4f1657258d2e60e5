import type { StreamEvent } from './events.schemas.ts'
import { toSse, toSseWithIds } from './sse.ts'

/**
 * Events that happened at once, in order. All readers of a run are handed the same batch; it becomes text when the first
 * of them writes it to a socket, and that text serves the others.
 */
export class EventBatch {
  readonly events: readonly StreamEvent[]
  #sse: string | undefined
  #sseWithIds: string | undefined

  constructor(events: readonly StreamEvent[]) {
    this.events = events
  }

  get sse(): string {
    this.#sse ??= toSse(this.events)
    return this.#sse
  }

  get sseWithIds(): string {
    this.#sseWithIds ??= toSseWithIds(this.events)
    return this.#sseWithIds
  }
}

/** Reads the events of a message: of one that runs, waits or is complete. */
export interface EventReader {
  /** Takes what happened since the last call. */
  write(batch: EventBatch): void
  /** Ends the batch: no more events will come. */
  end(): void
  /** Called instead of `end` when the run waits for a review, for readers who wait with it. */
  pause?(): void
}

/** Events that can be read from any point on: of a run, or of a message that was answered before. */
export interface Readable {
  /** Everything after an event (all of it by default), then what comes. @returns a function that ends the reading. */
  read(reader: EventReader, after?: number): () => void
}
