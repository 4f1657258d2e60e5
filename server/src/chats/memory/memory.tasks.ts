import { AgentNotFoundError } from '../../agents/agents.ts'
import { ModelNotAvailableError } from '../../platform/models/failures/model.errors.ts'
import { type GivenUpHandlers, staysAmongTheDead } from '../../queue/troubles/given-up.ts'
import type { TaskHandlers } from '../../queue/worker.ts'
import type { ChatMemoryService } from './memory.service.ts'

export const memoryTasks = ({ memory }: { memory: ChatMemoryService }): Pick<TaskHandlers, 'chats.summarize'> => ({
  async 'chats.summarize'(payload, { organizationId, signal }) {
    try {
      await memory.summarize(organizationId, payload, signal)
    } catch (error) {
      // Nothing that another attempt could mend; the next answer of the chat asks for it again.
      if (error instanceof AgentNotFoundError || error instanceof ModelNotAvailableError) return
      throw error
    }
  },
})

export const memoryGivenUp: Pick<GivenUpHandlers, 'chats.summarize'> = {
  'chats.summarize': staysAmongTheDead('answers go on without a summary, and the next one asks for it again'),
}
