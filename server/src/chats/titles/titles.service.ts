import type { AgentService } from '../../agents/agents.ts'
import type { Tx } from '../../db.ts'
import type { KernelParts } from '../../kernel-parts.ts'
import { isoNow } from '../../platform/clock.ts'
import type { Models, OfWorkspace } from '../../platform/models/models.ts'
import type { UsageService } from '../../usage/usage.ts'
import { recordBackgroundUsage } from '../background-usage.ts'
import { findBegunChat, retitleChat } from './titles.store.ts'
import { isByDefault, writeTitle } from './write-title.ts'

export type ChatTitles = ReturnType<typeof createChatTitles>

interface TitlesOptions extends Pick<KernelParts, 'clock' | 'db' | 'queue' | 'writes'> {
  agents: Pick<AgentService, 'ofOrganization'>
  models: Models
  usage: Pick<UsageService, 'price' | 'record'>
}

/** Titles that a model gives to chats, in workspaces that chose one for that. */
export const createChatTitles = ({ db, writes, clock, queue, agents, models, usage }: TitlesOptions) => ({
  /** Whether a model names the chats of this workspace. */
  isWanted: async (workspace: OfWorkspace): Promise<boolean> => (await models.of(workspace)).defaults.titles !== null,

  /** Plans a title. Called in the transaction that stores the first answer of a chat. */
  async afterFirstAnswer(tx: Tx, { organizationId, chatId }: { organizationId: string; chatId: string }) {
    await queue.enqueue(tx, organizationId, 'chats.title', { chatId })
  },

  /**
   * Names a chat that nobody has named. Work in the background, of the task `chats.title`.
   * @throws ModelError, ModelNotAvailableError, AgentNotFoundError
   */
  async write(organizationId: string, { chatId }: { chatId: string }, signal: AbortSignal): Promise<void> {
    const chat = await findBegunChat(db, organizationId, chatId)
    if (!chat || !isByDefault(chat.title, chat.query)) return
    const agent = await agents.ofOrganization(organizationId, chat.agentId)
    const { defaults, resolve } = await models.of(agent)
    if (!defaults.titles) return
    const model = resolve(defaults.titles)
    const written = await writeTitle(model, chat, signal)
    await writes.commit(async (tx) => {
      const at = isoNow(clock)
      const { workspaceId } = agent
      const of = { organizationId, workspaceId, agentId: chat.agentId, model }
      await recordBackgroundUsage(usage, tx, of, written.usage, at)
      await retitleChat(tx, organizationId, { chatId, from: chat.title, to: written.title, at })
    })
  },
})
