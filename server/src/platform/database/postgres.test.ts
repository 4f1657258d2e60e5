import { expect, onTestFinished, test } from 'vitest'
import { temporaryFolder } from '../../../tests/support/database.ts'
import { freshDatabase } from '../../../tests/support/postgres.ts'
import type { Tables } from '../../db.ts'
import { migrations } from '../../migrations/index.ts'
import { openDatabase } from './open.ts'

test('processes that start at the same moment on an empty database all get to work', async () => {
  const url = await freshDatabase()
  const folder = await temporaryFolder()
  const open = () => openDatabase<Tables>(folder, migrations, { postgres: { url, connections: 3 } })
  const databases = await Promise.all([open(), open(), open()])
  onTestFinished(async () => {
    for (const { close } of databases) await close()
  })
  await Promise.all(
    databases.map(({ writes }, id) =>
      writes.commit((tx) =>
        tx
          .insertInto('organization')
          .values({ id: `${id}`, name: 'A\0B', created_at: '' })
          .execute(),
      ),
    ),
  )
  const rows = await databases[0]!.db.selectFrom('organization').selectAll().orderBy('id').execute()
  expect(rows).toEqual(['0', '1', '2'].map((id) => ({ id, name: 'A\ufffdB', created_at: '' })))
})
