import { copyFile, readdir, rename, rm } from 'node:fs/promises'
import { join } from 'node:path'
import type { Config } from '../config.ts'
import { makeDataDir } from '../data-dir.ts'
import type { Tables } from '../db.ts'
import { reindexAll } from '../drive/drive.ts'
import { migrations } from '../migrations/index.ts'
import { databasePath, openBeside } from '../platform/database/open.ts'
import { createLogger } from '../platform/telemetry/logger.ts'
import { openStorage, type Storage } from '../storage.ts'
import { withAdmin } from './context.ts'
import { type Backup, BackupDamagedError, inBackup, openBackup } from './copy/backup-folder.ts'
import { claimStorage } from './copy/claim-storage.ts'
import { copyBlob, listKeys, onEach } from './copy/copy-blobs.ts'
import { type CopyTarget, openTarget, TargetInUseError } from './copy/copy-target.ts'
import { importRows } from './copy/import-rows.ts'
import { verifyRows } from './copy/verify-rows.ts'
import { recordForAll } from './record.ts'

/** Folder in DATA_DIR where the embedded database is filled: a server finds none before it is whole. */
const RESTORING = 'restoring'

export interface RestoreOptions {
  report?(line: string): void
}

/**
 * Fills an empty installation of either kind from a backup of either kind, and asks for its files to be indexed again.
 * On PostgreSQL and S3 it may be run again after it was cut off. No server starts on what is not whole.
 */
export async function restore(config: Config, folder: string, { report = () => {} }: RestoreOptions = {}) {
  const { dataDir, s3 } = config
  const isEmbedded = config.database.postgres === undefined
  if (isEmbedded) await refuseFilled(dataDir, s3 === undefined)
  const backup = await openBackup(folder)
  const storage = await openStorage({ dataDir, s3, isShared: true })
  const workDir = isEmbedded ? join(dataDir, RESTORING) : dataDir
  try {
    const target = await openTarget({ dataDir: workDir, postgres: config.database.postgres }, backup.source)
    try {
      await claimStorage(storage, target)
      const blobs = await restoreBlobs(backup, folder, storage, target, report)
      await importRows(backup.source, target, { logger: createLogger('warn'), report })
      const verified = await verifyRows(backup.source, { database: target.database, dataDir: workDir })
      await copyFile(inBackup(folder).prices, join(dataDir, 'prices.json')).catch(ignoreAbsent)
      await target.finish()
      report('The copy was compared with the backup: they are the same')
      await target.database.close()
      if (isEmbedded) await moveIntoPlace(dataDir)
      return { ...verified, ...blobs, reindexed: await finishRestore(config) }
    } catch (error) {
      await target.database.close()
      throw error
    }
  } finally {
    storage.close()
    await backup.close()
  }
}

async function refuseFilled(dataDir: string, areBlobsThere: boolean): Promise<void> {
  await makeDataDir(dataDir)
  const entries = await readdir(dataDir)
  if (entries.length === 0) return
  const hint = entries.includes(RESTORING) ? ' An earlier restore was cut off there: delete the folder first.' : ''
  if (areBlobsThere || entries.some((name) => name.startsWith('docent.sqlite') || name === RESTORING))
    throw new TargetInUseError(`DATA_DIR ${dataDir} is not empty; restore into a new one.${hint}`)
}

async function restoreBlobs(
  backup: Backup,
  folder: string,
  { blobs: to }: Storage,
  { isResumed }: CopyTarget,
  report: (line: string) => void,
): Promise<{ blobs: number; lost_blobs: number }> {
  const from = inBackup(folder).blobs
  const present = isResumed ? await listKeys(to) : new Set<string>()
  let blobs = 0
  let lost = 0
  for await (const batch of backup.blobs()) {
    await onEach(batch, async ({ key, sha256, isLost }) => {
      const stored = isLost || present.has(key) ? undefined : await copyBlob(from, to, key)
      if (isLost || (!stored && !present.has(key))) lost++
      else blobs++
      if (stored && sha256 !== null && sha256 !== stored.sha256)
        throw new BackupDamagedError(`the bytes of blob ${key}`)
    })
  }
  report(`${blobs} blobs`)
  return { blobs, lost_blobs: lost }
}

async function moveIntoPlace(dataDir: string): Promise<void> {
  await rename(databasePath(join(dataDir, RESTORING)), databasePath(dataDir))
  await rm(join(dataDir, RESTORING), { recursive: true })
}

/** Brings the tables up to this version, and has the index made that a backup leaves out. */
async function finishRestore(config: Config): Promise<number> {
  const postgres = config.database.postgres
  await (await openBeside<Tables>({ dataDir: config.dataDir, postgres }, migrations)).close()
  return withAdmin(config, async (context) => {
    await recordForAll(context, 'data.restored')
    return reindexAll(context.writes, context.queue, context.clock().toISOString())
  })
}

function ignoreAbsent(error: NodeJS.ErrnoException): void {
  if (error.code !== 'ENOENT') throw error
}
