import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { type AdminContext, withAdmin } from '../../src/admin/context.ts'
import { examine } from '../../src/admin/doctor/doctor.ts'
import { toConfig } from '../../src/config.ts'
import { databaseSettings, temporaryFolder } from '../support/database/database.ts'
import { driveOf } from '../support/drive/drive.ts'
import { runAdmin, startAdmin } from '../support/processes/admin-process.ts'
import { startTestApp } from '../support/test-app.ts'

test('what comes and goes while the doctor looks counts as healthy, and what is missing is still reported', async () => {
  const app = await startTestApp()
  const { upload, newFolder, addFile } = driveOf(app)
  const folder = await newFolder('Busy')
  const lost = await addFile(folder, { content: 'lost', index: false })
  const { blob_key } = await app.services.db
    .selectFrom('data_source')
    .select('blob_key')
    .where('id', '=', lost)
    .executeTakeFirstOrThrow()
  const config = toConfig({ DATA_DIR: app.dataDir, ...(await databaseSettings(app.dataDir)) })

  /** Looks, and after the keys of the blobs were listed something else happens. */
  const examineWhile = (happens: () => Promise<unknown>) =>
    withAdmin(config, (context: AdminContext) => {
      async function* keys() {
        yield* context.blobs.keys()
        await happens()
      }
      return examine({ ...context, blobs: { ...context.blobs, keys } })
    })

  expect(await examineWhile(() => upload('fresh'))).toMatchObject({ healthy: true, rows_without_blob: 0 })
  await app.services.blobs.remove(blob_key)
  expect(await examineWhile(() => upload('fresh'))).toMatchObject({ healthy: false, rows_without_blob: 1 })
})

test('where there is no installation nothing is called healthy, backed up or made', async () => {
  const folder = join(await temporaryFolder(), 'mistyped')
  const settings = { DATA_DIR: folder, ...(await databaseSettings(folder)) }
  for (const command of [['doctor'], ['doctor', '--fix'], ['backup', `${folder}-backup`], ['dead-tasks', 'x']]) {
    const { code, result, stderr } = await startAdmin(settings, ...command).ended
    expect([code, result, stderr]).toEqual([
      1,
      undefined,
      expect.stringMatching(/^There is no installation of Docent in /),
    ])
  }
  expect([existsSync(folder), existsSync(`${folder}-backup`)]).toEqual([false, false])
  await runAdmin(settings, 'create-organization', 'First')
  expect(await runAdmin(settings, 'doctor')).toMatchObject({ healthy: true })
})
