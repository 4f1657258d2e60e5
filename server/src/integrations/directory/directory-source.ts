import { constants } from 'node:fs'
import { type FileHandle, lstat, open, opendir, realpath, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { type Source, type SourceEntry, SourceItemError } from '../source.ts'
import { isInside } from './allowed-directory.ts'
import { matchesAny } from './globs.ts'

export interface DirectoryFilter {
  /** Patterns of files that are brought; empty: all. */
  include: string[]
  /** Patterns of files and folders that are not. */
  exclude: string[]
}

const LOOKED_AT_ONCE = 32

/**
 * A folder of the server. Names that begin with a dot are hidden and stay out, as do links to folders; a link to a file
 * is followed as long as it does not lead out of the folder.
 * @param root without links
 */
export function createDirectorySource(root: string, { include, exclude }: DirectoryFilter): Source {
  const isWanted = (path: string[]) => !matchesAny(exclude, path) && (include.length === 0 || matchesAny(include, path))

  async function look(folder: string[], name: string): Promise<SourceEntry | undefined> {
    const path = [...folder, name]
    const at = join(root, ...path)
    try {
      let found = await lstat(at, { bigint: true })
      if (found.isDirectory()) return matchesAny(exclude, path) ? undefined : { kind: 'folder', name }
      if (!isWanted(path)) return undefined
      if (found.isSymbolicLink()) {
        if (!isInside(root, await realpath(at))) return left(name, 'a link that leads out of the folder')
        found = await stat(at, { bigint: true })
        if (found.isDirectory()) return left(name, 'a link to a folder')
      }
      if (!found.isFile()) return undefined
      return { kind: 'file', name, version: `${found.size}-${found.mtimeNs}`, sizeBytes: Number(found.size) }
    } catch (error) {
      if (isGone(error)) return undefined
      return { kind: 'problem', name, reason: explain(error), isKept: true }
    }
  }

  return {
    async *list(folder, signal) {
      const names = await namesIn(root, folder, signal)
      for (let at = 0; at < names.length; at += LOOKED_AT_ONCE) {
        signal.throwIfAborted()
        const entries = await Promise.all(names.slice(at, at + LOOKED_AT_ONCE).map((name) => look(folder, name)))
        for (const entry of entries) if (entry) yield entry
      }
    },

    async open(file) {
      const at = join(root, ...file)
      try {
        const handle = await openInside(root, at)
        return Readable.from(readContent(handle), { objectMode: false })
      } catch (error) {
        throw error instanceof SourceItemError ? error : new SourceItemError(explain(error), { cause: error })
      }
    },
  }
}

async function namesIn(root: string, folder: string[], signal: AbortSignal): Promise<string[]> {
  const at = join(root, ...folder)
  try {
    if ((await realpath(at)) !== at) throw new SourceItemError('a link that took the place of a folder')
    const names: string[] = []
    for await (const { name } of await opendir(at, { bufferSize: 256 })) {
      signal.throwIfAborted()
      if (!name.startsWith('.')) names.push(name)
    }
    return names
  } catch (error) {
    if (signal.aborted || error instanceof SourceItemError) throw error
    throw new SourceItemError(explain(error), { cause: error })
  }
}

/**
 * Opens a file and then looks whether what is open lies inside: looking first would leave time to put a link to
 * something else in its place.
 */
async function openInside(root: string, path: string): Promise<FileHandle> {
  const inside = async () => {
    const real = await realpath(path)
    if (!isInside(root, real)) throw new SourceItemError('a link that leads out of the folder')
    return real
  }
  // Not waiting for a writer, should it be a pipe by now.
  const handle = await open(await inside(), constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK)
  try {
    const opened = await handle.stat({ bigint: true })
    const expected = await stat(await inside(), { bigint: true })
    if (!opened.isFile() || opened.ino !== expected.ino || opened.dev !== expected.dev)
      throw new SourceItemError('changed while it was opened')
    return handle
  } catch (error) {
    await handle.close()
    throw error
  }
}

async function* readContent(handle: FileHandle): AsyncIterable<Buffer> {
  try {
    for await (const piece of handle.createReadStream()) yield piece as Buffer
  } catch (error) {
    throw new SourceItemError(explain(error), { cause: error })
  } finally {
    await handle.close()
  }
}

const left = (name: string, reason: string): SourceEntry => ({ kind: 'problem', name, reason, isKept: false })

const isGone = (error: unknown): boolean => ['ENOENT', 'ENOTDIR'].includes((error as NodeJS.ErrnoException).code ?? '')

function explain(error: unknown): string {
  const { code } = error as NodeJS.ErrnoException
  if (code === 'EACCES' || code === 'EPERM') return 'the server is not permitted to read it'
  if (isGone(error)) return 'gone while it was read'
  if (code === 'ELOOP') return 'a link that leads to itself'
  return `it cannot be read: ${code ?? 'unknown error'}`
}
