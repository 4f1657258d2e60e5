import { AgentFailedError } from '../../agents/agents.ts'
import type { EventReader } from '../events/event-batch.ts'
import type { ReviewOnWire } from '../reviews/reviews.wire.ts'
import type { Run } from '../runs/run.ts'

/** An accepted query: one that runs, or one that was answered before. */
export interface Answer {
  messageId: string
  /** Waits for the end, or for the run to wait. @throws AgentFailedError when the run failed. */
  result(): Promise<AnswerResult>
  /** Everything from the start, then what comes. @returns a function that ends the reading, not the run. */
  read(reader: EventReader): () => void
}

interface AnswerResult {
  text: string
  review?: ReviewOnWire
}

/** The answer of a run of this process. */
export const answerOfRun = (run: Run): Answer => ({
  messageId: run.id.messageId,
  async result() {
    const { text, errorMessage, review } = await run.done
    if (errorMessage !== null) throw new AgentFailedError(errorMessage)
    return review ? waitingResult(text, review) : { text }
  },
  read: (reader) => run.read(reader),
})

/** Says in words what the run waits for, for callers who read only text. */
export const waitingResult = (said: string, review: ReviewOnWire): AnswerResult => ({
  text: [said, review.text].filter(Boolean).join('\n\n'),
  review,
})
