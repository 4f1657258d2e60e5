import { copyFile } from 'node:fs/promises'
import { expect, onTestFinished, test } from 'vitest'
import { toConfig } from '../../src/config.ts'
import { openKernel } from '../../src/kernel.ts'
import { databasePath } from '../../src/platform/database/open.ts'
import { createLogger } from '../../src/platform/telemetry/logger.ts'
import { isOnPostgres, layReadyDatabase, temporaryFolder } from '../support/database/database.ts'

async function openOn(DATA_DIR: string) {
  const kernel = await openKernel({ config: toConfig({ DATA_DIR }), logger: createLogger('fatal') })
  let closing: Promise<void> | undefined
  const close = () => (closing ??= kernel.close())
  onTestFinished(close)
  return { check: () => kernel.crashCheck?.run(), close }
}

test.skipIf(isOnPostgres)('a start reads the whole database after a crash alone', async () => {
  const folder = await temporaryFolder()
  await layReadyDatabase(folder)
  const first = await openOn(folder)
  expect(await first.check()).toBeUndefined()

  const crashed = await temporaryFolder()
  for (const end of ['', '-wal']) await copyFile(databasePath(folder) + end, databasePath(crashed) + end)
  expect(await (await openOn(crashed)).check()).toEqual([])

  await first.close()
  expect(await (await openOn(folder)).check()).toBeUndefined()
})
