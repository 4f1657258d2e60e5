import { appendFile, mkdir, readFile, rm, utimes, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { everyRow } from '../../server/tests/support/every-row.ts'
import { startTestApp } from '../../server/tests/support/test-app.ts'
import { cliOf, folderWith } from './run-cli.ts'

const NOTHING = {
  dry_run: false,
  uploaded: [],
  downloaded: [],
  deleted_here: [],
  deleted_in_drive: [],
  conflicts: [],
  skipped: [],
  failed: [],
}

async function start(files: Record<string, string>) {
  const started = await cliOf(await startTestApp(), files)
  const { json, run, folder, client } = started
  const sync = (...options: string[]) => json('sync', 'here', '/Shared', ...options)
  /** Output of a sync that ends with 1. */
  const failing = async (...options: string[]) => {
    const { code, out } = await run(['sync', 'here', '/Shared', '--json', ...options])
    expect(code).toBe(1)
    return JSON.parse(out)
  }
  const write = (path: string, text: string) => writeFile(join(folder, 'here', path), text)
  const read = (path: string) => readFile(join(folder, 'here', path), 'utf8')
  const putRemote = async (path: string, text: string) => {
    await writeFile(join(folder, 'upload'), text)
    const names = path.split('/')
    await json('put', 'upload', '/Shared/upload.tmp')
    if (names.length > 1) await json('mkdir', `/Shared/${names.slice(0, -1).join('/')}`)
    await run(['rm', '-f', `/Shared/${path}`])
    await json('mv', '/Shared/upload.tmp', `/Shared/${path}`)
  }
  const readRemote = async (path: string) => (await run(['get', `/Shared/${path}`, '-'])).out
  return { ...started, client, sync, failing, write, read, putRemote, readRemote }
}

test('a directory and a folder become alike, both ways, and what is alike is left alone', async () => {
  const app = await start({ 'here/a.md': 'A', 'here/deep/b.md': 'B', 'here/.hidden': 'no' })
  await app.write('empty.md', '')
  const skipped = [{ path: 'empty.md', reason: 'is empty: the drive takes no empty files' }]
  expect(await app.sync('--dry-run')).toEqual({ ...NOTHING, skipped, dry_run: true, uploaded: ['a.md', 'deep/b.md'] })
  expect((await app.json('ls')).folders).toEqual([])
  expect(await app.sync()).toEqual({ ...NOTHING, skipped, uploaded: ['a.md', 'deep/b.md'] })
  expect(await app.run(['sync', 'here', '/Shared'])).toMatchObject({ code: 0, out: '' })
  await rm(join(app.folder, 'here/empty.md'))
  expect(await app.sync()).toEqual(NOTHING)
  expect((await app.run(['sync', 'here', '/Shared'])).out).toBe('Both sides are alike\n')

  await app.putRemote('new/c.md', 'C')
  await app.write('a.md', 'A2')
  expect(await app.sync()).toEqual({ ...NOTHING, uploaded: ['a.md'], downloaded: ['new/c.md'] })
  expect(await app.read('new/c.md')).toBe('C')
  expect(await app.readRemote('a.md')).toBe('A2')
  expect((await app.json('ls', '/Shared')).files).toHaveLength(1)

  // Another time without another content is no change.
  await utimes(join(app.folder, 'here/a.md'), 1, 1)
  expect(await app.sync()).toEqual(NOTHING)

  // A second directory gets all of it; without its state, what is equal is adopted.
  expect((await app.json('sync', 'there', '/Shared')).downloaded).toEqual(['a.md', 'deep/b.md', 'new/c.md'])
  await rm(join(app.folder, 'there/.docent-sync'))
  expect(await app.json('sync', 'there', '/Shared')).toEqual(NOTHING)
})

test('nothing that changed on both sides is overwritten, and deletions wait for --delete', async () => {
  const app = await start({ 'here/a.md': 'A', 'here/b.md': 'B', 'here/c.md': 'C', 'here/d.md': 'D' })
  await app.sync()
  await app.write('a.md', 'mine')
  await app.putRemote('a.md', 'theirs')
  await app.write('b.md', 'mine')
  await app.json('rm', '/Shared/b.md')
  const conflicts = [
    { path: 'a.md', reason: 'changed on both sides' },
    { path: 'b.md', reason: 'changed here, deleted in the drive' },
  ]
  expect(await app.failing()).toEqual({ ...NOTHING, conflicts })
  expect([await app.read('a.md'), await app.readRemote('a.md')]).toEqual(['mine', 'theirs'])
  expect(await app.sync('--prefer', 'remote', '--dry-run', '--delete')).toMatchObject({
    downloaded: ['a.md'],
    deleted_here: ['b.md'],
  })
  expect(await app.sync('--prefer', 'local')).toEqual({ ...NOTHING, uploaded: ['a.md', 'b.md'] })
  expect([await app.readRemote('a.md'), await app.readRemote('b.md')]).toEqual(['mine', 'mine'])

  await rm(join(app.folder, 'here/c.md'))
  await app.json('rm', '/Shared/d.md')
  expect((await app.sync()).skipped).toEqual([
    { path: 'c.md', reason: 'was deleted here' },
    { path: 'd.md', reason: 'was deleted in the drive' },
  ])
  expect(await app.sync('--delete')).toEqual({ ...NOTHING, deleted_here: ['d.md'], deleted_in_drive: ['c.md'] })
  await expect(app.read('d.md')).rejects.toThrow('ENOENT')
  expect(await app.sync('--delete')).toEqual(NOTHING)
})

test('a new version of a file in the drive is a change of it, and an upload is a new version', async () => {
  const app = await start({ 'here/a.md': 'A', 'here/b.md': 'B', 'b.md': 'B theirs' })
  const versions = async () =>
    (await app.json('ls', '/Shared')).files.map(({ id, version }: { id: string; version: number }) => [id, version])
  await app.sync()
  // State of a sync from before there were versions: its files are the first.
  const state = await app.read('.docent-sync')
  await app.write('.docent-sync', state.replaceAll(/"version":\d+,"folderId"/g, '"folderId"'))
  expect(await app.sync()).toEqual(NOTHING)
  const [[a], [b]] = await versions()
  await app.write('a.md', 'A2')
  await app.json('put', 'b.md', '/Shared')
  expect(await app.sync()).toEqual({ ...NOTHING, uploaded: ['a.md'], downloaded: ['b.md'] })
  expect([await app.readRemote('a.md'), await app.read('b.md')]).toEqual(['A2', 'B theirs'])
  expect(await versions()).toEqual([
    [a, 2],
    [b, 2],
  ])
  expect(await app.sync()).toEqual(NOTHING)

  await app.json('restore', '/Shared/b.md', '1')
  await app.write('b.md', 'mine')
  expect((await app.failing()).conflicts).toEqual([{ path: 'b.md', reason: 'changed on both sides' }])
  await app.write('b.md', 'B')
  expect(await app.sync()).toEqual(NOTHING)
})

test('names that differ by case or Unicode form are one file, and what a disk cannot hold is reported', async () => {
  const app = await start({ 'here/Straße/Müller.md': 'M', 'here/x.md': 'x', 'here/X.md': 'X' })
  expect(await app.sync()).toMatchObject({
    uploaded: ['Straße/Müller.md', 'X.md'],
    skipped: [{ path: 'x.md', reason: 'differs from X.md in case alone' }],
  })
  const decomposed = join(app.folder, 'here/Straße'.normalize('NFD'))
  await rm(join(app.folder, 'here/Straße'), { recursive: true })
  await mkdir(decomposed, { recursive: true })
  await writeFile(join(decomposed, 'Müller.md'.normalize('NFD')), 'M')
  await rm(join(app.folder, 'here/x.md'))
  expect(await app.sync('--delete')).toEqual(NOTHING)
  await app.putRemote('a:b.md', 'colon')
  expect((await app.sync()).downloaded).toEqual(['a:b.md'])
  expect(await app.read('a_b.md')).toBe('colon')
  expect(await app.sync()).toEqual(NOTHING)
})

test('a sync that was killed goes on from where it was', async () => {
  const app = await start({ 'here/a.md': 'A', 'here/.docent-draft-1-1': 'half a download' })
  await app.sync()
  await expect(app.read('.docent-draft-1-1')).rejects.toThrow('ENOENT')
  // Killed after an upload, in the middle of a line of the state.
  await app.write('a.md', 'A2')
  await app.json('put', 'here/a.md', '/Shared')
  await appendFile(join(app.folder, 'here/.docent-sync'), '{"key":"a.md","ha')
  await app.write('.docent-sync.lock', '999999999')
  expect(await app.sync()).toEqual(NOTHING)
  expect((await app.json('ls', '/Shared')).files).toHaveLength(1)
  expect(await app.readRemote('a.md')).toBe('A2')
})

test('syncs that make no sense are refused, and change nothing', async () => {
  const app = await start({ 'here/a.md': 'A', 'file.txt': 'F' })
  await app.sync()
  const other = await folderWith()
  await app.write('.docent-sync.lock', String(process.pid))
  await everyRow(
    [
      ['a directory that another sync holds', ['here', '/Shared'], 1, `Process ${process.pid}`],
      ['the root', ['here', '/'], 2, 'cannot be at the root'],
      ['a file', ['file.txt', '/Shared'], 2, 'no directory'],
      ['neither side', ['none', '/None'], 4, 'neither'],
      ['an unknown side', ['here', '/Shared', '--prefer', 'mine'], 2, 'prefer'],
      ['another folder', ['here', '/Other', '--dry-run'], 1, 'was synced with another folder'],
      ['no folder', [other], 2, 'folder'],
    ] as [string, string[], number, string][],
    async (_name, args, code, message) => {
      const result = await app.run(['sync', ...args])
      expect(result).toMatchObject({ code, out: '' })
      expect(result.err).toContain(message)
    },
  )
  await rm(join(app.folder, 'here/.docent-sync.lock'))
  await app.write('.docent-sync', 'nonsense')
  expect(await app.run(['sync', 'here', '/Shared'])).toMatchObject({
    code: 1,
    err: expect.stringContaining('remove it'),
  })
})

test('with --watch, changes on either side are synced until Ctrl+C, and a second sync is refused meanwhile', async () => {
  const app = await start({ 'here/a.md': 'A' })
  const soon = { timeout: 30_000, interval: 100 }
  const watching = app.start('sync', 'here', '/Shared', '--watch', '--interval', '1')
  const filesThere = async () => (await app.json('ls', '/Shared')).files.map(({ title }: any) => title).sort()
  await expect.poll(filesThere, soon).toEqual(['a.md'])
  await app.write('b.md', 'B')
  await expect.poll(filesThere, soon).toEqual(['a.md', 'b.md'])
  await writeFile(join(app.folder, 'c.md'), 'C')
  await app.json('put', 'c.md', '/Shared/c.md')
  await expect.poll(() => app.read('c.md').catch(() => null), soon).toBe('C')
  expect((await app.run(['sync', 'here', '/Shared'])).err).toContain('is syncing')
  expect(await watching.end('SIGINT')).toBe(0)
  expect(watching.err()).toContain('Ctrl+C ends it')
  expect(await app.sync()).toEqual(NOTHING)

  await everyRow(['0', 'x', '1.5', '86401'], async (interval) => {
    expect((await app.run(['sync', 'here', '/Shared', '--watch', '--interval', interval])).code).toBe(2)
  })
  expect((await app.run(['sync', 'here', '/Shared', '--watch', '--dry-run'])).code).toBe(2)
})
