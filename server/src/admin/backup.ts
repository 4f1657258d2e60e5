import { cp, mkdir, readdir, rename, stat } from 'node:fs/promises'
import { join } from 'node:path'
import type { Config } from '../config.ts'
import { backupSqlite } from '../platform/database/migrate.ts'
import { databasePath } from '../platform/database/open.ts'
import { reindexAll } from '../retrieval/reindex.ts'
import { withAdmin } from './context.ts'
import { recordForAll } from './record.ts'

const DATABASE = 'docent.sqlite'

/**
 * The database first, then the blobs: a blob is stored before any row names it, so every blob that the copied rows
 * name is there to be copied. One that was removed meanwhile belongs to a row that was deleted after the copy.
 */
export async function backUp(config: Config, folder: string) {
  await mkdir(folder)
  await backupSqlite(databasePath(config.dataDir), folder, DATABASE)
  await cp(join(config.dataDir, 'blobs'), join(folder, 'blobs'), {
    recursive: true,
    filter: (path) => !path.endsWith('.part'),
  }).catch(ignoreAbsent)
  await withAdmin(config, (context) => recordForAll(context, 'data.backed_up'))
  return { folder, ...(await measure(folder)) }
}

/** The search index is not part of a backup: it is made again from the files. */
export async function restore(config: Config, folder: string) {
  const { dataDir } = config
  if ((await readdir(dataDir).catch(() => [])).length > 0) {
    throw new Error(`DATA_DIR ${dataDir} is not empty; restore into a new one`)
  }
  await stat(join(folder, DATABASE)).catch(() => {
    throw new Error(`${folder} holds no backup: ${DATABASE} is missing`)
  })
  await mkdir(dataDir, { recursive: true })
  await cp(join(folder, 'blobs'), join(dataDir, 'blobs'), { recursive: true }).catch(ignoreAbsent)
  // Last, under its name: a restore that was cut off leaves nothing that a server would start on.
  const temporary = join(dataDir, `${DATABASE}.restoring`)
  await cp(join(folder, DATABASE), temporary)
  await rename(temporary, databasePath(dataDir))
  const reindexed = await withAdmin(config, async (context) => {
    const { db, queue, clock } = context
    await recordForAll(context, 'data.restored')
    return reindexAll(db, queue, clock().toISOString())
  })
  return { ...(await measure(folder)), reindexed }
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
