import { createHash } from 'node:crypto'
import { Readable } from 'node:stream'
import type { OutboundGuard } from '../../platform/outbound/outbound-guard.ts'
import { createFileFilter, isUsableName } from '../file-filter.ts'
import { type Source, type SourceContext, type SourceEntry, type SourceFile, SourceItemError } from '../source.ts'
import { connectImap, type ImapClient, type MailboxState } from './imap-client.ts'
import type { ImapSourceConfig } from './imap-kind.ts'
import { toMailboxTree } from './mailbox-tree.ts'
import { keyOf, toFile, uidOf } from './message-file.ts'

const MOST_MESSAGES = 100_000
/** Messages that are tried again one by one; with more of them, all that came since the first are described again. */
const MOST_RETRIED = 1_000
/** Key of the states of all mailboxes that the last whole sync brought. */
const SYNCED = 'synced'

/** Remembered of a mailbox once its messages were brought. */
interface Brought extends MailboxState {
  /** Settings that chose among its messages. */
  settings: string
  /** All messages up to this one are known, but for those to try again. */
  last: number
  retry: number[]
}

/** Content of a mailbox as one sync sees it. */
interface Scan {
  state: MailboxState
  uids: ReadonlySet<number>
  /** Messages that are new, or have to be tried again. */
  files: SourceFile[]
  /** Whether all others were brought before. */
  isPart: boolean
  /** Ids that the server did not describe. */
  silent: number[]
}

/** Mail folders as folders, each message as a file. @throws SourceUnavailableError */
export async function openMailboxes(
  guard: OutboundGuard,
  config: ImapSourceConfig,
  { signal, items, id }: SourceContext,
): Promise<Source> {
  const client = await connectImap(guard, config, signal)
  try {
    const filter = createFileFilter(config)
    const tree = toMailboxTree(await client.list(), config.mailboxes, filter.takesFolder)
    const mailboxes = tree.mailboxes()
    if (id === undefined) return createSource(client, { config, items, tree, mailboxes, filter, states: new Map() })
    const there = new Set([SYNCED, ...mailboxes.map(({ path }) => stateKey(path))])
    await items.keepOnly((key) => there.has(key))
    const states = await findStates(client, mailboxes)
    const synced = hashOf([settingsOf(config), [...states]])
    if ((await items.find([SYNCED])).get(SYNCED) === synced) return unchanged(client)
    const source = createSource(client, { config, items, tree, mailboxes, filter, states })
    return { ...source, ended: () => items.save(new Map([[SYNCED, synced]])) }
  } catch (error) {
    await client.close()
    throw error
  }
}

/** Source of which all was brought before: what is there stays. */
const unchanged = (client: ImapClient): Source => ({
  async *list() {
    yield { kind: 'incomplete', gone: new Set() }
  },
  open: () => Promise.reject(new SourceItemError('is not read')),
  close: client.close,
})

/** States of mailboxes; those that the server says nothing of are left out. */
async function findStates(client: ImapClient, mailboxes: Opened['mailboxes']): Promise<Map<string, MailboxState>> {
  const states = new Map<string, MailboxState>()
  for (const { mailbox } of mailboxes) {
    const state = await client.stateOf(mailbox).catch((error) => {
      if (error instanceof SourceItemError) return undefined
      throw error
    })
    if (state) states.set(mailbox, state)
  }
  return states
}

interface Opened {
  config: ImapSourceConfig
  items: SourceContext['items']
  tree: ReturnType<typeof toMailboxTree>
  mailboxes: { path: string[]; mailbox: string }[]
  filter: ReturnType<typeof createFileFilter>
  states: ReadonlyMap<string, MailboxState>
}

type Scans = ReturnType<typeof createScans>

/** Looks at each mailbox once, so that what moves while a sync runs is not there twice or not at all. */
function createScans(client: ImapClient, { config, items, filter, states }: Opened) {
  const settings = settingsOf(config)
  const scans = new Map<string, Promise<Scan>>()

  async function scan(path: readonly string[], mailbox: string): Promise<Scan> {
    // From before its messages were listed: what came since is seen by the next sync.
    const state = states.get(mailbox) ?? (await client.stateOf(mailbox))
    const before = await findBrought(path)
    const known = before?.uidValidity === state.uidValidity ? before : undefined
    const uids = await client.uids(mailbox, config.since)
    if (uids.length > MOST_MESSAGES)
      throw new SourceItemError(`has more than ${MOST_MESSAGES} messages; set since, or choose other mailboxes`)
    const again = new Set(known?.retry)
    const wanted = uids.filter((uid) => uid > (known?.last ?? 0) || again.has(uid))
    const silent = new Set(wanted)
    const files: SourceFile[] = []
    for await (const message of client.describe(mailbox, wanted)) {
      if (!silent.delete(message.uid)) continue
      const file = toFile(state.uidValidity, message)
      if (filter.takesFile([...path, file.fileName ?? file.name])) files.push(file)
    }
    return { state, uids: new Set(uids), files, isPart: known !== undefined, silent: [...silent] }
  }

  async function findBrought(path: readonly string[]): Promise<Brought | undefined> {
    const key = stateKey(path)
    const stored = (await items.find([key])).get(key)
    const brought = stored === undefined ? undefined : (JSON.parse(stored) as Brought)
    return brought?.settings === settings ? brought : undefined
  }

  return {
    of(path: readonly string[], mailbox: string): Promise<Scan> {
      const known = scans.get(mailbox)
      if (known) return known
      const scanned = scan(path, mailbox)
      scans.set(mailbox, scanned)
      return scanned
    },

    /** Remembers that the messages of a mailbox were brought, but for those under some keys. */
    async remember(path: readonly string[], { state, uids, silent }: Scan, left: ReadonlySet<string>): Promise<void> {
      const failed = [...left].flatMap((key) => uidOf(key, state.uidValidity) ?? [])
      const retry = [...new Set([...silent, ...failed])].sort((one, other) => one - other)
      const [last = 0] = [...uids].slice(-1)
      const memory: Brought =
        retry.length > MOST_RETRIED
          ? { ...state, settings, last: retry[0]! - 1, retry: [] }
          : { ...state, settings, last, retry }
      await items.save(new Map([[stateKey(path), JSON.stringify(memory)]]))
    },
  }
}

function createSource(client: ImapClient, opened: Opened): Source {
  const { tree, mailboxes } = opened
  const scans = createScans(client, opened)

  /** The mailbox of a folder. */
  function find(path: readonly string[]): string {
    const mailbox = tree.find(path)?.mailbox
    if (mailbox === undefined) throw new SourceItemError('is not there any more')
    return mailbox
  }

  return {
    isKnownByVersion: true,

    async *list(path) {
      const folder = tree.find(path)
      if (!folder) throw new SourceItemError('is not there any more')
      for (const name of folder.folders.keys())
        yield isUsableName(name)
          ? { kind: 'folder', name }
          : { kind: 'problem', name, reason: 'a name that no folder can have', isKept: false }
      if (folder.mailbox !== undefined) yield* entriesOf(await scans.of(path, folder.mailbox))
    },

    files: () => allFiles(scans, mailboxes),

    async open(file, signal) {
      const path = file.slice(0, -1)
      const mailbox = find(path)
      const { state } = await scans.of(path, mailbox)
      const uid = uidOf(file.at(-1)!, state.uidValidity)
      if (uid === undefined) throw new SourceItemError('is not there any more')
      return Readable.from(await client.read(mailbox, uid), { objectMode: false, signal })
    },

    async brought(path, left) {
      const mailbox = tree.find(path)?.mailbox
      if (mailbox !== undefined) await scans.remember(path, await scans.of(path, mailbox), left)
    },

    close: client.close,
  }
}

function* entriesOf({ files, isPart, state, uids }: Scan): Generator<SourceEntry> {
  yield* files
  const isGone = (key: string) => {
    const uid = uidOf(key, state.uidValidity)
    // Folders have other keys, and are all listed.
    return uid === undefined || !uids.has(uid)
  }
  if (isPart) yield { kind: 'incomplete', gone: { has: isGone } }
}

/** All messages; the version of one that was brought before is not known. */
async function* allFiles(scans: Scans, mailboxes: Opened['mailboxes']) {
  for (const { path, mailbox } of mailboxes) {
    const scanned = await scans.of(path, mailbox).catch((error) => {
      // It is said of the folder when it is its turn.
      if (error instanceof SourceItemError) return undefined
      throw error
    })
    if (!scanned) continue
    const { uids, files, state, isPart } = scanned
    for (const { name, version } of files) yield { path: [...path, name], version }
    if (!isPart) continue
    const described = new Set(files.map(({ name }) => name))
    for (const uid of uids) {
      const name = keyOf(state.uidValidity, uid)
      if (!described.has(name)) yield { path: [...path, name], version: '' }
    }
  }
}

/** Paths may be longer than a key. */
const stateKey = (path: readonly string[]): string => `mailbox ${hashOf(path)}`

const settingsOf = ({ host, username, since, include, exclude }: ImapSourceConfig): string =>
  hashOf([host, username, since, include, exclude])

const hashOf = (value: unknown): string => createHash('sha256').update(JSON.stringify(value)).digest('hex')
