import { hash } from 'node:crypto'
import { type SourceContext, type SourceFile, SourceItemError } from '../source.ts'
import { createHistory, DAY_MS } from './channel-history.ts'
import type { Channel, Message, Slack } from './slack-api.ts'
import type { SlackConfig } from './slack-kind.ts'
import { type Conversation, toMarkdown } from './slack-text.ts'
import type { SlackUsers } from './slack-users.ts'
import { type ChannelState, type DayState, type FileState, keepChannel, readChannels } from './stored-days.ts'

/** Replies that are edited show only in the thread itself, so threads with a reply since are read at each sync. */
const ACTIVE_MS = DAY_MS

interface DaysOptions {
  config: SlackConfig
  /** Address of the workspace, with a slash at its end. */
  teamUrl: string
  users: SlackUsers
  context: Pick<SourceContext, 'items'>
}

/**
 * A file for each channel and day (UTC). Older days are remembered; of the last ones, in which messages may still
 * change, the history is read again.
 */
export async function createChannelDays(slack: Slack, { config, teamUrl, users, context }: DaysOptions) {
  const { items } = context
  const stored = await readChannels(items)
  const listed = new Map<string, ChannelState>()
  const history = createHistory(slack)

  async function stateOf(
    channel: Channel,
    messages: Message[],
    before: DayState | undefined,
    signal: AbortSignal,
  ): Promise<DayState> {
    const facts: unknown[] = []
    const files: FileState[] = []
    for (const message of messages) {
      const { ts, edited, reply_count = 0, latest_reply } = message
      const isActive = reply_count > 0 && Number(latest_reply) * 1000 > Date.now() - ACTIVE_MS
      const replies = isActive ? await history.repliesTo(channel, ts, signal) : []
      const own = filesOf(message)
      facts.push([ts, edited?.ts, reply_count, latest_reply, own.map(({ id }) => id)])
      facts.push(replies.map((one) => [one.ts, one.edited?.ts]))
      files.push(...own)
      if (reply_count > 0) files.push(...(before?.files.filter(({ thread }) => thread === ts) ?? []))
    }
    const first = messages.at(-1)!
    const version = hash('sha256', JSON.stringify(facts), 'base64url').slice(0, 22)
    return { version, url: `${teamUrl}archives/${channel.id}/p${first.ts.replace('.', '')}`, files }
  }

  return {
    async list(channel: Channel, signal: AbortSignal): Promise<SourceFile[]> {
      const before = stored.get(channel.id)
      const from = before ? startOf(before.readTo - config.reread_days * DAY_MS) : 0
      const state: ChannelState = { readTo: Date.now(), days: new Map() }
      for (const [day, one] of before?.days ?? []) if (Date.parse(day) < from) state.days.set(day, one)
      for (const [day, messages] of await history.read(channel, from, signal))
        state.days.set(day, await stateOf(channel, messages, before?.days.get(day), signal))
      listed.set(channel.id, state)
      return filesIn(channel, state)
    },

    /** Days of a channel as the last sync left them, for one that cannot be read now. */
    lastListed(channel: Channel): SourceFile[] {
      const state = stored.get(channel.id)
      if (!state) return []
      listed.set(channel.id, state)
      return filesIn(channel, state)
    },

    /** Text of a day, threads with all their replies. @param name of its file */
    async read(channel: Channel, name: string, signal: AbortSignal): Promise<string> {
      const day = name.slice(0, -'.md'.length)
      const state = listed.get(channel.id)?.days.get(day)
      if (!state) throw new SourceItemError('the provider knows nothing there')
      const conversations: Conversation[] = []
      const files: FileState[] = []
      for (const message of (await history.ofDay(channel, day, signal)).toReversed()) {
        const replies = message.reply_count ? await history.repliesTo(channel, message.ts, signal) : []
        files.push(...replies.flatMap(filesOf).map((file) => ({ ...file, thread: message.ts })))
        conversations.push({ message, replies })
      }
      const own = state.files.filter(({ thread }) => thread === undefined)
      listed.get(channel.id)?.days.set(day, { ...state, files: [...own, ...files] })
      return toMarkdown(`#${channel.name} ${day}`, conversations, await users.names())
    },

    /** Files of a channel, each once. */
    files(channel: Channel): FileState[] {
      const all = [...(listed.get(channel.id)?.days.values() ?? [])].flatMap(({ files }) => files)
      return [...new Map(all.map((file) => [file.id, file])).values()]
    },

    /** Remembers a channel, as it was listed. */
    async keep({ id }: Channel): Promise<void> {
      const state = listed.get(id)
      if (state) await keepChannel(items, id, stored.get(id), state)
    },

    /** Forgets all other channels. */
    keepOnly(channels: Channel[]): Promise<void> {
      const ids = new Set(channels.map(({ id }) => id))
      return items.keepOnly((key) => ids.has(key.split('/')[0]!))
    },
  }
}

const filesIn = (channel: Channel, { days }: ChannelState): SourceFile[] =>
  [...days].map(([day, { version, url }]) => ({
    kind: 'file',
    name: `${day}.md`,
    title: `#${channel.name} ${day}`,
    version: `${channel.id}/${day} ${version}`,
    sizeBytes: 0,
    metadata: { url },
  }))

const startOf = (time: number): number => Math.max(0, Math.floor(time / DAY_MS) * DAY_MS)

/** Files that lie at Slack: not links to others, and not those that were deleted. */
const filesOf = ({ files = [] }: Message): FileState[] =>
  files.flatMap(({ id, name, size, mode, permalink, url_private, url_private_download }) => {
    const url = url_private_download ?? url_private
    if (!url || !URL.canParse(url) || (mode && !['hosted', 'snippet'].includes(mode))) return []
    return [{ id, name: usable(name ?? id), size: size ?? 0, url, ...(permalink && { link: permalink }) }]
  })

const usable = (name: string): string => name.replace(/[/\0]/g, '_').replace(/^\.*$/, '_').slice(0, 200)
