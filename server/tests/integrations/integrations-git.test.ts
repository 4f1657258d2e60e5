import { randomBytes } from 'node:crypto'
import { rm } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { temporaryFolder } from '../support/database/database.ts'
import { everyRow } from '../support/every-row.ts'
import { startServerProcess } from '../support/processes/server-process.ts'
import { startGitServer } from '../support/sources/git-server.ts'
import { linkedFoldersOf } from '../support/sources/linked-folders.ts'
import { startTestApp } from '../support/test-app.ts'

const ALLOWED = { DOCENT_OUTBOUND_ALLOW: '127.0.0.1/32' }

async function start(files: Record<string, string | Uint8Array>, { token }: { token?: string } = {}) {
  const repository = await startGitServer(files, token ? { token } : {})
  const dataDir = await temporaryFolder()
  const app = await startTestApp({ ...ALLOWED, DATA_DIR: dataDir })
  const linked = linkedFoldersOf(app)
  const link = (config: Record<string, unknown> = {}) =>
    linked.create({ kind: 'git', config: { url: repository.url, requests_per_second: 100, ...config } })
  const linkAndSync = (config?: Record<string, unknown>) => linked.whenMade(link(config))
  const byTitle = async (folderId: string) => {
    const reply = await app.call('GET', `/knowledge-bases/${folderId}/data-sources?recursive=true&page_size=200`)
    const files = reply.body.data.data_sources.filter(({ title }: any) => title !== undefined)
    return new Map<string, any>(files.map((file: any) => [file.title, file]))
  }
  return { ...app, ...repository, ...linked, dataDir, link, linkAndSync, byTitle }
}

test('a branch becomes a folder; a sync is sent only what changed, and moves keep ids and metadata', async () => {
  const noise = Object.fromEntries(
    Array.from({ length: 40 }, (_, n) => [`noise/${n}.txt`, randomBytes(3000).toString('hex')]),
  )
  const { linkAndSync, sync, tree, byTitle, rows, commit, move, sent, call, git, dataDir } = await start({
    'readme.md': '# Lighthouse\n\nIt opens at nine.',
    'guides/setup.md': 'Turn the key twice.',
    'guides/deep/note.txt': 'A note.',
    'old/kept.txt': 'Kept as it is.',
    ...noise,
  })
  const made = await linkAndSync({ exclude: ['noise/9.txt'] })
  expect(made).toMatchObject({ status: 'idle', error_message: null, progress: { done: 43, total: 43 } })
  const folderId = made.knowledge_base_id
  const before = await byTitle(folderId)
  expect(before.get('readme.md')).toMatchObject({ source_type: 'git_file', media_type: 'text/markdown' })
  const setup = before.get('setup.md')
  const path = `/knowledge-bases/${setup.knowledge_base_id}/data-sources/${setup.id}`
  expect(await call('PATCH', path, { metadata: { owner: 'Ada' } })).toMatchObject({ status: 200 })

  // A branch without anything new is only asked for.
  sent.requests = 0
  expect(await sync(made.id)).toMatchObject({ status: 'idle', error_message: null })
  expect(sent.requests).toBeLessThanOrEqual(2)

  await move('guides/setup.md', 'handbook/start/setup.md')
  await move('old', 'new')
  await commit({ 'readme.md': '# Lighthouse\n\nIt is closed.', 'guides/deep': null, 'fresh.txt': 'New.' })
  sent.bytes = 0
  expect(await sync(made.id)).toMatchObject({ status: 'idle', error_message: null })
  expect(sent.bytes).toBeLessThan(50_000)
  const after = await byTitle(folderId)
  expect(after.get('setup.md')).toMatchObject({ id: setup.id, metadata: { owner: 'Ada' } })
  expect(after.get('kept.txt').id).toBe(before.get('kept.txt').id)
  expect(after.get('readme.md').id).toBe(before.get('readme.md').id)
  expect((await tree(folderId)).filter((path) => !path.startsWith('noise/'))).toEqual([
    'fresh.txt',
    'handbook/',
    'handbook/start/',
    'handbook/start/setup.md',
    'new/',
    'new/kept.txt',
    'readme.md',
  ])
  await expect
    .poll(
      async () =>
        (await call('GET', `/knowledge-bases/${folderId}/search?query=key+twice`)).body.data.results[0]?.title,
    )
    .toBe('setup.md')

  // Moved and changed in one; and history that was rewritten, without the clone.
  await move('handbook/start/setup.md', 'setup.md')
  await commit({ 'setup.md': 'Turn the key thrice.' })
  await rm(join(dataDir, 'git'), { recursive: true })
  await git('-c', 'user.name=T', '-c', 'user.email=t@example.com', 'commit', '-q', '--amend', '-m', 'other')
  expect(await sync(made.id)).toMatchObject({ status: 'idle', error_message: null })
  expect((await byTitle(folderId)).get('setup.md').id).toBe(setup.id)
  expect(await rows(folderId)).toHaveLength(3)
})

test('what cannot be read is named, a folder and another branch can be chosen, and the token is kept secret', async () => {
  const { linkAndSync, sync, tree, problems, commit, git, services, call } = await start(
    {
      'docs/a.md': 'one',
      'docs/tool.bin': Buffer.from([1, 0, 2, 0, 3]),
      'docs/large.psd': 'version https://git-lfs.github.com/spec/v1\noid sha256:1\nsize 1\n',
      'src/b.ts': 'export {}',
    },
    { token: 'hush-hush' },
  )
  await git('checkout', '-q', '-b', 'release/1.0')
  await commit({ 'docs/release.md': 'two' })
  await git('checkout', '-q', 'main')
  const made = await linkAndSync({ path: '/docs/', token: 'hush-hush' })
  expect(await tree(made.knowledge_base_id)).toEqual(['a.md'])
  expect(made.config.token).toBe('••••••••')
  expect(JSON.stringify(await services.db.selectFrom('integration').selectAll().execute())).not.toContain('hush-hush')
  expect((await problems(made.id)).sort((a: any, b: any) => a.path.localeCompare(b.path))).toEqual([
    { path: 'large.psd', reason: 'is kept in Git LFS, which is not read' },
    { path: 'tool.bin', reason: 'is a binary file, which holds no text to read' },
  ])
  await call('PATCH', `/integrations/${made.id}`, { config: { branch: 'release/1.0', exclude: ['*.bin', '*.psd'] } })
  await expect.poll(() => tree(made.knowledge_base_id)).toEqual(['a.md', 'release.md'])
  expect(await sync(made.id)).toMatchObject({ status: 'idle', error_message: null })
})

test('a server that is down takes nothing away; settings that lead to no repository are refused', async () => {
  const { linkAndSync, sync, tree, link, url, intercept, commit } = await start(
    { 'a.txt': 'a', 'b/c.txt': 'c' },
    { token: 'word' },
  )
  const made = await linkAndSync({ token: 'word' })
  const all = await tree(made.knowledge_base_id)
  await commit({ 'b/c.txt': null })
  intercept((request, response) => {
    if (request.method !== 'POST' || !request.url!.endsWith('upload-pack')) return false
    response.destroy()
    return true
  })
  expect(await sync(made.id)).toMatchObject({ status: 'failed', last_synced_at: made.last_synced_at })
  expect(await tree(made.knowledge_base_id)).toEqual(all)
  intercept((request, response) => {
    const paths: Record<string, () => unknown> = {
      '/away': () => response.writeHead(302, { location: 'http://169.254.169.254/latest/info/refs' }).end(),
      '/page': () => response.writeHead(200, { 'content-type': 'text/html' }).end('<html>'),
      '/down': () => response.writeHead(502).end(),
    }
    const found = Object.keys(paths).find((path) => request.url!.startsWith(path))
    if (found) paths[found]!()
    return found !== undefined
  })
  expect(await sync(made.id)).toMatchObject({ status: 'idle', error_message: null })
  expect(await tree(made.knowledge_base_id)).toEqual(['a.txt'])
  const base = url.replace('/team.git', '')
  await everyRow(
    [
      ['no address', { url: undefined }, 'config.url', ''],
      ['ssh', { url: 'ssh://git@127.0.0.1/team.git' }, 'config.url', 'https://'],
      ['credentials in it', { url: 'http://a:b@127.0.0.1/team.git' }, 'config.url', 'credentials'],
      ['a private address', { url: 'http://10.0.0.1/team.git' }, 'config.url', 'DOCENT_OUTBOUND_ALLOW'],
      ['a redirect to one', { url: `${base}/away` }, 'config.url', 'not followed'],
      ['nobody there', { url: 'http://127.0.0.1:1/team.git' }, 'config.url', 'reached'],
      ['a web page', { url: `${base}/page` }, 'config.url', 'git repository'],
      ['a server that is down', { url: `${base}/down` }, 'config.url', '502'],
      ['a repository that is not there', { url: `${base}/other.git` }, 'config.url', 'no such repository'],
      ['no token', { token: undefined }, 'config.token', 'not public'],
      ['another token', { token: 'wrong' }, 'config.token', 'not accept'],
      ['a branch that is not there', { branch: 'none' }, 'config.branch', 'no branch'],
      ['a branch that is none', { branch: '../x' }, 'config.branch', 'name of a branch'],
    ],
    async (_, changes: Record<string, unknown>, path, says) => {
      const reply = await link({ token: 'word', ...changes })
      expect(reply).toMatchObject({ status: 400, body: { error_code: 'VALIDATION_ERROR', details: [{ path }] } })
      expect(reply.body.message).toContain(says)
    },
  )
})

test('a server killed in the middle of a repository goes on at its next start, with each file once', async () => {
  const names = Array.from({ length: 200 }, (_, n) => `f${n % 5}/${n}.txt`)
  const { url } = await startGitServer(Object.fromEntries(names.map((name) => [name, name])))
  const settings = { ...ALLOWED, DATA_DIR: await temporaryFolder() }
  const app = await startTestApp(settings, { work: false })
  await app.close()
  const headers = { 'x-api-key': app.owner.apiKey, 'content-type': 'application/json' }
  const first = await startServerProcess(settings)
  const fields = { kind: 'git', knowledge_base_name: 'Code', config: { url } }
  const made = await fetch(`${first.url}/v1/integrations`, { method: 'POST', headers, body: JSON.stringify(fields) })
  const { id, knowledge_base_id } = ((await made.json()) as any).data
  const items = async (url: string) => {
    const path = `/v1/knowledge-bases/${knowledge_base_id}/data-sources?recursive=true&page_size=500`
    return ((await (await fetch(url + path, { headers })).json()) as any).data.data_sources as any[]
  }
  await expect.poll(async () => (await items(first.url)).length, { interval: 20, timeout: 60_000 }).toBeGreaterThan(20)
  await first.end('SIGKILL')
  const second = await startServerProcess(settings)
  const status = async () =>
    ((await (await fetch(`${second.url}/v1/integrations/${id}`, { headers })).json()) as any).data.status
  await expect.poll(status, { timeout: 90_000 }).toBe('idle')
  const titles = (await items(second.url)).flatMap(({ title }) => title ?? [])
  expect(titles.sort()).toEqual(names.map((name) => name.split('/')[1]).sort())
  await second.end('SIGTERM')
})
