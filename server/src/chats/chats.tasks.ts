import type { TaskHandlers } from '../queue/worker.ts'
import type { ChatService } from './chat/chats.service.ts'
import type { QueryService } from './queries/queries.service.ts'
import type { ReviewService } from './reviews/reviews.service.ts'
import { NOT_STORED } from './runs/answer-message.ts'
import type { RunDirectory } from './runs/directory/run-directory.ts'
import { InterruptedError } from './runs/runs.errors.ts'

export interface ChatTaskOptions {
  chats: Pick<ChatService, 'removeAny'>
  queries: QueryService
  reviews: ReviewService
  directory: Pick<RunDirectory, 'expect'>
}

/** Handles tasks of messages that nobody waits for at a connection, and of reviews that nobody decides. */
export const chatTasks = ({
  chats,
  queries,
  reviews,
  directory,
}: ChatTaskOptions): Pick<
  TaskHandlers,
  'chats.answer' | 'chats.remove' | 'chats.expire-review' | 'chats.end-waiting'
> => ({
  'chats.expire-review': ({ messageId, reviewId }, { organizationId }) =>
    reviews.expire(organizationId, messageId, reviewId),

  'chats.end-waiting': ({ agentId }, { organizationId }) => reviews.endOfAgent(organizationId, agentId),

  async 'chats.remove'({ chatIds }, { organizationId, signal }) {
    for (const chatId of chatIds) {
      signal.throwIfAborted()
      await chats.removeAny(organizationId, chatId)
    }
  },

  async 'chats.answer'({ messageId }, { organizationId, ...control }) {
    const { signal } = control
    const run = await queries.resume(organizationId, messageId, control)
    if (!run) return
    const interrupt = () => run.cancel(new InterruptedError())
    signal.addEventListener('abort', interrupt, { once: true })
    const { errorMessage } = await run.done
    signal.removeEventListener('abort', interrupt)
    // The drain came first: the task goes back to the queue, for the next process to claim.
    if (run.signal.reason instanceof InterruptedError) throw run.signal.reason
    // The end could not be stored, on a full disk for instance: the message is still to be answered and delivered.
    if (errorMessage !== NOT_STORED) return
    directory.expect(run.id.chatId)
    throw new Error(NOT_STORED)
  },
})

export const CRASHED = 'The answer was given up: the server ended every time it worked on it'
export const FAILED = 'The answer was given up: it could not be stored'
