import { AgentNotFoundError } from '../../agents/agents.ts'
import { ModelNotAvailableError } from '../../platform/models/failures/model.errors.ts'
import { type GivenUpHandlers, staysAmongTheDead } from '../../queue/troubles/given-up.ts'
import type { TaskHandlers } from '../../queue/worker.ts'
import type { ChatTitles } from './titles.service.ts'

export const titleTasks = ({ titles }: { titles: ChatTitles }): Pick<TaskHandlers, 'chats.title'> => ({
  async 'chats.title'(payload, { organizationId, signal }) {
    try {
      await titles.write(organizationId, payload, signal)
    } catch (error) {
      // Nothing that another attempt could mend.
      if (error instanceof AgentNotFoundError || error instanceof ModelNotAvailableError) return
      throw error
    }
  },
})

export const titlesGivenUp: Pick<GivenUpHandlers, 'chats.title'> = {
  'chats.title': staysAmongTheDead('the chat keeps the title that its first question gave it'),
}
