import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { onTestFinished } from 'vitest'
import type { Tables } from '../../../src/db.ts'
import { migrations } from '../../../src/migrations/index.ts'
import {
  type Database,
  databasePath,
  type OpenOptions,
  openDatabase,
  openEmbedded,
} from '../../../src/platform/database/open.ts'
import { acrossOrganizations } from '../../../src/platform/database/statements/across-organizations.ts'
import { keepNewFilesPrivate } from '../../../src/platform/host/private-files.ts'
import { type AtEnd, readyDatabase } from './postgres.ts'

export const ORGANIZATION_ID = '0123456789abcdef00000001'

// As a server does.
keepNewFilesPrivate()

/** A folder that goes away when the test ends. */
export async function temporaryFolder(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'docent-test-'))
  onTestFinished(() => rm(folder, { recursive: true, force: true, maxRetries: 10 }))
  return folder
}

/** Whether tests that do not say otherwise run on PostgreSQL. */
export const isOnPostgres = process.env.DOCENT_TEST_DATABASE === 'postgres'

const urls = new Map<string, Promise<string>>()

/**
 * The database that goes with a data directory, as settings: with `DOCENT_TEST_DATABASE=postgres` in the environment of
 * the tests a PostgreSQL database of its own, the same one for the same folder, else the embedded one. It goes when the test ends, unless `atEnd` says when.
 */
export async function databaseSettings(dataDir: string, atEnd?: AtEnd): Promise<{ DATABASE_URL?: string }> {
  if (!isOnPostgres) return {}
  if (!urls.has(dataDir)) urls.set(dataDir, readyDatabase(atEnd))
  return { DATABASE_URL: await urls.get(dataDir)! }
}

let readyFile: Promise<Buffer> | undefined

/**
 * Lays an embedded database into a folder that has none, with the schema and without rows, as a server leaves it that
 * has started and stopped: a copy takes a fraction of what the migrations take.
 */
export async function layReadyDatabase(dataDir: string): Promise<void> {
  if (isOnPostgres) return
  const file = await (readyFile ??= makeReadyFile())
  await writeFile(databasePath(dataDir), file, { flag: 'wx' }).catch((error: NodeJS.ErrnoException) => {
    if (error.code !== 'EEXIST') throw error
  })
}

async function makeReadyFile(): Promise<Buffer> {
  const folder = await mkdtemp(join(tmpdir(), 'docent-test-'))
  try {
    const { close } = await openEmbedded<Tables>(folder, migrations)
    await close()
    return await readFile(databasePath(folder))
  } finally {
    await rm(folder, { recursive: true, force: true, maxRetries: 10 })
  }
}

/** Opens the real database with the real schema. */
export async function openTestDatabase(dataDir: string, options: OpenOptions = {}): Promise<Database<Tables>> {
  await layReadyDatabase(dataDir)
  const { DATABASE_URL: url } = await databaseSettings(dataDir)
  return openDatabase<Tables>({ dataDir, postgres: url ? { url, connections: 10 } : undefined }, migrations, options)
}

/** The real database with the real schema and one organization; closed when the test ends. `all` sees every row. */
export async function startTestDatabase(dataDir?: string) {
  const folder = dataDir ?? (await temporaryFolder())
  const database = await openTestDatabase(folder)
  let closing: Promise<void> | undefined
  const close = () => (closing ??= database.close())
  onTestFinished(close)
  const all = acrossOrganizations(database.db)
  await all
    .insertInto('organization')
    .values({ id: ORGANIZATION_ID, name: 'Test', created_at: '2026-01-01T00:00:00.000Z' })
    .onConflict((conflict) => conflict.doNothing())
    .execute()
  return { ...database, all, close, dataDir: folder }
}
