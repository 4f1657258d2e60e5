import { expect, test } from 'vitest'
import { createFileEventRetention } from '../../../src/drive/events/file-events.retention.ts'
import { removeOldEvents } from '../../../src/drive/events/old-events.store.ts'
import { driveOf } from '../../support/drive/drive.ts'
import { startTestApp } from '../../support/test-app.ts'

const HOUR_MS = 3_600_000

async function start() {
  const app = await startTestApp({}, { work: false })
  const { newFolder, addFile } = driveOf(app)
  const folder = await newFolder('Shelf')
  for (const title of ['a', 'b', 'c']) await addFile(folder, { title })
  const { db, writes, logger } = app.services
  const count = async () => {
    const rows = await db
      .selectFrom('file_event')
      .select('data_source_id')
      .where('organization_id', '=', app.owner.organizationId)
      .orderBy('id')
      .execute()
    return rows.length
  }
  return { writes, logger, count }
}

test('events of files are kept for a day', async () => {
  const { writes, logger, count } = await start()
  const sweepIn = (hours: number) =>
    createFileEventRetention({ writes, logger, clock: () => new Date(Date.now() + hours * HOUR_MS) }).sweep()
  expect(await sweepIn(23)).toBe(0)
  expect(await count()).toBe(3)
  expect(await sweepIn(25)).toBe(3)
  expect(await count()).toBe(0)
})

test('an organization keeps no more than its newest events, whatever their age', async () => {
  const { writes, count } = await start()
  const remove = (most: number) =>
    writes.commit((tx) => removeOldEvents(tx, { before: '2000-01-01T00:00:00.000Z', most, limit: 100 }))
  expect(await remove(3)).toBe(0)
  expect(await remove(2)).toBe(1)
  expect(await count()).toBe(2)
})
