import { type GivenUpHandlers, staysAmongTheDead } from '../queue/troubles/given-up.ts'
import { CRASHED, FAILED } from './chats.tasks.ts'
import type { RunDirectory } from './runs/directory/run-directory.ts'

export const chatGivenUp = ({
  directory,
}: {
  directory: Pick<RunDirectory, 'giveUp'>
}): Pick<GivenUpHandlers, 'chats.answer' | 'chats.remove' | 'chats.expire-review' | 'chats.end-waiting'> => ({
  'chats.answer': ({ messageId }, { organizationId }, cause) =>
    directory.giveUp(organizationId, messageId, cause === 'crashed' ? CRASHED : FAILED),

  'chats.expire-review': staysAmongTheDead('the message can still be decided and cancelled'),

  'chats.remove': staysAmongTheDead('the chats can be deleted one by one'),

  'chats.end-waiting': staysAmongTheDead('nobody reaches the messages of an agent that is deleted'),
})
