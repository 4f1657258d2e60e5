import type { Chat } from '@docent/sdk'
import { t } from '@lingui/core/macro'

/** Names of the types of chats, as people read them. */
export const chatTypes = (): Record<Chat['chat_type'], string> => ({
  interact: t`Interact`,
  standard: t`Standard`,
  playground: t`Playground`,
  configuration: t`Configuration`,
})
