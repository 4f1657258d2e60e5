import { open, readdir, readFile, rm, stat, utimes, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test, vi } from 'vitest'
import { temporaryFolder } from '../../../../tests/support/database/database.ts'
import { newTestEngine } from '../../../../tests/support/search/search-engine.ts'
import type { Passage } from '../../engine.ts'
import { tableOf } from '../lance-engine.ts'
import { createChecksumKeeper } from './checksum-keeper.ts'
import { compareChecksums, noteChecksums } from './table-checksums.ts'

const TABLE = tableOf('org')
const noted = async () => {}

const idOf = (number: number) => number.toString(16).padStart(24, '0')

const passageOf = (number: number): Passage => ({
  id: idOf(number),
  documentId: idOf(number),
  groupId: idOf(1),
  ordinal: 0,
  heading: '',
  text: `the valve number ${number} opens at forty degrees`,
  location: '{}',
})

function enginesOf(uri: string, { shared = false, suspected = [] as string[] } = {}) {
  const onSuspect = (space: string, error: unknown) => suspected.push(`${space}: ${(error as Error).message}`)
  return newTestEngine(uri, { shared, onSuspect })
}

async function indexed(uri: string, from = 0): Promise<void> {
  const engine = enginesOf(uri)
  await engine.add(
    'org',
    Array.from({ length: 30 }, (_, number) => passageOf(from + number)),
  )
  await engine.maintain('org')
  await engine.close()
}

async function filesOf(uri: string): Promise<string[]> {
  const folder = join(uri, `${TABLE}.lance`)
  const entries = await readdir(folder, { recursive: true, withFileTypes: true })
  return entries
    .filter((entry) => entry.isFile() && entry.name !== 'latest_version_hint.json')
    .map((entry) => join(entry.parentPath, entry.name).slice(folder.length + 1))
}

const pathOf = (uri: string, file: string) => join(uri, `${TABLE}.lance`, file)

/** Turns one bit of a file over, at a place from 0 to 1, and leaves its times as they are. @returns what takes it back */
async function turnBit(path: string, place: number): Promise<() => Promise<void>> {
  const { size, atime, mtime } = await stat(path)
  const position = Math.floor(place * (size - 1))
  const turn = async () => {
    const file = await open(path, 'r+')
    const byte = Buffer.alloc(1)
    await file.read(byte, 0, 1, position)
    await file.write(Buffer.from([byte[0]! ^ 1]), 0, 1, position)
    await file.close()
    await utimes(path, atime, mtime)
  }
  await turn()
  return turn
}

test('one bit that changed is seen, in whatever file and wherever it is', async () => {
  const uri = await temporaryFolder()
  await indexed(uri)
  const files = await filesOf(uri)
  expect(files.map((file) => file.split('/')[0])).toEqual(
    expect.arrayContaining(['data', '_indices', '_versions', '_transactions']),
  )
  for (const file of files)
    for (const place of [0, 0.5, 1]) {
      const takeBack = await turnBit(pathOf(uri, file), place)
      expect(await compareChecksums(uri, TABLE, noted)).toBe(`${file} changed after being written`)
      await takeBack()
    }
  expect(await compareChecksums(uri, TABLE, noted)).toBeUndefined()
})

test('damage stays damage while more is written, and several files are named by one and their number', async () => {
  const uri = await temporaryFolder()
  await indexed(uri)
  const files = (await filesOf(uri)).filter((file) => file.startsWith('_transactions'))
  for (const file of files) await turnBit(pathOf(uri, file), 0.5)
  await indexed(uri, 100)
  const found = await compareChecksums(uri, TABLE, noted)
  expect(found).toMatch(new RegExp(`^_transactions/.*\\.txn and ${files.length - 1} more of its files changed`))
})

test('files of an earlier version, which have no checksums, are noted soon after a start', async () => {
  const uri = await temporaryFolder()
  await indexed(uri)
  const path = join(uri, `${TABLE}.checksums`)
  const before = (await readFile(path, 'utf8')).split('\n').slice(1, -2).sort()
  await rm(path)
  const engine = enginesOf(uri)
  const after = await vi.waitFor(() => readFile(path, 'utf8'), { timeout: 20_000, interval: 50 })
  expect(after.split('\n').slice(1, -2).sort()).toEqual(before)
  await engine.close()
})

test('what is gone is forgotten, and nothing is noted of a table that is gone', async () => {
  const uri = await temporaryFolder()
  await indexed(uri)
  const [file] = (await filesOf(uri)).filter((path) => path.startsWith('_transactions'))
  await rm(pathOf(uri, file!))
  expect(await noteChecksums(uri, TABLE)).toBeUndefined()
  const path = join(uri, `${TABLE}.checksums`)
  expect(await readFile(path, 'utf8')).not.toContain(file)
  await rm(join(uri, `${TABLE}.lance`), { recursive: true })
  expect(await noteChecksums(uri, TABLE)).toBeUndefined()
  expect(await readdir(uri)).toEqual([])
})

test.each(['dropped', 'removed from outside'])(
  'a table that was %s begins anew with checksums of its own',
  async (how) => {
    const uri = await temporaryFolder()
    await indexed(uri)
    const engine = enginesOf(uri)
    if (how === 'dropped') await engine.drop('org')
    else await rm(join(uri, `${TABLE}.lance`), { recursive: true })
    await engine.add('org', [passageOf(7), passageOf(8)])
    await engine.close()
    expect(await filesOf(uri)).toContain('_versions/18446744073709551614.manifest')
    expect(await compareChecksums(uri, TABLE, noted)).toBeUndefined()
  },
)

test('checksums of which some are lost or changed are not believed, nor made again over damage', async () => {
  const uri = await temporaryFolder()
  await indexed(uri)
  const path = join(uri, `${TABLE}.checksums`)
  const whole = await readFile(path)
  const lines = whole.toString().split('\n')
  const damaged = [
    '',
    'docent',
    lines.toSpliced(3, 1).join('\n'),
    lines.slice(0, 4).join('\n'),
    Buffer.from(whole.map((byte, place) => (place === 40 ? byte ^ 1 : byte))),
  ]
  for (const content of damaged) {
    await writeFile(path, content)
    expect(await compareChecksums(uri, TABLE, noted)).toBe('the checksums of its files are damaged')
    expect(await noteChecksums(uri, TABLE)).toBe('the checksums of its files are damaged')
    expect(await readFile(path)).toEqual(Buffer.from(content))
  }
})

test('two processes that write to one folder note what both wrote', async () => {
  const uri = await temporaryFolder()
  const engines = [enginesOf(uri, { shared: true }), enginesOf(uri, { shared: true })]
  for (let number = 0; number < 6; number++) await engines[number % 2]!.add('org', [passageOf(number)])
  await Promise.all(engines.map((engine) => engine.close()))
  await noteChecksums(uri, TABLE)
  expect(await compareChecksums(uri, TABLE, noted)).toBeUndefined()
  for (const file of await filesOf(uri)) {
    const takeBack = await turnBit(pathOf(uri, file), 0.5)
    expect(await compareChecksums(uri, TABLE, noted)).toContain(file)
    await takeBack()
  }
})

test('a file that was cut off before the start makes the server look at its space', async () => {
  const uri = await temporaryFolder()
  await indexed(uri)
  const [file] = (await filesOf(uri)).filter((path) => path.startsWith('_indices'))
  await writeFile(pathOf(uri, file!), '')
  const suspected: string[] = []
  const engine = enginesOf(uri, { suspected })
  await vi.waitFor(() => expect(suspected).toEqual([`org: ${file} changed after being written`]), {
    timeout: 20_000,
    interval: 50,
  })
  await engine.close()
})

test('what a process left half written that was killed goes after an hour', async () => {
  const uri = await temporaryFolder()
  for (const name of ['a.v1.checksums.0.part', 'b.v1.checksums.0.part']) await writeFile(join(uri, name), 'docent')
  const old = new Date(Date.now() - 3_700_000)
  await utimes(join(uri, 'a.v1.checksums.0.part'), old, old)
  const errors: unknown[] = []
  const keeper = createChecksumKeeper({ uri, onDamage: () => {}, onError: (error) => errors.push(error) })
  await vi.waitFor(async () => expect(await readdir(uri)).toEqual(['b.v1.checksums.0.part']), {
    timeout: 20_000,
    interval: 50,
  })
  await keeper.close()
  expect(errors).toEqual([])
})
