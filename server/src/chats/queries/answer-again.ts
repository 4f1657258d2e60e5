import type { FolderReader } from '../../access/access.ts'
import { AgentFailedError } from '../../agents/agents.ts'
import type { Db } from '../../db.ts'
import { MessageIdConflictError } from '../chats.errors.ts'
import type { Readable } from '../events/event-batch.ts'
import { findReadableLog } from '../messages/citations/readable-log.ts'
import type { MessageRecord } from '../messages/messages.store.ts'
import { findPendingReview } from '../reviews/reviews.store.ts'
import { toReview } from '../reviews/reviews.wire.ts'
import type { Follower } from '../runs/directory/followed-events.ts'
import type { RunDirectory } from '../runs/directory/run-directory.ts'
import { InterruptedError } from '../runs/runs.errors.ts'
import type { Runs } from '../runs/runs.ts'
import { storedEvents } from '../runs/stored/stored-events.ts'
import { type Answer, answerOfRun, waitingResult } from './answer.ts'

export interface AnswerAgainOptions {
  db: Db
  runs: Pick<Runs, 'find'>
  follower: Follower
  directory: RunDirectory
}

/**
 * The answer to a message that was accepted before, wherever it is by now, as far as the reader may see it.
 * @throws MessageIdConflictError when it is in another chat or asks something else
 */
export async function answerAgain(
  options: AnswerAgainOptions,
  reader: FolderReader,
  message: MessageRecord,
  { chatId, fingerprint }: { chatId: string; fingerprint: string },
): Promise<Answer> {
  if (message.chatId !== chatId || message.fingerprint !== fingerprint) throw new MessageIdConflictError()
  const run = options.runs.find(message.organizationId, message.id)
  return run ? answerOfRun(run) : answerOfStored(options, reader, message)
}

/** The answer of a message that this process does not run; one that is in progress and never ended was interrupted. */
async function answerOfStored(
  options: AnswerAgainOptions,
  reader: FolderReader,
  message: MessageRecord,
): Promise<Answer> {
  const { organizationId, id } = message
  const goesOn = message.status === 'in_progress' && options.directory.goesOn(message)
  if (goesOn) return followedAnswer(options, organizationId, id)
  return answerFrom(
    options,
    id,
    async () => message,
    storedEvents(message, await findReadableLog(options.db, reader, message)),
  )
}

/** The answer of a message that another process runs, or will run. */
export const followedAnswer = (options: AnswerAgainOptions, organizationId: string, messageId: string): Answer =>
  answerFrom(
    options,
    messageId,
    () => options.follower.settled(organizationId, messageId),
    options.follower.events(organizationId, messageId, { untilReview: true }),
  )

function answerFrom(
  { db }: AnswerAgainOptions,
  messageId: string,
  settle: () => Promise<MessageRecord | undefined>,
  events: Readable,
): Answer {
  return {
    messageId,
    async result() {
      const settled = await settle()
      if (settled?.status === 'waiting') {
        const review = await findPendingReview(db, settled.organizationId, messageId)
        if (review) return waitingResult(settled.response, toReview(review))
      }
      if (settled?.status !== 'completed') throw new AgentFailedError(new InterruptedError().message)
      if (settled.errorMessage !== null) throw new AgentFailedError(settled.errorMessage)
      return { text: settled.response }
    },
    read: (reader) => events.read(reader),
  }
}
