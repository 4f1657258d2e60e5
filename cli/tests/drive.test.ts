import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { everyRow } from '../../server/tests/support/every-row.ts'
import { startTestApp } from '../../server/tests/support/test-app.ts'
import { archive, type RawEntry } from '../../server/tests/support/test-files/archive.ts'
import { cliOf } from './run-cli.ts'

const KILN = '# Firing\n\nThe kiln in workshop three fires at 1240 degrees.\n'

test('files are put, listed, searched, fetched, moved and deleted by their paths', async () => {
  const { run, json, folder } = await cliOf(await startTestApp(), {
    'books/kiln.md': KILN,
    'books/deep/glaze.md': 'Celadon.',
    'a.txt': 'A',
  })
  const put = await json('put', 'books', 'a.txt', 'drive:/Hand\\/books/New', '--wait')
  expect(put.files.map(({ path }: { path: string }) => path)).toEqual([
    '/Hand\\/books/New/a.txt',
    '/Hand\\/books/New/books/deep/glaze.md',
    '/Hand\\/books/New/books/kiln.md',
  ])
  expect((await run(['ls'])).out).toMatch(/^folder +\d{4}-\d\d-\d\d {2}Hand\/books\/\n$/)
  const listed = await run(['ls', '/hand\\/books/new/books'])
  expect(listed.out).toMatch(/^folder .*deep\/\nfile +60 B .*kiln\.md\n$/)

  const { results } = await json('search', 'kiln degrees', '/Hand\\/books', '-n', '1')
  expect(results).toMatchObject([{ title: 'kiln.md', text: expect.stringContaining('1240') }])
  expect((await run(['search', 'kiln degrees'])).out).toMatch(/^kiln\.md, .*Firing\n[\s\S]*1240/)

  await writeFile(join(folder, 'books/kiln.md'), KILN.replace('1240', '980'))
  expect(await run(['put', 'books/kiln.md', '/Hand\\/books/New/books'])).toMatchObject({ code: 0 })
  expect((await run(['get', '/Hand\\/books/New/books/kiln.md', '-'])).out).toContain('980')
  expect((await json('ls', '/Hand\\/books/New/books')).files).toHaveLength(1)
  const kiln = '/Hand\\/books/New/books/kiln.md'
  expect((await run(['versions', kiln])).out).toMatch(/^2 .* upload .*current.*\n1 .* upload /)
  expect((await run(['versions', kiln, '--get', '1'])).out).toContain('1240')
  expect(await json('restore', kiln, '1', '--wait')).toMatchObject({ version: 3 })
  expect((await run(['get', kiln, '-'])).out).toContain('1240')
  expect(await run(['restore', kiln, '9'])).toMatchObject({ code: 4 })
  expect(await run(['versions', kiln, '--get', 'x'])).toMatchObject({ code: 2 })
  expect((await run(['versions', kiln, '--get', '1', '--to', '-'])).out).toContain('1240')

  const got = await run(['get', '/Hand\\/books/New', 'here'])
  expect(got).toMatchObject({ code: 0 })
  expect(await readFile(join(folder, 'here/books/deep/glaze.md'), 'utf8')).toBe('Celadon.')
  // A folder that is there gets it inside, as with cp.
  expect(await run(['get', '/Hand\\/books/New', 'here'])).toMatchObject({ code: 0 })
  expect(await readFile(join(folder, 'here/New/a.txt'), 'utf8')).toBe('A')
  expect(await run(['get', '/Hand\\/books/New', 'here'])).toMatchObject({ code: 1, out: '' })
  expect(await run(['get', '/Hand\\/books/New', 'here', '-f'])).toMatchObject({ code: 0 })

  await json('mkdir', '/Old/Shelf')
  expect(await json('mv', '/Hand\\/books/New/a.txt', '/Old/b.txt')).toEqual({ path: '/Old/b.txt' })
  expect(await json('mv', '/Hand\\/books/New', '/Old/Shelf')).toEqual({ path: '/Old/Shelf/New' })
  expect(await json('mv', '/Old', '/Archive')).toEqual({ path: '/Archive' })
  expect((await json('ls', '/Archive/Shelf/New/books')).files).toMatchObject([{ title: 'kiln.md' }])
  expect((await json('rm', '/Archive/b.txt', '/Archive/Shelf', '-r')).deleted).toEqual([
    '/Archive/b.txt',
    '/Archive/Shelf',
  ])
  expect(await json('ls', '/Archive')).toMatchObject({ folders: [], files: [] })
})

test('a file that cannot be put is named, and the empty ones of a folder are left out', async () => {
  const { run, json } = await cliOf(await startTestApp(), { 'e/zero.txt': '', 'e/one.txt': 'One', 'e/d/none.txt': '' })
  const named = await run(['put', 'e/zero.txt', 'e/one.txt', '/New'])
  expect(named).toMatchObject({ code: 1, err: expect.stringContaining('e/zero.txt: The file is empty\n') })
  const failed = await run(['put', 'e/zero.txt', 'e/one.txt', '/New', '--json'])
  expect(JSON.parse(failed.err)).toEqual({
    error: { code: 'FILE_UPLOAD_FAILED', message: 'e/zero.txt: The file is empty' },
  })
  const folder = await run(['put', 'e', '/New'])
  expect(folder).toMatchObject({ code: 0, out: '/New/e/one.txt\n' })
  expect(folder.err).toContain('left alone: e/zero.txt is empty: the drive takes no empty files\n')
  const { files, skipped } = await json('put', 'e', '/New')
  expect(files).toMatchObject([{ path: '/New/e/one.txt' }])
  expect(skipped.map(({ path }: { path: string }) => path).sort()).toEqual(['e/d/none.txt', 'e/zero.txt'])
})

test('an archive is put as a folder, and what is left out of it is told', async () => {
  const { run, json, folder } = await cliOf(await startTestApp(), {})
  const pack = (entries: RawEntry[]) => writeFile(join(folder, 'Papers.zip'), archive(entries))
  await pack([{ name: 'deep/kiln.md', content: KILN }])
  await json('put', 'Papers.zip', 'drive:/Box/', '--unpack', '--wait')
  const { results } = await json('search', 'kiln degrees', '/Box/Papers/deep')
  expect(results).toMatchObject([{ title: 'kiln.md' }])
  expect(await json('ls', '/Box')).toMatchObject({ folders: [{ name: 'Papers' }], files: [] })
  await pack([
    { name: 'a.txt', content: 'A' },
    { name: 'b.txt', content: 'B', crc: 1 },
  ])
  const told = await run(['put', 'Papers.zip', 'drive:/Box/', '--unpack', '--wait'])
  expect(told).toMatchObject({ code: 1, err: expect.stringContaining('b.txt (it is damaged)') })
})

test('what makes no sense is reported, with an exit code that says which kind', async () => {
  const { run, json } = await cliOf(await startTestApp(), { 'a.txt': 'A' })
  await json('put', 'a.txt', '/Box')
  await everyRow(
    [
      ['no command that there is', ['lst'], 2, 'ls'],
      ['an option that there is not', ['ls', '--lng'], 2, '--lng'],
      ['no path', ['get'], 2, 'path'],
      ['a folder that is not there', ['ls', '/Nowhere'], 4, 'nothing at /Nowhere'],
      ['a file that is not there', ['get', '/Box/b.txt'], 4, 'nothing at /Box/b.txt'],
      ['a local file that is not there', ['put', 'b.txt', '/Box'], 4, 'b.txt'],
      ['an upload without a target', ['put', 'a.txt'], 2, 'then the folder'],
      ['an upload to the root', ['put', 'a.txt', '/'], 2, 'cannot be at the root'],
      ['a folder without -r', ['rm', '/Box'], 2, 'rm -r'],
      ['the root', ['rm', '-r', '/'], 2, 'root'],
      ['a move into nothing', ['mv', '/Box/a.txt', '/No/a.txt'], 4, 'no folder /No'],
      ['a folder into itself', ['mv', '/Box', '/Box/Inner'], 1, ''],
      ['a limit that is no number', ['search', 'x', '-n', 'many'], 2, 'whole number'],
      ['a question of blanks', ['search', ' '], 2, 'quotes'],
      ['a wrong key', ['ls', '--key', 'dct_wrong'], 3, 'refuses the key'],
      ['a server that is not there', ['ls', '--url', 'http://127.0.0.1:1'], 3, 'npm start'],
    ] as [string, string[], number, string][],
    async (_name, args, code, message) => {
      const result = await run(args)
      expect(result).toMatchObject({ code, out: '' })
      expect(result.err).toContain(message)
    },
  )
  const { code, out, err } = await run(['ls', '/Nowhere', '--json'])
  expect([code, out, JSON.parse(err)]).toEqual([
    4,
    '',
    { error: { code: 'NOT_FOUND', message: 'There is nothing at /Nowhere' } },
  ])
  const rows: [args: string[], code: number, name: string, message: RegExp][] = [
    [['ls', '--url', 'http://127.0.0.1:1'], 3, 'CONNECTION_FAILED', /^No server listens/],
    [['ls', '--key', 'dct_wrong'], 3, 'UNAUTHORIZED', /refuses the key that was given/],
    [['ls', '--frob'], 2, 'USAGE', /^unknown option '--frob'/],
    [['serach'], 2, 'USAGE', /^unknown command 'serach'\n\(Did you mean search\?\)$/],
    [['get'], 2, 'USAGE', /^missing required argument 'path'/],
    [['usage', '--by', 'month'], 2, 'USAGE', /Allowed choices are day/],
    [['threads'], 2, 'USAGE', /--help lists them/],
    [['ask'], 2, 'USAGE', /^What is the question/],
    [['put', '/nowhere.txt', '/'], 4, 'NOT_FOUND', /nowhere\.txt/],
  ]
  await everyRow(rows, async (args, code, name, message) => {
    const failed = await run([...args, '--json'])
    expect(failed).toMatchObject({ code, out: '' })
    expect(JSON.parse(failed.err)).toEqual({ error: { code: name, message: expect.stringMatching(message) } })
  })
  expect((await run(['--version'])).out).toMatch(/^\d+\.\d+\.\d+\n$/)
  expect((await run(['--help'])).out).toContain('drive:/FOLDER/FILE')
})

test('a chat answers line by line in one thread, and goes on in it later', async () => {
  const { run, client, json } = await cliOf(await startTestApp(), { 'kiln.md': KILN })
  await json('put', 'kiln.md', '/Kilns', '--wait')
  const [{ id }] = (await json('ls')).folders
  const agent = await client.agents.create({ name: 'Potter', knowledge_base_ids: [id] })
  const { out, code } = await run(['chat', 'Potter', '--json'], 'Which kiln fires in workshop three?\n\nAnd how hot?\n')
  expect(code).toBe(0)
  const answers = out
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line))
  expect(answers).toMatchObject([{ answer: expect.stringContaining('1240') }, { chat_id: answers[0].chat_id }])
  const thread = answers[0].chat_id
  const again = await run(['chat', agent.id, '--thread', thread], 'Which kiln fires in workshop three?\n/exit\nnever\n')
  expect(again.out).toContain('1240')
  expect(again.out).toMatch(/\[1\] kiln\.md/)
  expect((await client.chats.messages.list(agent.id, thread)).messages).toHaveLength(3)
  expect(await run(['chat', '--thread', thread])).toMatchObject({ code: 2 })
})

test('files are indexed again by their paths, and their indexing is ended', async () => {
  const app = await startTestApp({ DOCENT_INDEXERS: '1' })
  // Takes the only parser much longer than a test does.
  const slow = `<html><body>${'<p>word <b>by</b> word</p>'.repeat(380_000)}</body></html>`
  const books = { 'books/kiln.md': KILN, 'books/deep/glaze.md': 'Celadon.' }
  const { run, json } = await cliOf(app, { ...books, 'slow.html': slow })
  await json('put', 'books', '/Shelf', '--wait')
  const { files } = await json('index', '/Shelf')
  expect(files.map(({ title }: { title: string }) => title).sort()).toEqual(['glaze.md', 'kiln.md'])
  expect((await run(['index', '/Shelf/books/kiln.md'])).out).toBe('kiln.md: being indexed\n')

  await json('put', 'slow.html', '/Waiting')
  expect((await run(['index', '/Waiting', '--cancel'])).out).toBe('slow.html: not indexed any more\n')
  expect((await json('ls', '/Waiting')).files).toMatchObject([{ title: 'slow.html', status: 'failed' }])
  expect((await run(['index', '/Waiting', '--cancel'])).out).toBe('No file waits to be indexed\n')

  const absent = await run(['index', '/Shelf/absent.md'])
  expect(absent).toMatchObject({ code: 4, err: expect.stringContaining('There is nothing at /Shelf/absent.md') })
  expect(await run(['index', '/'])).toMatchObject({ code: 2 })
})

test('the readers of a file are told and said by its path', async () => {
  const { run, json } = await cliOf(await startTestApp(), { 'a.txt': 'A' })
  await json('put', 'a.txt', '/Shelf')
  expect((await run(['readers', '/Shelf/a.txt'])).out).toBe('/Shelf/a.txt: whoever may read the folder\n')
  const names = ['ada@example.com', 'Crew', '@example.org']
  const readers = { emails: ['ada@example.com'], groups: ['Crew'], domains: ['example.org'] }
  expect(await json('readers', '/Shelf/a.txt', '--only', ...names)).toMatchObject({ is_restricted: true, readers })
  expect((await run(['readers', '/Shelf/a.txt'])).out).toContain(names.join(', '))
  expect(await json('readers', '/Shelf/a.txt', '--everyone')).toMatchObject({ is_restricted: false, readers: null })
  expect(await run(['readers', '/Shelf'])).toMatchObject({ code: 2 })
  expect(await run(['readers', '/Shelf/a.txt', '--everyone', '--only', 'Crew'])).toMatchObject({ code: 2 })
})
