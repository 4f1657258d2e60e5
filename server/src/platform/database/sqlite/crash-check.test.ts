import { copyFile, open, readFile } from 'node:fs/promises'
import { expect, test } from 'vitest'
import { isOnPostgres, startTestDatabase, temporaryFolder } from '../../../../tests/support/database/database.ts'
import { createLogger } from '../../telemetry/logger.ts'
import { databasePath } from '../open.ts'
import { createCrashCheck } from './crash-check.ts'

const check = (dataDir: string) => createCrashCheck({ dataDir, logger: createLogger('fatal') }).run()

test.skipIf(isOnPostgres)(
  'after a crash a damaged page is found, after an end in good order nobody looks',
  async () => {
    const { all, dataDir, close } = await startTestDatabase()
    const path = databasePath(dataDir)
    const names = Array.from({ length: 2_000 }, (_, number) => ({
      id: number.toString(16).padStart(24, '0'),
      name: `Company ${number}`,
      created_at: '2026-01-01T00:00:00.000Z',
    }))
    for (let at = 0; at < names.length; at += 200)
      await all
        .insertInto('organization')
        .values(names.slice(at, at + 200))
        .execute()

    // A crash leaves the files as they are in the middle.
    const crashed = await temporaryFolder()
    for (const end of ['', '-wal']) await copyFile(path + end, databasePath(crashed) + end)
    await close()
    expect(await check(dataDir)).toBeUndefined()
    expect(await check(crashed)).toEqual([])

    const damaged = await temporaryFolder()
    await copyFile(path, databasePath(damaged))
    await (await open(`${databasePath(damaged)}-wal`, 'w')).close()
    const page = Math.floor((await readFile(path)).indexOf('Company 1500') / 4096)
    const file = await open(databasePath(damaged), 'r+')
    await file.write(Buffer.alloc(4096, 0x5a), 0, 4096, page * 4096)
    await file.close()
    expect((await check(damaged))!.length).toBeGreaterThan(0)
  },
)
