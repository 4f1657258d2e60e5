import { expect, test } from 'vitest'
import { openNotes } from '../../../../tests/support/database/notes.ts'
import { freshDatabase } from '../../../../tests/support/database/postgres.ts'
import { query } from '../../../../tests/support/database/postgres-server.ts'

test('tables of a new database have statistics while they grow, before PostgreSQL looks at them', async () => {
  const { db, url } = await openNotes(await freshDatabase())
  const known = async () => {
    const [table] = await query<{ rows: number }>(
      url,
      `select greatest(reltuples, 0)::int as rows from pg_class where oid = 'note'::regclass`,
    )
    return table!.rows
  }
  const add = (from: number) =>
    db
      .insertInto('note')
      .values(Array.from({ length: 200 }, (_, index) => ({ id: from + index, text: 'a note' })))
      .execute()
  expect(await known()).toBe(0)
  await add(0)
  await expect.poll(known).toBe(200)
  for (let from = 200; from < 1_200; from += 200) await add(from)
  await expect.poll(known).toBe(1_200)
})
