import { readFile, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { folderWith, runCli, startCli } from './run-cli.ts'

test('a login is kept for its owner alone, serves commands that name no server, and ends with a logout', async () => {
  const { url, owner, folder } = await startCli()
  const bare = (args: string[], input?: string) => runCli(args, { folder, input })
  const loggedIn = await bare(['login', '--url', `${url}/v1/`, '--json'], `${owner.apiKey}\n`)
  expect(JSON.parse(loggedIn.out)).toMatchObject({ url, key: { role: 'owner' } })
  const path = join(folder, '.config/docent/logins.json')
  expect((await stat(path)).mode & 0o777).toBe(0o600)

  expect(await bare(['mkdir', '/Shelf'])).toMatchObject({ code: 0 })
  expect((await bare(['ls'])).out).toContain('Shelf/')

  expect(await bare(['logout'])).toMatchObject({ code: 0 })
  expect(await readFile(path, 'utf8')).not.toContain(owner.apiKey)
  expect(await bare(['logout'])).toMatchObject({ code: 2, err: 'There is no login\n' })
  expect(await bare(['ls', '--url', url])).toMatchObject({ code: 3, err: expect.stringContaining('docent login') })
})

test('a login with a wrong key, an empty one or no server changes nothing', async () => {
  const { url, folder } = await startCli()
  const wrong = `dct_${'a'.repeat(46)}`
  expect(await runCli(['login', '--url', url], { folder, input: wrong })).toMatchObject({ code: 3 })
  expect(await runCli(['login', '--url', url], { folder, input: '\n' })).toMatchObject({ code: 2 })
  const elsewhere = await runCli(['login', '--url', 'http://127.0.0.1:9', '--key', wrong], { folder })
  expect(elsewhere).toMatchObject({ code: 3, err: expect.stringContaining('No server listens') })
  expect(await runCli(['logout'], { folder: await folderWith() })).toMatchObject({ code: 2 })
})
