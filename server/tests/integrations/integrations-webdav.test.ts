import { mkdir, rename, rm, writeFile } from 'node:fs/promises'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { dirname, join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { v2 as webdav } from 'webdav-server'
import { temporaryFolder } from '../support/database/database.ts'
import { everyRow } from '../support/every-row.ts'
import { startServerProcess } from '../support/processes/server-process.ts'
import { linkedFoldersOf } from '../support/sources/linked-folders.ts'
import { shareTestApps, startTestApp } from '../support/test-app.ts'

shareTestApps()

const ALLOWED = { DOCENT_OUTBOUND_ALLOW: '127.0.0.1/32' }

type Intercept = (
  url: string,
  method: string,
) => { status: number; headers?: Record<string, string>; body?: string } | undefined

/** A real WebDAV server over a folder of the disk, behind a proxy that a test can have answer instead. */
async function davOf(files: Record<string, string>) {
  const root = await temporaryFolder()
  const write = async (path: string, content: string) => {
    await mkdir(dirname(join(root, path)), { recursive: true })
    await writeFile(join(root, path), content)
  }
  for (const [path, content] of Object.entries(files)) await write(path, content)

  const users = new webdav.SimpleUserManager()
  const user = users.addUser('reader', 'secret word', false)
  const privileges = new webdav.SimplePathPrivilegeManager()
  privileges.setRights(user, '/', ['canRead'])
  const dav = new webdav.WebDAVServer({
    httpAuthentication: new webdav.HTTPBasicAuthentication(users, 'docent'),
    privilegeManager: privileges,
    requireAuthentification: true,
  })
  await dav.setFileSystemAsync('/', new webdav.PhysicalFileSystem(root))
  let intercept: Intercept = () => undefined
  const server = createServer((incoming, outgoing) => {
    const instead = intercept(incoming.url!, incoming.method!)
    if (!instead) return dav.executeRequest(incoming, outgoing)
    incoming.resume()
    if (instead.status === 0) return incoming.socket.destroy()
    return outgoing.writeHead(instead.status, instead.headers).end(instead.body)
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  onTestFinished(() => {
    server.close()
    server.closeAllConnections()
  })
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/`
  const config = { url, username: 'reader', password: 'secret word', requests_per_second: 100 }
  const set = (by: Intercept) => {
    intercept = by
  }
  return { root, write, at: (path: string) => join(root, path), config, url, intercept: set }
}

async function start(files: Record<string, string>) {
  const dav = await davOf(files)
  const app = await startTestApp(ALLOWED)
  const linked = linkedFoldersOf(app)
  const link = (changes: Record<string, unknown> = {}) =>
    linked.create({ kind: 'webdav', config: { ...dav.config, ...changes } })
  return {
    ...app,
    ...dav,
    ...linked,
    link,
    linkAndSync: (changes?: Record<string, unknown>) => linked.whenMade(link(changes)),
  }
}

test('a WebDAV folder becomes a folder; what is new, changed, renamed or gone is followed', async () => {
  const { linkAndSync, sync, tree, rows, write, at, call } = await start({
    'Team/a b & ä.txt': 'The lighthouse opens at nine.',
    'Team/old.txt': 'kept',
    'Team/sub/100%.txt': 'three',
    'Else/x.txt': 'x',
  })
  const { url } = (await linkAndSync()).config
  const made = await linkAndSync({ url: `${url}Team` }).catch(() => undefined)
  expect(made).toBeUndefined()
  const { id, knowledge_base_id: folderId, config } = (await call('GET', '/integrations')).body.data.integrations[0]
  expect(config).toMatchObject({ username: 'reader', password: '••••••••' })
  await call('PATCH', `/integrations/${id}`, { config: { url: `${url}Team`, password: 'secret word' } })
  await expect.poll(() => tree(folderId)).toEqual(['a b & ä.txt', 'old.txt', 'sub/', 'sub/100%.txt'])
  const before = await rows(folderId)
  expect(before[0]).toMatchObject({ source_type: 'webdav_file' })

  await write('Team/a b & ä.txt', 'The lighthouse is closed for good.')
  await rename(at('Team/old.txt'), at('Team/renamed.txt'))
  await rm(at('Team/sub'), { recursive: true })
  await write('Team/new/d.txt', 'four')
  expect(await sync(id)).toMatchObject({ status: 'idle', error_message: null, progress: { done: 3, total: 3 } })
  expect(await tree(folderId)).toEqual(['a b & ä.txt', 'new/', 'new/d.txt', 'renamed.txt'])
  expect((await rows(folderId)).map(({ id }) => id)).toEqual(before.map(({ id }) => id))
  const search = async () =>
    (await call('GET', `/knowledge-bases/${folderId}/search?query=closed`)).body.data.results.length
  await expect.poll(search).toBe(1)
})

test('settings that lead to no WebDAV folder are refused, each at its field', async () => {
  const { link, url, intercept } = await start({ 'a.txt': 'a' })
  intercept((path) => {
    if (path === '/page') return { status: 200, body: '<html></html>' }
    if (path === '/page/') return { status: 207, body: '<html></html>' }
    if (path === '/away/') return { status: 302, headers: { location: 'http://169.254.169.254/' } }
    if (path === '/down/') return { status: 502 }
    return undefined
  })
  await everyRow(
    [
      ['no address', { url: undefined }, 'config.url', ''],
      ['no URL', { url: 'here' }, 'config.url', 'https://'],
      ['a file URL', { url: 'file:///etc' }, 'config.url', 'https://'],
      ['credentials in it', { url: 'http://a:b@127.0.0.1/' }, 'config.url', 'credentials'],
      ['a private address', { url: 'http://10.0.0.1/' }, 'config.url', 'DOCENT_OUTBOUND_ALLOW'],
      ['a redirect to one', { url: `${url}away` }, 'config.url', 'not followed'],
      ['nobody there', { url: 'http://127.0.0.1:1/' }, 'config.url', 'reached'],
      ['a server that is down', { url: `${url}down` }, 'config.url', '502'],
      ['a folder that is not there', { url: `${url}absent` }, 'config.url', 'nothing there'],
      ['a file', { url: `${url}a.txt` }, 'config.url', ''],
      ['a web page', { url: `${url}page` }, 'config.url', 'no WebDAV folder'],
      ['another password', { password: 'wrong' }, 'config.password', 'credentials'],
      ['a name without a password', { password: undefined }, 'config.password', 'with username'],
      ['a password without a name', { username: undefined }, 'config.username', 'with password'],
    ],
    async (_, changes: Record<string, unknown>, path, says) => {
      const reply = await link(changes)
      expect(reply).toMatchObject({ status: 400, body: { error_code: 'VALIDATION_ERROR', details: [{ path }] } })
      expect(reply.body.message).toContain(says)
    },
  )
})

test('a listing that names other places leads nowhere, and entities are not expanded', async () => {
  const { linkAndSync, tree, problems, intercept } = await start({})
  const of = (href: string, type = '') =>
    `<d:response><d:href>${href}</d:href><d:propstat><d:prop><d:getcontentlength>1</d:getcontentlength><d:getetag>1</d:getetag><d:resourcetype>${type}</d:resourcetype></d:prop><d:status>HTTP/1.1 200 OK</d:status></d:propstat></d:response>`
  const hrefs = [
    '/../../etc/passwd',
    '/%2e%2e/x.txt',
    '/a%2Fb.txt',
    'http://169.254.169.254/latest',
    '/deep/er.txt',
    '/%ff.txt',
  ]
  const bomb = `<!DOCTYPE x [<!ENTITY a "${'a'.repeat(100)}"><!ENTITY b "${'&a;'.repeat(100)}">]>`
  intercept((path, method) => {
    if (method !== 'PROPFIND') return path === '/ok.txt' ? { status: 200, body: 'fine' } : undefined
    const folder = of('/', '<d:collection/>')
    return {
      status: 207,
      body: `${bomb}<d:multistatus xmlns:d="DAV:">${folder}${hrefs.map((href) => of(href)).join('')}${of('/&b;.txt')}${of('/ok.txt')}</d:multistatus>`,
    }
  })
  const made = await linkAndSync()
  const titles = await tree(made.knowledge_base_id)
  expect(titles).toContain('ok.txt')
  expect(titles.every((title) => title.length < 20)).toBe(true)
  expect(JSON.stringify(await problems(made.id))).not.toContain('aaaaaaaaaa')
  expect((await problems(made.id)).length).toBeGreaterThanOrEqual(4)
})

test('a server that goes away in the middle fails the sync and takes nothing away; one locked file is a problem', async () => {
  const files = Object.fromEntries(Array.from({ length: 20 }, (_, n) => [`f${n}/a.txt`, `${n}`]))
  const { linkAndSync, sync, tree, write, problems, intercept } = await start(files)
  const made = await linkAndSync()
  const all = await tree(made.knowledge_base_id)
  let asked = 0
  intercept(() => (++asked > 8 ? { status: 0 } : undefined))
  const failed = await sync(made.id)
  expect(failed).toMatchObject({ status: 'failed', last_synced_at: made.last_synced_at })
  expect(failed.error_message).toContain('cannot be reached')
  expect(await tree(made.knowledge_base_id)).toEqual(all)
  await write('f3/a.txt', 'changed')
  intercept((path, method) => (method === 'GET' && path === '/f3/a.txt' ? { status: 403 } : undefined))
  expect(await sync(made.id)).toMatchObject({ status: 'idle', progress: { problems: 1 } })
  expect(await problems(made.id)).toEqual([{ path: 'f3/a.txt', reason: 'the server does not permit it to be read' }])
  expect(await tree(made.knowledge_base_id)).toEqual(all)
})

test('a server killed in the middle of a sync goes on at its next start, with each file once', async () => {
  const files = Object.fromEntries(Array.from({ length: 100 }, (_, n) => [`f${n % 5}/${n}.txt`, `${n}`]))
  const { config } = await davOf(files)
  const settings = { ...ALLOWED, DATA_DIR: await temporaryFolder() }
  const app = await startTestApp(settings, { work: false })
  await app.close()
  const headers = { 'x-api-key': app.owner.apiKey, 'content-type': 'application/json' }
  const first = await startServerProcess(settings)
  const fields = { kind: 'webdav', knowledge_base_name: 'Dav', config }
  const made = await fetch(`${first.url}/v1/integrations`, { method: 'POST', headers, body: JSON.stringify(fields) })
  const { id, knowledge_base_id } = ((await made.json()) as any).data
  const items = async (url: string) => {
    const path = `/v1/knowledge-bases/${knowledge_base_id}/data-sources?recursive=true&page_size=200`
    return ((await (await fetch(url + path, { headers })).json()) as any).data.data_sources as any[]
  }
  await expect.poll(async () => (await items(first.url)).length, { interval: 20 }).toBeGreaterThan(12)
  await first.end('SIGKILL')
  const second = await startServerProcess(settings)
  const status = async () =>
    ((await (await fetch(`${second.url}/v1/integrations/${id}`, { headers })).json()) as any).data.status
  await expect.poll(status, { timeout: 60_000 }).toBe('idle')
  const titles = (await items(second.url)).flatMap(({ title }) => title ?? [])
  expect(titles.sort()).toEqual(Array.from({ length: 100 }, (_, n) => `${n}.txt`).sort())
  await second.end('SIGTERM')
})
