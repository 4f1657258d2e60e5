import {
  appendFileSync,
  closeSync,
  existsSync,
  openSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
  writeSync,
} from 'node:fs'
import { join } from 'node:path'
import { CommandError } from '../failures.ts'

const NAME = '.docent-sync'
const LOCK = '.docent-sync.lock'

/** File as both sides had it when they last agreed. */
export interface SyncedFile {
  key: string
  /** SHA-256 of the content, in hex. */
  hash: string
  size: number
  modifiedMs: number
  /** Id of the file in the drive, and number of its content there. */
  id: string
  version: number
  folderId: string
}

type Line = SyncedFile | { key: string; isForgotten: true }

interface Head {
  version: 1
  url: string
  folder_id: string
}

/** Files on which a directory and a folder agree: a line each, appended at once, so that a kill loses nothing. */
export class SyncState {
  readonly #directory: string
  /** Server and folder that the directory is synced with. */
  readonly head: Head
  readonly files: Map<string, SyncedFile>

  constructor(directory: string, head: Head, files: Map<string, SyncedFile>) {
    this.#directory = directory
    this.head = head
    this.files = files
  }

  remember(file: SyncedFile): void {
    this.files.set(file.key, file)
    this.#append(file)
  }

  forget(key: string): void {
    this.files.delete(key)
    this.#append({ key, isForgotten: true })
  }

  /** Rewrites the file, without lines that later ones replaced. */
  compact(): void {
    const path = join(this.#directory, NAME)
    const lines = [this.head, ...this.files.values()].map((line) => `${JSON.stringify(line)}\n`)
    writeFileSync(`${path}.draft`, lines.join(''))
    renameSync(`${path}.draft`, path)
  }

  #append(line: Line): void {
    appendFileSync(join(this.#directory, NAME), `${JSON.stringify(line)}\n`)
  }
}

/** Reads the state of a directory; undefined if it was never synced. @throws CommandError for a file that is none */
export function readSyncState(directory: string): SyncState | undefined {
  const path = join(directory, NAME)
  if (!existsSync(path)) return undefined
  const broken = () => new CommandError(`${path} cannot be read: remove it to compare both sides anew`)
  const [first = '', ...rest] = readFileSync(path, 'utf8').split('\n')
  const head = parsed<Head>(first)
  if (head?.version !== 1 || !head.url || !head.folder_id) throw broken()
  const files = new Map<string, SyncedFile>()
  for (const text of rest) {
    const line = parsed<Line>(text)
    // A line that a kill cut short: what it said is compared again.
    if (!line) continue
    if ('isForgotten' in line) files.delete(line.key)
    // Before files had versions, another content was another file.
    else files.set(line.key, { ...line, version: line.version ?? 1 })
  }
  return new SyncState(directory, head, files)
}

/** Makes sure that a state is of this server and folder. @throws CommandError */
export function newOrSameState(directory: string, url: string, folderId: string): SyncState {
  const known = readSyncState(directory)
  if (!known) return new SyncState(directory, { version: 1, url, folder_id: folderId }, new Map())
  const { head } = known
  if (head.url === url && head.folder_id === folderId) return known
  throw new CommandError(
    `${directory} was synced with another folder (${head.folder_id} at ${head.url}): remove ${join(directory, NAME)} to begin anew`,
  )
}

function parsed<T>(text: string): T | undefined {
  try {
    return JSON.parse(text) as T
  } catch {
    return undefined
  }
}

/** Keeps other syncs out of a directory until the returned function is called. @throws CommandError */
export function lockDirectory(directory: string): () => void {
  const path = join(directory, LOCK)
  for (let attempt = 0; attempt < 2; attempt++) {
    try {
      const file = openSync(path, 'wx')
      writeSync(file, String(process.pid))
      closeSync(file)
      return () => rmSync(path, { force: true })
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error
      const holder = Number(readFileSync(path, 'utf8'))
      if (isAlive(holder)) throw new CommandError(`Process ${holder} is syncing ${directory} already`)
      rmSync(path, { force: true })
    }
  }
  throw new CommandError(`${path} cannot be taken: another sync has just begun`)
}

function isAlive(pid: number): boolean {
  try {
    return pid > 0 && process.kill(pid, 0)
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM'
  }
}
