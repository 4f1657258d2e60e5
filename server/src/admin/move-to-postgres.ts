import { existsSync, mkdtempSync } from 'node:fs'
import { copyFile, stat } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import type { Config } from '../config.ts'
import type { Tables } from '../db.ts'
import { migrations } from '../migrations/index.ts'
import type { Blobs } from '../platform/blobs/blobs.ts'
import { createDiskBlobs } from '../platform/blobs/disk-blobs.ts'
import { DataDirInUseError, databasePath, openBeside } from '../platform/database/open.ts'
import { type SnapshotRow, snapshotSqlite } from '../platform/database/snapshot.ts'
import { lockFile } from '../platform/database/sqlite/sqlite.ts'
import { createLogger } from '../platform/telemetry/logger.ts'
import { openStorage } from '../storage.ts'
import { withAdmin } from './context.ts'
import { claimStorage } from './copy/claim-storage.ts'
import { selectBlobs } from './copy/copied-tables.ts'
import { copyBlob, listKeys, measureBlob, onEach } from './copy/copy-blobs.ts'
import { copyIndex } from './copy/copy-index.ts'
import { openTarget } from './copy/copy-target.ts'
import { importRows } from './copy/import-rows.ts'
import { type RowSource, sourceOfSnapshot } from './copy/row-source.ts'
import { verifyRows } from './copy/verify-rows.ts'
import { recordForAll } from './record.ts'

export interface MoveOptions {
  /** The new DATA_DIR, for files and the search index that do not go to S3. */
  toDataDir?: string
  report?(line: string): void
}

/**
 * Copies all of a data directory, whose server is stopped, to PostgreSQL, and to S3 or another folder, and compares every
 * row, blob and table of the search index. The source is only read. The next run continues one that was cut off.
 */
export async function moveToPostgres(config: Config, { toDataDir, report = () => {} }: MoveOptions) {
  const { dataDir } = config
  const moved = movedConfig(config, toDataDir)
  const unlock = lock(dataDir)
  try {
    const snapshot = await snapshotSqlite(databasePath(dataDir), { isStill: isStill(dataDir) })
    try {
      const source = await sourceOfSnapshot(snapshot, await readIdentity(dataDir))
      const copied = await copyAll(source, snapshot.stream(selectBlobs(source.tables)), dataDir, moved, report)
      if (toDataDir) await copyFile(join(dataDir, PRICES), join(moved.dataDir, PRICES)).catch(ignoreAbsent)
      await finishMove(moved)
      report(`Everything was copied and compared. Start Docent with ${settingsOf(moved)}`)
      return copied
    } finally {
      await snapshot.close()
    }
  } finally {
    unlock()
  }
}

const PRICES = 'prices.json'

/** The settings with which a server works on the copy. @throws Error if they leave open where that is */
function movedConfig(config: Config, toDataDir: string | undefined): Config {
  if (!config.database.postgres)
    throw new Error('Set DATABASE_URL to the PostgreSQL database that everything should move to')
  if (config.s3 === undefined && toDataDir === undefined)
    throw new Error(
      'Say where files and the search index should go: set S3_BUCKET and its keys, or give --data-dir FOLDER, which becomes the new DATA_DIR',
    )
  const dataDir = toDataDir ? resolve(toDataDir) : mkdtempSync(join(tmpdir(), 'docent-move-'))
  if (dataDir === config.dataDir)
    throw new Error('--data-dir must be another folder than DATA_DIR, which stays as it is')
  return { ...config, dataDir }
}

const settingsOf = ({ s3, dataDir }: Config): string =>
  s3
    ? 'the settings of now, and a DATA_DIR that is empty: it holds no more than what is being worked on'
    : `the settings of now, but DATA_DIR=${dataDir}`

async function copyAll(
  source: RowSource,
  named: AsyncIterable<SnapshotRow[]>,
  from: string,
  to: Config,
  report: (line: string) => void,
) {
  const { dataDir, s3 } = to
  const target = await openTarget({ dataDir, postgres: to.database.postgres }, source)
  try {
    if (target.isResumed) report('An earlier move was cut off: it goes on')
    const storage = await openStorage({ dataDir, s3, isShared: true })
    try {
      await claimStorage(storage, target)
      await importRows(source, target, { logger: createLogger('warn'), report })
      const { isResumed } = target
      const blobs = await copyBlobs(named, { from: createDiskBlobs(join(from, 'blobs')), to: storage.blobs, isResumed })
      report(`${blobs.blobs} blobs`)
      const index = await copyIndex(join(from, 'search'), { s3, search: storage.search })
      report(`search index: ${index.passages} passages`)
      const verified = await verifyRows(source, { database: target.database, dataDir })
      await target.finish()
      return { ...verified, ...blobs, ...index }
    } finally {
      storage.close()
    }
  } finally {
    await target.database.close()
  }
}

/** Holds the lock of a server, so that none starts meanwhile. @throws Error if one runs, or there is nothing to move */
function lock(dataDir: string): () => void {
  if (!existsSync(databasePath(dataDir)))
    throw new Error(`DATA_DIR ${dataDir} holds no database. Set it to the data directory that should move`)
  const unlock = lockFile(join(dataDir, 'server.lock'))
  if (!unlock) throw new DataDirInUseError(dataDir)
  return unlock
}

/** Tells whether the server shut down properly: no journal is left beside the database. */
const isStill = (dataDir: string): boolean => !existsSync(`${databasePath(dataDir)}-wal`)

/** Fingerprint of the database files; it changes with every write. */
async function readIdentity(dataDir: string): Promise<string> {
  const states = await Promise.all(
    ['', '-wal'].map((suffix) => stat(databasePath(dataDir) + suffix).catch(() => ({ size: 0, mtimeMs: 0 }))),
  )
  return JSON.stringify([dataDir, ...states.map(({ size, mtimeMs }) => [size, mtimeMs])])
}

interface CopiedBlobs {
  blobs: number
  /** Rows name them, but the source does not hold them. */
  lost_blobs: number
  /** Copied as they are, although their SHA-256 is not the one that their row says. */
  damaged_blobs: number
}

/** Each is read again after it was copied. @throws Error when what is read is not what was sent */
async function copyBlobs(
  named: AsyncIterable<SnapshotRow[]>,
  { from, to, isResumed }: { from: Blobs; to: Blobs; isResumed: boolean },
): Promise<CopiedBlobs> {
  const present = isResumed ? await listKeys(to) : new Set<string>()
  const counts: CopiedBlobs = { blobs: 0, lost_blobs: 0, damaged_blobs: 0 }
  for await (const rows of named) {
    await onEach(rows as [string, string | null][], async ([key, sha256]) => {
      const original = present.has(key) ? await measureBlob(from, key) : await copyBlob(from, to, key)
      if (!original) {
        counts.lost_blobs++
        return
      }
      const copy = await measureBlob(to, key)
      if (copy?.sha256 !== original.sha256) throw new Error(`The copy of blob ${key} differs from the original`)
      counts.blobs++
      if (sha256 !== null && sha256 !== original.sha256) counts.damaged_blobs++
    })
  }
  return counts
}

/** Brings the tables up to this version, if the source was of an earlier one. */
async function finishMove(config: Config): Promise<void> {
  const { postgres } = config.database
  await (await openBeside<Tables>({ dataDir: config.dataDir, postgres }, migrations)).close()
  await withAdmin(config, (context) => recordForAll(context, 'data.moved'))
}

function ignoreAbsent(error: NodeJS.ErrnoException): void {
  if (error.code !== 'ENOENT') throw error
}
