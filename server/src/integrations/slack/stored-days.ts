import { z } from 'zod'
import type { SourceItems } from '../source-items.ts'

const FileState = z.object({
  id: z.string(),
  name: z.string(),
  size: z.number(),
  url: z.string(),
  link: z.string().optional(),
  /** Message whose replies have it, where it is no file of that message. */
  thread: z.string().optional(),
})
/** File that was shared in a channel. */
export type FileState = z.infer<typeof FileState>

const DayState = z.object({ version: z.string(), url: z.string(), files: z.array(FileState) })
export type DayState = z.infer<typeof DayState>

export interface ChannelState {
  /** Milliseconds; the history was read to there. */
  readTo: number
  days: Map<string, DayState>
}

/** Channels as they were at the last sync, by their ids. */
export async function readChannels(items: SourceItems): Promise<Map<string, ChannelState>> {
  const channels = new Map<string, ChannelState>()
  const days: [key: string, state: DayState][] = []
  for await (const [key, text] of items.list()) {
    const state = JSON.parse(text)
    if (key.includes('/')) days.push([key, DayState.parse(state)])
    else channels.set(key, { readTo: z.number().parse(state.readTo), days: new Map() })
  }
  for (const [key, state] of days) {
    const [channel = '', day = ''] = key.split('/')
    channels.get(channel)?.days.set(day, state)
  }
  return channels
}

/** Stores what changed of a channel. */
export async function keepChannel(
  items: SourceItems,
  id: string,
  before: ChannelState | undefined,
  { readTo, days }: ChannelState,
): Promise<void> {
  const known = before?.days ?? new Map<string, DayState>()
  const changed = [...days].filter(([day, state]) => JSON.stringify(known.get(day)) !== JSON.stringify(state))
  await items.remove([...known.keys()].flatMap((day) => (days.has(day) ? [] : [`${id}/${day}`])))
  await items.save(new Map(changed.map(([day, state]) => [`${id}/${day}`, JSON.stringify(state)])))
  // Last: a sync that ended before reads the same days again.
  await items.save(new Map([[id, JSON.stringify({ readTo })]]))
}
