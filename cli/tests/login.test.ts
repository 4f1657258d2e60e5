import { mkdir, stat, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { startTestApp } from '../../server/tests/support/test-app.ts'
import { folderWith, runCli } from './run-cli.ts'

test('a login is kept for later commands, readable by its owner alone, until it is forgotten', async () => {
  const { url, owner } = await startTestApp()
  const folder = await folderWith()
  const run = (args: string[], input?: string) => runCli(args, { folder, input })
  expect(await run(['whoami', '--url', url])).toMatchObject({ code: 3, err: expect.stringContaining('docent login') })
  expect(await run(['login', '--url', url])).toMatchObject({ code: 2 })
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

test("the owner's key of this folder goes to a server on this machine alone", async () => {
  const folder = await folderWith({ 'data/owner-key': 'dct_secret' })
  const { code, err } = await runCli(['ls', '--url', 'http://docent.example.com'], { folder })
  expect({ code, err }).toEqual({
    code: 3,
    err: expect.stringContaining('There is no key for http://docent.example.com'),
  })
  expect((await runCli(['ls', '--url', 'http://127.0.0.1:1'], { folder })).err).toContain('No server listens')
})
