/** Form of a notification in the one channel of PostgreSQL that all processes listen to. */
export interface Envelope {
  /** Id of the process that has notified its own listeners already; empty: none. */
  sender: string
  /** Name without spaces. */
  channel: string
  payload: string
}

/** NOTIFY takes 8,000 bytes; what comes before the payload has room in the rest. */
export const LARGEST_PAYLOAD_BYTES = 7_000

export const seal = ({ sender, channel, payload }: Envelope): string => `${sender} ${channel} ${payload}`

export function unseal(text: string): Envelope {
  const endOfSender = text.indexOf(' ')
  const endOfChannel = text.indexOf(' ', endOfSender + 1)
  return {
    sender: text.slice(0, endOfSender),
    channel: text.slice(endOfSender + 1, endOfChannel),
    payload: text.slice(endOfChannel + 1),
  }
}
