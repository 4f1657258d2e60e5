import { createHash } from 'node:crypto'
import { Readable } from 'node:stream'
import type { Outbound } from '../../platform/outbound/outbound.ts'
import { OutboundNotAllowedError } from '../../platform/outbound/outbound-guard.ts'
import { createFileFilter, isUsableName } from '../file-filter.ts'
import {
  type Source,
  type SourceContext,
  type SourceEntry,
  SourceItemError,
  SourceUnavailableError,
} from '../source.ts'
import { createClone, headersOf } from './git-clone.ts'
import type { GitSourceConfig } from './git-kind.ts'
import type { GitFile, Tip } from './git-messages.ts'
import { createGitThread, GitError, type GitThread } from './git-thread.ts'

const MOST_FILES = 100_000
/** Key of the commit that the last whole sync brought. */
const SYNCED = 'synced'
const LFS = 'version https://git-lfs.github.com/spec/v1'
/** Formats that hold bytes and can be read nevertheless. */
const READABLE = /\.(?:pdf|docx?|xlsx?|pptx?|od[tsp]|rtf|epub|msg|png|jpe?g|gif|webp|bmp|tiff?)$/i

interface RepositoryOptions extends SourceContext {
  outbound: Outbound
  dataDir: string
  config: GitSourceConfig
}

/** A branch of a repository as folders and files. @throws SourceUnavailableError */
export async function openRepository(options: RepositoryOptions): Promise<Source> {
  const { outbound, config, id, signal } = options
  checkAddress(outbound, config.url)
  const thread = createGitThread(outbound, config.requests_per_second, signal)
  try {
    const tip = await findTip(thread, config, signal)
    if (id === undefined) return tipOnly(thread, tip)
    return await openCommit(thread, tip, { ...options, id })
  } catch (error) {
    await thread.close()
    throw error
  }
}

function checkAddress(outbound: Outbound, url: string): void {
  try {
    outbound.parse(url)
  } catch (error) {
    if (!(error instanceof OutboundNotAllowedError)) throw error
    throw new SourceUnavailableError('url', error.message, { cause: error })
  }
}

async function findTip(thread: GitThread, config: GitSourceConfig, signal: AbortSignal): Promise<Tip> {
  const { url, branch } = config
  const call = { name: 'tip', url, branch, headers: headersOf(config) } as const
  const tip = await thread.call<Tip | undefined>(call, signal).catch((error) => {
    throw toUnavailable(error, config)
  })
  if (tip) return tip
  if (branch === undefined) throw new SourceUnavailableError('url', 'the repository has no commit yet')
  throw new SourceUnavailableError('branch', 'the repository has no branch of this name')
}

/** Source that is only tried: its files would have to be fetched to be named. */
const tipOnly = (thread: GitThread, { branch, commit }: Tip): Source => ({
  async *list() {
    yield { kind: 'folder', name: `${branch} (${commit.slice(0, 7)})` }
  },
  open: () => Promise.reject(new SourceItemError('is not fetched')),
  close: thread.close,
})

/** Source of which a sync was asked for. */
async function openCommit(
  thread: GitThread,
  tip: Tip,
  { dataDir, config, id, items, signal }: RepositoryOptions & { id: string },
): Promise<Source> {
  const synced = JSON.stringify({ commit: tip.commit, settings: settingsOf(config) })
  if ((await items.find([SYNCED])).get(SYNCED) === synced) return unchanged(thread)
  const clone = createClone(thread, { dataDir, id, config })
  const found = await readTip().catch((error) => {
    throw toUnavailable(error, config)
  })
  const folders = toFolders(found)

  async function readTip(): Promise<GitFile[]> {
    const path = config.path.split('/').filter(Boolean)
    const commit = await clone.update(tip, signal)
    const call = { name: 'files', gitdir: clone.gitdir, commit, path, most: MOST_FILES } as const
    const files = await thread.call<GitFile[]>(call, signal)
    if (files.length > MOST_FILES)
      throw new SourceUnavailableError('url', `the repository has more than ${MOST_FILES} files`)
    const filter = createFileFilter(config)
    const isIn = ({ path }: GitFile) =>
      path.every((_, index) => index === path.length - 1 || filter.takesFolder(path.slice(0, index + 1)))
    return files.filter((file) => file.kind !== 'link' && isIn(file) && filter.takesFile(file.path))
  }

  async function read(oid: string, signal: AbortSignal): Promise<Buffer> {
    try {
      return Buffer.from(await thread.call<Uint8Array>({ name: 'read', gitdir: clone.gitdir, oid }, signal))
    } catch (error) {
      signal.throwIfAborted()
      await clone.remove()
      throw toUnavailable(error, config)
    }
  }

  return {
    async *list(folder) {
      yield* folders.get(folder.join('/'))?.values() ?? []
    },
    async *files() {
      for (const { path, oid, kind } of found) if (kind === 'file') yield { path, version: oid }
    },
    async open(path, signal) {
      const entry = folders.get(path.slice(0, -1).join('/'))?.get(path.at(-1)!)
      if (entry?.kind !== 'file') throw new SourceItemError('is not there')
      const bytes = await read(entry.version, signal)
      if (bytes.subarray(0, LFS.length).toString('latin1') === LFS)
        throw new SourceItemError('is kept in Git LFS, which is not read')
      if (bytes.subarray(0, 8000).includes(0) && !READABLE.test(entry.name))
        throw new SourceItemError('is a binary file, which holds no text to read')
      return Readable.from([bytes], { objectMode: false })
    },
    ended: () => items.save(new Map([[SYNCED, synced]])),
    close: thread.close,
  }
}

/** Source whose last commit was brought already: what is there stays. */
const unchanged = (thread: GitThread): Source => ({
  async *list() {
    yield { kind: 'incomplete', gone: new Set() }
  },
  open: () => Promise.reject(new SourceItemError('is not fetched')),
  close: thread.close,
})

/** Settings that decide which files there are. */
const settingsOf = ({ url, path, include, exclude }: GitSourceConfig): string =>
  createHash('sha256')
    .update(JSON.stringify([url, path, include, exclude]))
    .digest('hex')

/** Entries by folder, then by name. */
function toFolders(files: readonly GitFile[]): Map<string, Map<string, SourceEntry & { name: string }>> {
  const folders = new Map<string, Map<string, SourceEntry & { name: string }>>([['', new Map()]])
  const entriesIn = (folder: string[]) => {
    const key = folder.join('/')
    const known = folders.get(key)
    if (known) return known
    const made = new Map<string, SourceEntry & { name: string }>()
    folders.set(key, made)
    const name = folder.at(-1)
    if (name !== undefined) entriesIn(folder.slice(0, -1)).set(name, { kind: 'folder', name })
    return made
  }
  for (const { path, oid, kind } of files) {
    const name = path.at(-1)!
    const entries = entriesIn(path.slice(0, -1))
    if (kind === 'submodule') entries.set(name, { kind: 'problem', name, reason: SUBMODULE, isKept: false })
    else if (!path.every(isUsableName)) entries.set(name, { kind: 'problem', name, reason: UNUSABLE, isKept: false })
    // Git does not say how large a file is without reading it; a too large one is found when it is read.
    else entries.set(name, { kind: 'file', name, version: oid, sizeBytes: 0 })
  }
  return folders
}

const SUBMODULE = 'is another repository (a submodule), which has to be linked by itself'
const UNUSABLE = 'a name that no file can have'

function toUnavailable(error: unknown, { token, path, url }: GitSourceConfig): unknown {
  if (!(error instanceof GitError)) return error
  const { code, status, message } = error.failure
  const say = (field: string, text: string) => new SourceUnavailableError(field, text, { cause: error })
  const { host } = new URL(url)
  if (code === 'Request') return say('url', message)
  if (status === 401 || status === 403)
    return say('token', token ? 'the server does not accept this token' : 'the repository is not public: give a token')
  if (status === 404)
    return say('url', token ? 'there is no such repository' : 'there is no such repository, or a token is needed')
  if (status !== undefined) return say('url', `${host} answered ${status}`)
  if (code === 'NotFoundError' && path) return say('path', 'the branch has no such folder')
  if (code === 'ObjectTypeError' && path) return say('path', 'is no folder of the branch')
  if (code === 'Memory') return say('url', 'the repository is too large')
  return say('url', `it cannot be read as a git repository (${code})`)
}
