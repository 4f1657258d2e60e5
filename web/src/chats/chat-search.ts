/** Search parameters of an open chat. */
export interface ChatSearch {
  /** Message to show at first. */
  message?: string
}

export const chatSearch = ({ message }: Record<string, unknown>): ChatSearch =>
  message === undefined || message === '' ? {} : { message: String(message) }

/** Search parameters of the page of all own chats. */
export interface OwnChatsSearch {
  /** List to show; without it, chats that are not archived. */
  show?: 'archived' | 'pins' | 'shared'
}

export const ownChatsSearch = ({ show }: Record<string, unknown>): OwnChatsSearch =>
  show === 'archived' || show === 'pins' || show === 'shared' ? { show } : {}
