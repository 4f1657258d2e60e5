import { expect, test } from 'vitest'
import type { Tables } from '../../../src/db.ts'
import { migrations } from '../../../src/migrations/index.ts'
import { openDatabase } from '../../../src/platform/database/open.ts'
import { acrossOrganizations } from '../../../src/platform/database/statements/across-organizations.ts'
import { temporaryFolder } from '../../support/database/database.ts'
import { freshDatabase } from '../../support/database/postgres.ts'

const created_at = '2026-01-01T00:00:00.000Z'
const idOf = (name: string) => name.repeat(24)

test.each(['embedded', 'postgres'])('uploads from before are given to the only workspace: %s', async (kind) => {
  const dataDir = await temporaryFolder()
  const postgres = kind === 'postgres' ? { url: await freshDatabase(), connections: 2 } : undefined
  const names = Object.keys(migrations)
  const earlier = names.slice(0, names.indexOf('0013-upload-owners'))
  const before = Object.fromEntries(earlier.map((name) => [name, migrations[name]!]))
  const old = await openDatabase<any>({ dataDir, postgres }, before, {})
  const all = acrossOrganizations(old.db)
  for (const [organization, workspaces] of [
    ['a', ['1']],
    ['b', ['2', '3']],
  ] as const) {
    const organization_id = idOf(organization)
    await all.insertInto('organization').values({ id: organization_id, name: organization, created_at }).execute()
    const rows = workspaces.map((name) => ({ id: idOf(name), organization_id, name, created_at }))
    await all.insertInto('workspace').values(rows).execute()
    const upload = { file_name: 'a', media_type: 'text/plain', size_bytes: 1, sha256: '', created_at }
    await all
      .insertInto('upload')
      .values({ id: organization_id, organization_id, blob_key: organization_id, expires_at: created_at, ...upload })
      .execute()
  }
  await old.close()

  const { db, close } = await openDatabase<Tables>({ dataDir, postgres }, migrations, {})
  const uploads = await acrossOrganizations(db).selectFrom('upload').selectAll().orderBy('id').execute()
  await close()
  const unknown = { key_id: null, session_id: null, visitor_id: null }
  expect(uploads).toMatchObject([
    { workspace_id: idOf('1'), ...unknown },
    { workspace_id: null, ...unknown },
  ])
})
