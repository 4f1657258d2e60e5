import { Readable } from 'node:stream'
import type { Outbound } from '../../platform/outbound/outbound.ts'
import { orFieldError } from '../api/api-refused.ts'
import { everybody } from '../api/found-access.ts'
import { createFileFilter } from '../file-filter.ts'
import {
  type Source,
  type SourceContext,
  type SourceEntry,
  type SourceFile,
  SourceItemError,
  SourceUnavailableError,
} from '../source.ts'
import { createChannelAccess, tellsAddresses } from './channel-access.ts'
import { createChannelDays } from './channel-days.ts'
import { type Channel, createSlack, type Slack } from './slack-api.ts'
import type { SlackConfig } from './slack-kind.ts'
import { createUsers } from './slack-users.ts'
import type { FileState } from './stored-days.ts'

/** Folder of the files of a channel; no day has such a name. */
const FILES = 'Files'

/** @throws SourceUnavailableError */
export async function openSlack(outbound: Outbound, config: SlackConfig, context: SourceContext): Promise<Source> {
  const { signal, tokensOf, id } = context
  const slack = createSlack(outbound, config, tokensOf)
  const secretField = config.connection === undefined ? 'token' : 'connection'
  const say = (reason: string) => `does not reach the channels: ${reason}`
  const team = await orFieldError(slack.team(signal), secretField, say)
  const channels = await orFieldError(findChannels(slack, config, signal), secretField, say)
  const users = createUsers(slack, signal)
  const days = await createChannelDays(slack, { config, teamUrl: team.url, users, context })
  const isTrial = id === undefined
  if (isTrial && config.obey_access) await requireAddresses(slack, signal)
  const findAccess = config.obey_access && !isTrial ? createChannelAccess(slack, users) : everybody
  const filter = createFileFilter(config)

  function channelAt(name: string | undefined): Channel {
    const channel = channels.get(name ?? '')
    if (!channel) throw new SourceItemError('the provider knows nothing there')
    return channel
  }

  async function* list(folder: string[], signal: AbortSignal): AsyncGenerator<SourceEntry> {
    if (folder.length === 0)
      for (const [name, channel] of channels)
        yield { kind: 'folder', name, accessProblem: (await findAccess(channel, signal)).problem }
    else if (folder.length === 1) {
      const channel = channelAt(folder[0])
      const { access } = await findAccess(channel, signal)
      let files: SourceFile[]
      try {
        files = await days.list(channel, signal)
      } catch (error) {
        if (!(error instanceof SourceItemError)) throw error
        // Days that were brought before stay, for those who may read them now.
        yield { kind: 'incomplete', reason: error.message, gone: new Set() }
        files = days.lastListed(channel)
      }
      for (const file of files) yield { ...file, access }
      if (!config.messages_only && days.files(channel).length > 0) yield { kind: 'folder', name: FILES }
    } else if (folder[1] === FILES) {
      const channel = channelAt(folder[0])
      const { access } = await findAccess(channel, signal)
      for (const file of named(days.files(channel))) yield { ...entryOf(file), access }
    }
  }

  return {
    async *list(folder, signal) {
      for await (const entry of list(folder, signal)) {
        if (entry.kind === 'incomplete') yield entry
        else {
          const path = [...folder, entry.name]
          if (entry.kind === 'folder' ? filter.takesFolder(path) : filter.takesFile(path)) yield entry
        }
      }
    },
    async open([name, ...rest], signal) {
      const channel = channelAt(name)
      if (rest.length === 1) return Readable.from([await days.read(channel, rest[0]!, signal)])
      const file = named(days.files(channel)).find((one) => one.name === rest[1])
      if (!file) throw new SourceItemError('the provider knows nothing there')
      return slack.file(file.url, signal)
    },
    idOf: (version) => version.slice(0, version.indexOf(' ')),
    async brought(folder) {
      if (folder.length === 1) await days.keep(channelAt(folder[0]))
    },
    ended: () => days.keepOnly([...channels.values()]),
  }
}

/** @throws SourceUnavailableError where nobody's address is told, so that every list would be empty */
async function requireAddresses(slack: Slack, signal: AbortSignal): Promise<void> {
  const say = (reason: string) => `cannot be done: people cannot be listed (${reason})`
  if (await orFieldError(tellsAddresses(slack, signal), 'obey_access', say)) return
  throw new SourceUnavailableError(
    'obey_access',
    'cannot be done: give the app the scope users:read.email, which tells who people are, or set it to false',
  )
}

/** Channels by the names of their folders. */
async function findChannels(slack: Slack, { channels: wanted }: SlackConfig, signal: AbortSignal) {
  const found = new Map<string, Channel>()
  for await (const channel of slack.channels(signal))
    if (wanted.length === 0 || wanted.includes(channel.name) || wanted.includes(channel.id))
      found.set(found.has(channel.name) ? `${channel.name} (${channel.id})` : channel.name, channel)
  const all = [...found.values()].flatMap(({ id, name }) => [id, name])
  const missing = wanted.filter((name) => !all.includes(name))
  if (missing.length > 0)
    throw new SourceUnavailableError(
      'channels',
      `invite the app to ${missing.map((name) => `#${name}`).join(', ')} first`,
    )
  return found
}

/** Files with names that differ. */
function named(files: FileState[]): FileState[] {
  const counts = Map.groupBy(files, ({ name }) => name)
  return files.map((file) => {
    if (counts.get(file.name)!.length === 1) return file
    const dot = file.name.lastIndexOf('.')
    const [stem, extension] = dot > 0 ? [file.name.slice(0, dot), file.name.slice(dot)] : [file.name, '']
    return { ...file, name: `${stem} (${file.id})${extension}` }
  })
}

const entryOf = ({ id, name, size, link }: FileState): SourceFile => ({
  kind: 'file',
  name,
  version: `${id} 1`,
  sizeBytes: size,
  ...(link && { metadata: { url: link } }),
})
