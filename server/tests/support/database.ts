import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { onTestFinished } from 'vitest'
import type { Tables } from '../../src/db.ts'
import { migrations } from '../../src/migrations/index.ts'
import { openDatabase } from '../../src/platform/database/open.ts'

export const ORGANIZATION_ID = '0123456789abcdef00000001'

/** A folder that goes away when the test ends. */
export async function temporaryFolder(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'docent-test-'))
  onTestFinished(() => rm(folder, { recursive: true, force: true }))
  return folder
}

/** The real database with the real schema and one organization; closed when the test ends. */
export async function startTestDatabase(dataDir?: string) {
  const folder = dataDir ?? (await temporaryFolder())
  const database = await openDatabase<Tables>(folder, migrations)
  let closing: Promise<void> | undefined
  const close = () => (closing ??= database.close())
  onTestFinished(close)
  await database.db
    .insertInto('organization')
    .values({ id: ORGANIZATION_ID, name: 'Test', created_at: '2026-01-01T00:00:00.000Z' })
    .onConflict((conflict) => conflict.doNothing())
    .execute()
  return { ...database, close, dataDir: folder }
}
