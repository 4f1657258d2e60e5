import { once } from 'node:events'
import { mkdir, readFile, stat, writeFile } from 'node:fs/promises'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { decide } from '../../server/tests/support/access/oauth-client.ts'
import { join as joinWorkspace } from '../../server/tests/support/access/people.ts'
import { startTestApp } from '../../server/tests/support/test-app.ts'
import { folderWith, followCli, runCli } from './run-cli.ts'

test('a login is kept for later commands, readable by its owner alone, until it is forgotten', async () => {
  const { url, owner } = await startTestApp()
  const folder = await folderWith()
  const run = (args: string[], input?: string) => runCli(args, { folder, input })
  expect(await run(['whoami', '--url', url])).toMatchObject({ code: 3, err: expect.stringContaining('docent login') })
  expect(await run(['login', '--url', url, '--key', '-'])).toMatchObject({ code: 2 })
  expect(await run(['login', '--url', url, '--key', 'dct_wrong'])).toMatchObject({ code: 3 })
  expect(await run(['logout'])).toMatchObject({ code: 2 })

  expect(await run(['login', '--url', `${url}/v1/`, '--key', '-'], `${owner.apiKey}\n`)).toMatchObject({ code: 0 })
  const file = join(folder, '.config/docent/logins.json')
  if (process.platform !== 'win32') expect((await stat(file)).mode & 0o777).toBe(0o600)
  expect((await run(['whoami'])).out).toContain(url)
  expect(JSON.parse((await run(['whoami', '--json'])).out)).toMatchObject({ url, key: { role: 'owner' } })

  expect(await run(['logout'])).toMatchObject({ code: 0, out: `Logged out of ${url}\n` })
  expect(await run(['whoami', '--url', url])).toMatchObject({ code: 3 })
  await mkdir(join(folder, '.config/docent'), { recursive: true })
  await writeFile(file, '{')
  expect((await run(['whoami', '--url', url])).err).toContain('cannot be read')
})

test('a server that redirects is not logged in at: neither a key nor a token goes along', async () => {
  const seen: string[] = []
  const target = createServer((request, response) => {
    seen.push(request.url!)
    response.end('{}')
  })
  target.listen(0, '127.0.0.1')
  await once(target, 'listening')
  const urlOf = (server: typeof target) => `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  const server = createServer((request, response) =>
    response.writeHead(307, { location: `${urlOf(target)}${request.url}` }).end(),
  )
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  onTestFinished(() => {
    target.close()
    server.close()
  })
  const folder = await folderWith()
  for (const args of [['login'], ['login', '--key', 'dct_key'], ['ls', '--key', 'dct_key']]) {
    const { code, err } = await runCli([...args, '--url', urlOf(server)], { folder })
    expect({ code, err }).toEqual({
      code: 3,
      err: `The server at ${urlOf(server)} redirects to ${urlOf(target)}: name that with --url\n`,
    })
  }
  expect(seen).toEqual([])
})

test("the owner's key of this folder goes to a server on this machine alone", async () => {
  const folder = await folderWith({ 'data/owner-key': 'dct_secret' })
  const { code, err } = await runCli(['ls', '--url', 'http://docent.example.com'], { folder })
  expect({ code, err }).toEqual({
    code: 3,
    err: expect.stringContaining('There is no key for http://docent.example.com'),
  })
  expect((await runCli(['ls', '--url', 'http://127.0.0.1:1'], { folder })).err).toContain('No server listens')
})

test('a login by browser acts as the person, is renewed by one process at a time, and ends at the server', async () => {
  const app = await startTestApp()
  const person = await joinWorkspace(app, { email: 'ada@example.com', role: 'member' })
  const folder = await folderWith()
  const run = (args: string[]) => runCli(args, { folder })
  const login = followCli(['login', '--url', app.url], { folder, env: { BROWSER: 'no-such-browser' } })
  const [page] = await login.told(/http\S+\/oauth\/authorize\?\S+/)
  const query = new URL(page).search.slice(1)
  const shown = await person.call('POST', '/account/apps/actions/check', { query })
  expect(shown.body.data).toMatchObject({
    client: { id: 'docent-cli', is_own: true },
    destination: { kind: 'this_device' },
    scopes: ['api'],
  })
  const back = await decide(person, query)
  // A stranger on this machine, who does not know the state.
  const foreign = new URL(back)
  foreign.searchParams.set('state', 'guessed')
  expect((await fetch(foreign)).status).toBe(404)
  expect((await fetch(back)).status).toBe(200)
  expect(await login.ended).toMatchObject({ code: 0, out: `Logged in to ${app.url}, Main as ada\n` })

  const file = join(folder, '.config/docent/logins.json')
  expect((await stat(file)).mode & 0o777).toBe(0o600)
  expect((await run(['whoami'])).out).toContain('person     ada (ada@example.com)')
  // Past its hour: two processes at once, of which one renews.
  const logins = JSON.parse(await readFile(file, 'utf8'))
  logins.servers[app.url].expires_at = new Date().toISOString()
  await writeFile(file, JSON.stringify(logins))
  expect((await Promise.all([run(['ls']), run(['ls'])])).map(({ code }) => code)).toEqual([0, 0])
  const { apps } = (await person.call('GET', '/account/apps')).body.data
  expect(apps).toMatchObject([{ name: 'Docent CLI', scopes: ['api'] }])

  const { access_token } = JSON.parse(await readFile(file, 'utf8')).servers[app.url]
  expect((await app.call('GET', '/me', undefined, { key: access_token })).status).toBe(200)
  expect(await run(['logout'])).toMatchObject({ code: 0 })
  expect((await app.call('GET', '/me', undefined, { key: access_token })).status).toBe(401)
  expect((await person.call('GET', '/account/apps')).body.data.apps).toEqual([])

  const refused = followCli(['login', '--url', app.url], { folder, env: { BROWSER: 'no-such-browser' } })
  const [other] = await refused.told(/http\S+\/oauth\/authorize\?\S+/)
  await fetch(await decide(person, new URL(other).search.slice(1), { decision: 'refuse' }))
  expect(await refused.ended).toMatchObject({ code: 1, err: expect.stringContaining('The login was refused') })
  expect(await run(['login', '--url', 'http://127.0.0.1:1'])).toMatchObject({ code: 3 })
})

test('a login by a code is decided in a browser elsewhere', async () => {
  const app = await startTestApp()
  const person = await joinWorkspace(app, { email: 'ada@example.com', role: 'member' })
  const folder = await folderWith()
  const login = followCli(['login', '--device', '--url', app.url], { folder })
  const [, code] = await login.told(/oauth\/device on any device, and enter the code ([A-Z-]+)/)
  const typed = { user_code: code!.toLowerCase().replace('-', ' ') }
  const shown = await person.call('POST', '/account/devices/actions/check', typed)
  expect(shown.body.data).toMatchObject({ client: { name: 'Docent CLI', is_own: true }, scopes: ['api'] })
  const decision = { ...typed, decision: 'allow' }
  expect((await person.call('POST', '/account/devices/actions/decide', decision)).status).toBe(200)
  expect(await login.ended).toMatchObject({ code: 0, out: expect.stringContaining('as ada') })
  expect((await runCli(['ls'], { folder })).code).toBe(0)
  // A code works once.
  expect((await person.call('POST', '/account/devices/actions/decide', decision)).status).toBe(400)
})
