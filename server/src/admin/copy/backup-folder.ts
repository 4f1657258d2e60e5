import { createHash } from 'node:crypto'
import { existsSync } from 'node:fs'
import { open, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { prettifyError, z } from 'zod'
import { createDiskBlobs } from '../../platform/blobs/disk-blobs.ts'
import { type SnapshotRow, snapshotSqlite } from '../../platform/database/snapshot.ts'
import type { CopiedTask } from '../../queue/copied-tasks.ts'
import { type CopiedTableName, selectBlobs } from './copied-tables.ts'
import { readLines } from './json-lines.ts'
import { type RowSource, sourceOfSnapshot } from './row-source.ts'
import { createRowSum, type SummedRows } from './row-sum.ts'

const Sum = z.object({ rows: z.int(), checksum: z.string() })

/** Written last: a backup without one was cut off. */
const Manifest = z.object({
  format: z.literal(1),
  made_at: z.string(),
  migrations: z.array(z.string()),
  tables: z.record(z.string(), Sum.extend({ columns: z.array(z.string()) })),
  tasks: Sum,
  blobs: z.object({ count: z.int(), bytes: z.int(), lost: z.int(), damaged: z.int() }),
})
export type Manifest = z.infer<typeof Manifest>

/** Key, and size and SHA-256 of the bytes: null where the store had lost them when the backup was made. */
export type BlobLine = [key: string, sizeBytes: number | null, sha256: string | null]

/** Paths inside a backup. */
export const inBackup = (folder: string) => ({
  manifest: join(folder, 'manifest.json'),
  rows: join(folder, 'rows'),
  rowsOf: (table: string) => join(folder, 'rows', `${table}.jsonl.gz`),
  tasks: join(folder, 'tasks.jsonl.gz'),
  blobList: join(folder, 'blobs.jsonl.gz'),
  blobs: createDiskBlobs(join(folder, 'blobs')),
  prices: join(folder, 'prices.json'),
})

export async function writeManifest(folder: string, manifest: Manifest): Promise<void> {
  const file = await open(inBackup(folder).manifest, 'wx', 0o600)
  try {
    await file.writeFile(`${JSON.stringify(manifest, null, 2)}\n`)
    await file.sync()
  } finally {
    await file.close()
  }
}

async function readBackup(folder: string): Promise<RowSource> {
  const files = inBackup(folder)
  const text = await readFile(files.manifest, 'utf8').catch((error) => {
    if (error.code !== 'ENOENT') throw error
    throw new Error(`${folder} holds no backup, or one that was cut off: manifest.json is missing`)
  })
  const read = Manifest.safeParse(JSON.parse(text))
  if (!read.success) throw new Error(`This version cannot read the backup in ${folder}: ${prettifyError(read.error)}`)
  const { data: manifest } = read
  return {
    identity: createHash('sha256').update(text).digest('hex'),
    migrations: manifest.migrations,
    tables: new Map(Object.entries(manifest.tables).map(([table, { columns }]) => [table, columns])),
    rows: (table) => checkedRows(folder, table, manifest.tables[table]!),
    tasks: () => readLines<CopiedTask>(files.tasks),
  }
}

/** @throws BackupDamagedError at the end, when they are not those that the backup says it has */
async function* checkedRows(folder: string, table: CopiedTableName, wanted: SummedRows): AsyncGenerator<SnapshotRow[]> {
  const sum = createRowSum()
  for await (const rows of readLines<SnapshotRow>(inBackup(folder).rowsOf(table))) {
    for (const row of rows) sum.add(row)
    yield rows
  }
  if (sum.total().checksum !== wanted.checksum) throw new BackupDamagedError(`its rows of the table ${table}`)
}

export class BackupDamagedError extends Error {
  override name = 'BackupDamagedError'
  constructor(what: string) {
    super(`The backup is damaged: ${what} are not those that were backed up. Nothing was let in.`)
  }
}

/** A blob of a backup, and what is known of its bytes. */
export interface BackedUpBlob {
  key: string
  sha256: string | null
  isLost: boolean
}

export interface Backup {
  source: RowSource
  blobs(): AsyncIterable<BackedUpBlob[]>
  close(): Promise<void>
}

/** @throws Error if the folder holds no whole backup that this version can read */
export async function openBackup(folder: string): Promise<Backup> {
  const oldFile = join(folder, 'docent.sqlite')
  if (!existsSync(inBackup(folder).manifest) && existsSync(oldFile)) return openOldBackup(oldFile)
  const source = await readBackup(folder)
  async function* blobs() {
    for await (const lines of readLines<BlobLine>(inBackup(folder).blobList))
      yield lines.map(([key, sizeBytes, sha256]) => ({ key, sha256, isLost: sizeBytes === null }))
  }
  return { source, blobs, close: async () => {} }
}

/** One of a version that copied the database file as it was. */
async function openOldBackup(path: string): Promise<Backup> {
  const snapshot = await snapshotSqlite(path, { isStill: true })
  const identity = createHash('sha256').update(path).digest('hex')
  const source = await sourceOfSnapshot(snapshot, identity)
  async function* blobs() {
    for await (const rows of snapshot.stream(selectBlobs(source.tables)))
      yield rows.map(([key, sha256]) => ({ key: key as string, sha256: sha256 as string | null, isLost: false }))
  }
  return { source, blobs, close: snapshot.close }
}
