import { randomFillSync } from 'node:crypto'
import { existsSync, rmSync, statfsSync } from 'node:fs'
import { open, rm, statfs } from 'node:fs/promises'
import { join } from 'node:path'
import { UnavailableError } from '../errors.ts'
import type { Logger } from '../telemetry/logger.ts'

/** The disk of the server has no room left. */
export class DiskFullError extends UnavailableError {
  override name = 'DiskFullError'
  constructor(options?: ErrorOptions) {
    super('The disk of the server is full: delete files or folders to make room, or ask its operator', options)
  }
}

/** Whether there is room in the folder that the embedded database and the files are in. */
export interface DiskRoom {
  isFull(): boolean
  /** Reports a write that found no room. */
  noteFull(): void
  /** Calls back when there is room again. */
  onRoom(listener: () => void): void
  start(): void
  stop(): Promise<void>
}

const RESERVE_FILE = 'reserve'
/** Reserved room: enough for the log of many deletions, which is written before they free anything. */
const RESERVE_BYTES = 8 * 1024 ** 2
/** Bytes that have to be free besides, so that a disk is not called full and free again by turns. */
const MARGIN_BYTES = 4 * 1024 ** 2
/** Least room with which the database opens. */
const LEAST_BYTES = 1024 ** 2
const LOOK_MS = 2_000

/**
 * Keeps a file that is given up when the disk is full, so that what makes room can still be written: deletions alone
 * use it. It is made again as soon as there is room for it.
 */
export function createDiskRoom({ dataDir, logger }: { dataDir: string; logger: Logger }): DiskRoom {
  const path = join(dataDir, RESERVE_FILE)
  const listeners: (() => void)[] = []
  let isFull = false
  let isStopped = false
  let timer: NodeJS.Timeout | undefined
  let looking: Promise<void> | undefined

  function noteFull(): void {
    if (isFull) return
    isFull = true
    rmSync(path, { force: true })
    logger.error({ dataDir }, 'the disk is full: only what makes room is done, until there is room again')
    lookLater()
  }

  function lookLater(): void {
    clearTimeout(timer)
    if (isStopped) return
    timer = setTimeout(() => {
      looking = look()
    }, LOOK_MS)
    timer.unref()
  }

  async function look(): Promise<void> {
    try {
      if (await hasRoom()) await writeReserve()
      else if (!isFull || existsSync(path)) return
      else return lookLater()
      if (isFull) {
        isFull = false
        logger.warn({ dataDir }, 'the disk has room again')
        for (const listener of listeners) listener()
      }
    } catch (error) {
      await rm(path, { force: true }).catch(() => {})
      if (!isStorageFull(error)) logger.error({ err: error, dataDir }, 'the reserve on the disk cannot be made')
      lookLater()
    }
  }

  async function hasRoom(): Promise<boolean> {
    const { bavail, bsize } = await statfs(dataDir)
    return bavail * bsize >= RESERVE_BYTES + MARGIN_BYTES
  }

  async function writeReserve(): Promise<void> {
    if (existsSync(path)) return
    // Bytes that no file system packs, or finds to be the same.
    const piece = randomFillSync(Buffer.allocUnsafe(RESERVE_BYTES / 8))
    const file = await open(path, 'wx', 0o600)
    try {
      for (let at = 0; at < RESERVE_BYTES && !isStopped; at += piece.length) {
        piece.writeUInt32LE(at)
        await file.write(piece)
      }
      if (isStopped) await rm(path, { force: true })
    } finally {
      await file.close()
    }
  }

  /** Releases the reserve at the start: the disk may have filled while no server ran. */
  function giveUpAtStart(): void {
    try {
      const { bavail, bsize } = statfsSync(dataDir)
      if (bavail * bsize < LEAST_BYTES && existsSync(path)) noteFull()
    } catch {
      // No such folder yet.
    }
  }

  giveUpAtStart()

  return {
    isFull: () => isFull,
    noteFull,
    onRoom(listener) {
      listeners.push(listener)
    },
    start() {
      if (!isFull) looking = look()
    },
    async stop() {
      isStopped = true
      clearTimeout(timer)
      await looking
    },
  }
}

/** Whether an error of the database, of the file system or of the search engine says that a disk, or a quota, is full. */
export function isStorageFull(error: unknown): boolean {
  if (!(error instanceof Error)) return false
  const { errcode = 0, code = '' } = error as { errcode?: number; code?: string }
  return (errcode % 256 === SQLITE_FULL && errcode !== 0) || FULL.has(code) || isStorageFull(error.cause)
}
const SQLITE_FULL = 13
/** The last is PostgreSQL's disk_full. */
const FULL = new Set(['ENOSPC', 'EDQUOT', '53100'])
