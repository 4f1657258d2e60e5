/** Search parameters of an open chat. */
export interface ChatSearch {
  /** Message to show at first. */
  message?: string
}

export const chatSearch = ({ message }: Record<string, unknown>): ChatSearch =>
  message === undefined || message === '' ? {} : { message: String(message) }
