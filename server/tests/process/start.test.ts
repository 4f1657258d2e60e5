import { existsSync } from 'node:fs'
import { mkdir, readFile, stat, writeFile } from 'node:fs/promises'
import { createServer } from 'node:http'
import { networkInterfaces } from 'node:os'
import { dirname, join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { expect, onTestFinished, test } from 'vitest'
import { databasePath } from '../../src/platform/database/open.ts'
import { browser, PASSWORD, tokenOf } from '../support/access/people.ts'
import { temporaryFolder } from '../support/database/database.ts'
import { runAdmin } from '../support/processes/admin-process.ts'
import { runServerProcess, startServerProcess } from '../support/processes/server-process.ts'

const me = (url: string, key: string) => fetch(`${url}/v1/me`, { headers: { 'x-api-key': key } })

test('the first start prints the key once and keeps it in a file that only its owner reads', async () => {
  const DATA_DIR = await temporaryFolder()
  const first = await startServerProcess({ DATA_DIR })
  const path = join(DATA_DIR, 'owner-key')
  const key = (await readFile(path, 'utf8')).trim()
  expect(key).toMatch(/^dct_[0-9A-Za-z]{46}$/)
  expect((await stat(path)).mode & 0o777).toBe(0o600)
  expect(first.lines.filter((line) => line.includes(key))).toHaveLength(1)
  const reply = await me(first.url, key)
  expect(reply.status).toBe(200)
  expect(await reply.json()).toMatchObject({ data: { key: { role: 'owner' }, workspace: { name: 'Main' } } })
  expect(await first.end('SIGTERM')).toBe(0)

  const second = await startServerProcess({ DATA_DIR })
  expect(second.lines.join('\n')).not.toContain(key)
  expect(second.lines.join('\n')).toContain(path)
  expect((await me(second.url, key)).status).toBe(200)
  expect(await second.end('SIGINT')).toBe(0)
})

test('the first start prints a link for the owner, which an operator makes again while it runs', async () => {
  const DATA_DIR = await temporaryFolder()
  const { url, lines } = await startServerProcess({ DATA_DIR })
  const links = lines.filter((line) => line.includes('/join#'))
  expect(links).toHaveLength(1)
  const first = links[0]!.split(': ').at(-1)!
  expect(first).toMatch(new RegExp(`^${url}/join#[\\w-]{43}$`))
  const again = await runAdmin({ DATA_DIR, PORT: new URL(url).port }, 'sign-in-link')
  expect(again).toEqual({ url: expect.stringContaining('/join#'), expires_at: expect.stringMatching(/Z$/) })
  const accept = { email: 'ada@example.com', name: 'Ada', password: PASSWORD }
  const own = browser({ url })
  expect((await own.call('POST', '/invitations/accept', { ...accept, token: tokenOf(first) })).status).toBe(404)
  const made = await own.call('POST', '/invitations/accept', { ...accept, token: tokenOf(again.url) })
  expect(made.body.data.identity).toMatchObject({ key: { role: 'owner' }, member: { email: 'ada@example.com' } })
  const forgotten = await runAdmin({ DATA_DIR }, 'sign-in-link', '--email', 'Ada@example.com')
  const use = { token: tokenOf(forgotten.url), password: 'ninety clay pots in a row' }
  expect((await own.call('POST', '/password-links/use', use)).status).toBe(200)
  expect((await own.call('GET', '/me')).status).toBe(401)
  await expect(runAdmin({ DATA_DIR }, 'sign-in-link', '--email', 'eve@example.com')).rejects.toThrow(
    'There is no account with the e-mail eve@example.com',
  )
})

test('only the start that makes the sample tells how to ask it; later ones leave agents alone', async () => {
  const DATA_DIR = await temporaryFolder()
  const first = await startServerProcess({ DATA_DIR, DOCENT_SAMPLE: 'true' })
  expect(first.lines.join('\n')).toMatch(/^ {2}curl -N http.*"Which document formats can Docent read\?"/m)
  const headers = {
    'x-api-key': (await readFile(join(DATA_DIR, 'owner-key'), 'utf8')).trim(),
    'content-type': 'application/json',
  }
  const ask = async (path: string, init: RequestInit = {}) =>
    (await (await fetch(`${url}${path}`, { headers, ...init })).json()).data
  let { url } = first
  const own = await ask('/v1/agents', { method: 'POST', body: JSON.stringify({ name: 'Payroll' }) })
  expect(await first.end('SIGTERM')).toBe(0)

  const second = await startServerProcess({ DATA_DIR, DOCENT_SAMPLE: 'true' })
  url = second.url
  expect(second.lines.join('\n')).not.toContain('curl')
  expect(await ask(`/v1/agents/${own.id}/chats`)).toMatchObject({ chats: [] })
})

test('a key that the operator chose works and is printed nowhere', async () => {
  const DATA_DIR = await temporaryFolder()
  const DOCENT_OWNER_KEY = 'a-key-of-our-own-choice'
  const { url, lines } = await startServerProcess({ DATA_DIR, DOCENT_OWNER_KEY, LOG_LEVEL: 'trace' })
  expect((await me(url, DOCENT_OWNER_KEY)).status).toBe(200)
  expect(lines.join('\n')).not.toContain(DOCENT_OWNER_KEY)
  expect((await readFile(join(DATA_DIR, 'owner-key'), 'utf8')).trim()).toBe(DOCENT_OWNER_KEY)
})

const hasIpv6 = Object.values(networkInterfaces()).some((all) => all?.some(({ address }) => address === '::1'))

test.each([
  ...(hasIpv6 ? ([['::1', /^http:\/\/\[::1\]:\d+$/]] as const) : []),
  ['127.0.0.1', /^http:\/\/127\.0\.0\.1:\d+$/],
  ['localhost', /^http:\/\/localhost:\d+$/],
] as const)('the line that says where it listens on %s is a URL that can be asked', async (HOST, expected) => {
  const { url } = await startServerProcess({ DATA_DIR: await temporaryFolder(), HOST })
  expect(url).toMatch(expected)
  expect((await fetch(`${url}/healthz`)).status).toBe(200)
})

test('a second server on the same data is refused in one line', async () => {
  const DATA_DIR = await temporaryFolder()
  await startServerProcess({ DATA_DIR })
  expect(await runServerProcess({ DATA_DIR })).toEqual({
    code: 1,
    stdout: '',
    stderr: `Another Docent is running on ${DATA_DIR}. Stop it, or give this one a DATA_DIR of its own.\n`,
  })
})

test('bad settings stop the start with a line each, before anything is touched', async () => {
  const DATA_DIR = join(await temporaryFolder(), 'data')
  const { code, stdout, stderr } = await runServerProcess({ DATA_DIR, PORT: '80x', DOCENT_MODLE: 'a/b' })
  expect([code, stdout]).toEqual([1, ''])
  expect(stderr.trim().split('\n').sort()).toEqual([
    'DOCENT_MODLE: there is no such setting; did you mean DOCENT_MODEL?',
    'PORT: must be a whole number (it is "80x")',
  ])
  await expect(stat(DATA_DIR)).rejects.toThrow('ENOENT')
})

test('a port that is taken is reported in one line', async () => {
  const other = createServer().listen(0, '127.0.0.1')
  onTestFinished(() => void other.close())
  await new Promise((resolve) => other.once('listening', resolve))
  const { port } = other.address() as { port: number }
  const { code, stderr } = await runServerProcess({ DATA_DIR: await temporaryFolder(), PORT: String(port) })
  expect(code).toBe(1)
  expect(stderr).toMatch(/EADDRINUSE.*another program listens there\. Set PORT to a free one\.\n$/)
  expect(stderr.trim().split('\n')).toHaveLength(1)
})

test('a data directory that cannot be made is reported in one line', async () => {
  const file = join(await temporaryFolder(), 'file')
  await writeFile(file, '')
  const { code, stderr } = await runServerProcess({ DATA_DIR: join(file, 'data') })
  expect(code).toBe(1)
  expect(stderr).toMatch(/DATA_DIR/)
  expect(stderr.trim().split('\n')).toHaveLength(1)
})

test.each([
  ['an embedding model', 'embedding model', 'DOCENT_EMBEDDING_MODEL', 'Embedding models'],
  ['a reranker', 'reranker', 'DOCENT_RERANK_MODEL', 'Rerankers'],
])('%s on disk that cannot be used is reported in one line that says what to do', async (_, kind, setting, kinds) => {
  const folder = join(await temporaryFolder(), 'model')
  const start = async () => runServerProcess({ DATA_DIR: await temporaryFolder(), [setting]: `local/${folder}` })
  expect(await start()).toEqual({
    code: 1,
    stdout: '',
    stderr: `The folder ${folder} holds no ${kind}: config.json, tokenizer.json and onnx/model.onnx are expected\n`,
  })
  await mkdir(join(folder, 'onnx'), { recursive: true })
  for (const name of ['config.json', 'tokenizer.json', 'onnx/model.onnx']) await writeFile(join(folder, name), '{}')
  const { code, stdout, stderr } = await start()
  expect([code, stdout]).toEqual([1, ''])
  expect(stderr).toMatch(new RegExp(`^${kinds} on disk .* Run in the folder of Docent: npm install .*--no-save.*\n$`))
})

test('a database with migrations in another order is reported in one line, and stays as it is', async () => {
  const DATA_DIR = await temporaryFolder()
  const server = await startServerProcess({ DATA_DIR })
  expect(await server.end('SIGTERM')).toBe(0)
  const database = new DatabaseSync(databasePath(DATA_DIR))
  database.exec("delete from kysely_migration where name = '0007-links'")
  database.close()
  const { code, stdout, stderr } = await runServerProcess({ DATA_DIR })
  expect([code, stdout]).toEqual([1, ''])
  expect(stderr).toMatch(/^The database was made by a version .*"0008-sessions", but not "0007-links".*\n$/)
  expect(stderr.trim().split('\n')).toHaveLength(1)
  expect(existsSync(join(DATA_DIR, 'backups'))).toBe(false)
})

test('what a killed upload left behind goes at the next start', async () => {
  const DATA_DIR = await temporaryFolder()
  const left = join(DATA_DIR, 'blobs/0a/0123456789abcdef0123450a.part')
  await mkdir(dirname(left), { recursive: true })
  await writeFile(left, 'half of a document')
  await startServerProcess({ DATA_DIR })
  await expect.poll(() => existsSync(left)).toBe(false)
})

test('an option that is none stops the start, before anything is touched', async () => {
  const DATA_DIR = join(await temporaryFolder(), 'data')
  const { code, stdout, stderr } = await runServerProcess({ DATA_DIR }, ['--verison', '--port=4000'])
  expect([code, stdout]).toEqual([1, ''])
  expect(stderr.split('\n')).toEqual([
    '--verison: there is no such option; did you mean --version?',
    '--port=4000: there is no such option; settings come from the environment and .env: --help lists them',
    '',
  ])
  await expect(stat(DATA_DIR)).rejects.toThrow('ENOENT')
})

test('--help lists the settings and starts nothing', async () => {
  const { code, stdout, stderr } = await runServerProcess({ PORT: 'x' }, ['--help'])
  expect([code, stderr]).toEqual([0, ''])
  expect(stdout).toMatch(/DOCENT_MODEL\b/)
})
