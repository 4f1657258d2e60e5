import type { Channel, Message, Slack } from './slack-api.ts'
import { dayOf } from './slack-text.ts'

export const DAY_MS = 86_400_000
/** Messages of one channel that are kept for the files that are made of them; of other days they are asked for again. */
const MOST_KEPT = 20_000
/** Messages that say what happened to the channel, and replies that are shown in it, too. */
const LEFT_OUT =
  /^(?:channel_|group_|bot_(?:add|remove|enable|disable)|pinned_item|reminder_add|thread_broadcast|tombstone)/

const isLeftOut = ({ subtype }: Message): boolean => subtype !== undefined && LEFT_OUT.test(subtype)

/** Messages of channels by day (UTC). */
export function createHistory(slack: Slack) {
  /** Messages of the channel that was read last. */
  let kept: { channel: string; days: Map<string, Message[]> } = { channel: '', days: new Map() }

  return {
    /** Messages since a time, the newest first; of days beyond the kept ones without their texts. */
    async read(channel: Channel, from: number, signal: AbortSignal): Promise<Map<string, Message[]>> {
      const days = new Map<string, Message[]>()
      kept = { channel: channel.id, days: new Map() }
      let count = 0
      for await (const message of slack.history(channel.id, { oldest: String(from / 1000) }, signal)) {
        if (isLeftOut(message)) continue
        const day = dayOf(message.ts)
        const isKept = ++count <= MOST_KEPT
        const known = days.get(day) ?? []
        known.push(isKept ? message : { ...message, text: '', attachments: undefined })
        days.set(day, known)
        if (isKept) kept.days.set(day, known)
        else kept.days.delete(day)
      }
      return days
    },

    /** Messages of one day, the newest first. */
    async ofDay(channel: Channel, day: string, signal: AbortSignal): Promise<Message[]> {
      const known = kept.channel === channel.id ? kept.days.get(day) : undefined
      if (known) return known
      const from = Date.parse(day)
      const range = { oldest: String(from / 1000), latest: String((from + DAY_MS) / 1000 - 0.000001) }
      const messages: Message[] = []
      for await (const message of slack.history(channel.id, range, signal))
        if (!isLeftOut(message)) messages.push(message)
      return messages
    },

    /** Replies to a message, the oldest first. */
    async repliesTo(channel: Channel, ts: string, signal: AbortSignal): Promise<Message[]> {
      const replies: Message[] = []
      for await (const reply of slack.replies(channel.id, ts, signal)) if (reply.ts !== ts) replies.push(reply)
      return replies
    },
  }
}
