import { copyFile, mkdir, readdir, rename, rm, stat } from 'node:fs/promises'
import { join } from 'node:path'
import type { Config } from '../config.ts'
import type { Tables } from '../db.ts'
import { migrations } from '../migrations/index.ts'
import { type Database, openBeside } from '../platform/database/open.ts'
import type { Snapshot } from '../platform/database/snapshot.ts'
import { openStorage, type Storage } from '../storage.ts'
import { withAdmin } from './context.ts'
import { inBackup, type Manifest, writeManifest } from './copy/backup-folder.ts'
import { copyNamedBlobs, type LedgerResult } from './copy/blob-ledger.ts'
import { copiedTablesIn, selectBlobs } from './copy/copied-tables.ts'
import { readLines, writeLines } from './copy/json-lines.ts'
import { type RowSource, sourceOfSnapshot } from './copy/row-source.ts'
import { createRowSum } from './copy/row-sum.ts'
import { snapshotOf, sumOfTasks } from './copy/verify-rows.ts'
import { recordForAll } from './record.ts'

/** Each is shorter than the one before: only what was deleted during a pass makes another one necessary. */
const MOST_PASSES = 10

/**
 * Copies rows, tasks and blobs to a new folder, beside a server that continues to write: all rows as they were at one
 * moment, and every blob that they name. The search index is not part of it, as it can be made again.
 */
export async function backUp(config: Config, folder: string) {
  await mkdir(folder, { mode: 0o700 })
  await mkdir(inBackup(folder).rows)
  const database = await openBeside<Tables>({ dataDir: config.dataDir, postgres: config.database.postgres }, migrations)
  const storage = await openStorage({ dataDir: config.dataDir, s3: config.s3, isShared: true })
  try {
    const { prices } = inBackup(folder)
    await copyFile(config.usage.prices.path, prices).catch(ignoreAbsent)
    const made = await copyAll(database, storage, config.dataDir, folder)
    await writeManifest(folder, { format: 1, made_at: new Date().toISOString(), ...made })
    await withAdmin(config, (context) => recordForAll(context, 'data.backed_up'))
    const rows = Object.values(made.tables).reduce((sum, table) => sum + table.rows, 0)
    return {
      folder,
      ...(await measure(folder)),
      rows,
      blobs: made.blobs.count,
      lost_blobs: made.blobs.lost,
      damaged_blobs: made.blobs.damaged,
    }
  } finally {
    storage.close()
    await database.close()
  }
}

/**
 * A blob is stored before any row names it and removed after the last row that does, so only one whose rows were deleted
 * since can be missing. The first pass, which takes the most time, holds no snapshot open; the next ones copy what came
 * since, until a snapshot is met of which nothing was deleted meanwhile.
 */
async function copyAll(database: Database<Tables>, storage: Storage, dataDir: string, folder: string) {
  const files = inBackup(folder)
  const passFile = (pass: number) => join(folder, `blobs.${pass}.jsonl.gz`)
  const copied = (named: Parameters<typeof copyNamedBlobs>[0], pass: number) =>
    copyNamedBlobs(named, {
      from: storage.blobs,
      to: files.blobs,
      list: passFile(pass),
      previous: pass > 0 ? passFile(pass - 1) : undefined,
    })

  const firstList = join(folder, 'named.jsonl.gz')
  await withSnapshot(database, dataDir, async (snapshot) =>
    writeLines(firstList, snapshot.stream(selectBlobs(await snapshot.tables()))),
  )
  await copied(readLines(firstList), 0)
  await rm(firstList)
  for (let pass = 1; ; pass++) {
    const made = await withSnapshot(database, dataDir, async (snapshot) => {
      const blobs = await copied(snapshot.stream(selectBlobs(await snapshot.tables())), pass)
      const isWhole = blobs.lost === blobs.lostAgain || pass === MOST_PASSES
      return isWhole ? writeRows(await sourceOfSnapshot(snapshot, folder), folder, blobs) : undefined
    })
    if (!made) continue
    await rename(passFile(pass), files.blobList)
    return made
  }
}

async function withSnapshot<R>(database: Database<Tables>, dataDir: string, use: (snapshot: Snapshot) => Promise<R>) {
  const snapshot = await snapshotOf(database, dataDir)
  try {
    return await use(snapshot)
  } finally {
    await snapshot.close()
  }
}

async function writeRows(
  source: RowSource,
  folder: string,
  { count, bytes, lost, damaged }: LedgerResult,
): Promise<Omit<Manifest, 'format' | 'made_at'>> {
  const files = inBackup(folder)
  const tables: Manifest['tables'] = {}
  for (const table of copiedTablesIn(source.tables)) {
    const sum = createRowSum()
    await writeLines(files.rowsOf(table), counted(source.rows(table), sum.add))
    tables[table] = { columns: source.tables.get(table)!, ...sum.total() }
  }
  await writeLines(files.tasks, source.tasks())
  const tasks = await sumOfTasks(readLines(files.tasks))
  return { migrations: source.migrations, tables, tasks, blobs: { count, bytes, lost, damaged } }
}

async function* counted<T>(batches: AsyncIterable<T[]>, count: (item: T) => void): AsyncGenerator<T[]> {
  for await (const batch of batches) {
    for (const item of batch) count(item)
    yield batch
  }
}

async function measure(folder: string): Promise<{ files: number; bytes: number }> {
  let files = 0
  let bytes = 0
  for (const entry of await readdir(folder, { recursive: true, withFileTypes: true })) {
    if (!entry.isFile()) continue
    files++
    bytes += (await stat(join(entry.parentPath, entry.name))).size
  }
  return { files, bytes }
}

function ignoreAbsent(error: NodeJS.ErrnoException): void {
  if (error.code !== 'ENOENT') throw error
}
