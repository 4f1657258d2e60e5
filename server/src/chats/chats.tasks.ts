import type { TaskHandlers } from '../queue/worker.ts'
import type { QueryService } from './queries.service.ts'
import type { ReviewService } from './reviews.service.ts'
import { NOT_STORED } from './runs/answer-message.ts'
import { InterruptedError } from './runs/runs.errors.ts'

export interface ChatTaskOptions {
  queries: QueryService
  reviews: ReviewService
}

/** Goes on with what nobody waits for at a connection, and ends what nobody decides. */
export const chatTasks = ({
  queries,
  reviews,
}: ChatTaskOptions): Pick<TaskHandlers, 'chats.answer' | 'chats.expire-review' | 'chats.end-waiting'> => ({
  'chats.expire-review': ({ messageId, reviewId }, { organizationId }) =>
    reviews.expire(organizationId, messageId, reviewId),

  'chats.end-waiting': ({ agentId }, { organizationId }) => reviews.endOfAgent(organizationId, agentId),

  async 'chats.answer'({ messageId }, { organizationId, signal }) {
    const run = await queries.takeUp(organizationId, messageId, signal)
    if (!run) return
    const interrupt = () => run.cancel(new InterruptedError())
    signal.addEventListener('abort', interrupt, { once: true })
    const { errorMessage } = await run.done
    signal.removeEventListener('abort', interrupt)
    // The drain came first: the task goes back to the queue, for the next process to take up.
    if (run.signal.reason instanceof InterruptedError) throw run.signal.reason
    // The disk was full, or the like: the message is still to be answered and delivered.
    if (errorMessage === NOT_STORED) throw new Error(NOT_STORED)
  },
})
