import { execFile } from 'node:child_process'
import { chmod, readdir, stat, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { test as anyTest, expect, onTestFinished } from 'vitest'
import { temporaryFolder } from '../support/database/database.ts'
import { driveOf } from '../support/drive/drive.ts'
import { runAdmin } from '../support/processes/admin-process.ts'
import { startServerProcess } from '../support/processes/server-process.ts'
import type { Call } from '../support/test-app.ts'

// Windows has no modes that say who may read a file.
const test = anyTest.skipIf(process.platform === 'win32')
const KEY = 'a-key-of-our-own-choice'

/** A folder that the operator made as folders are usually made, with a server on it that has indexed a file. */
async function startOnOpenFolder() {
  const usual = process.umask(0o022)
  onTestFinished(() => void process.umask(usual))
  const dataDir = await temporaryFolder()
  await chmod(dataDir, 0o755)
  const server = await startServerProcess({ DATA_DIR: dataDir, DOCENT_OWNER_KEY: KEY })
  const call: Call = async (method, path, body) => {
    const isForm = body instanceof FormData
    const headers = { 'x-api-key': KEY, ...(body !== undefined && !isForm && { 'content-type': 'application/json' }) }
    const reply = await fetch(`${server.url}/v1${path}`, {
      method,
      headers,
      body: isForm ? body : JSON.stringify(body),
    })
    return { status: reply.status, headers: reply.headers, body: await reply.json() }
  }
  const { newFolder, addFile, listFiles } = driveOf({ call })
  const folder = await newFolder('Secrets')
  await addFile(folder, { content: 'The secret of the house', index: true })
  await expect
    .poll(async () => (await listFiles(folder)).data_sources.map((file: any) => file.status))
    .toEqual(['successful'])
  return { dataDir, server }
}

/** Paths that other users of the machine may use. */
async function openPaths(dataDir: string): Promise<string[]> {
  const paths = ['.', ...(await readdir(dataDir, { recursive: true }))]
  const modes = await Promise.all(paths.map(async (path) => (await stat(join(dataDir, path))).mode))
  return paths.filter((_, i) => (modes[i]! & 0o077) !== 0)
}

test('what the server keeps can be used by its own user alone, in a folder that was open, too', async () => {
  const { dataDir, server } = await startOnOpenFolder()
  expect(await openPaths(dataDir)).toEqual([])
  expect(await server.end('SIGTERM')).toBe(0)
  const backup = join(await temporaryFolder(), 'backup')
  await runAdmin({ DATA_DIR: dataDir }, 'backup', backup)
  expect(await openPaths(backup)).toEqual([])
})

test('the doctor finds what earlier versions left open to other users, and closes it', async () => {
  const { dataDir } = await startOnOpenFolder()
  await promisify(execFile)('chmod', ['-R', 'a+rX', dataDir])
  await writeFile(join(dataDir, 'prices.json'), '{}', { mode: 0o644 })
  expect((await openPaths(dataDir)).length).toBeGreaterThan(20)
  const settings = { DATA_DIR: dataDir }
  const found = await runAdmin(settings, 'doctor')
  expect(found).toMatchObject({ healthy: false, open_files: expect.any(Number) })
  expect(found.open_files).toBeGreaterThan(20)
  expect(await runAdmin(settings, 'doctor', '--fix')).toMatchObject({ healthy: false })
  // All but the operator's own file.
  expect(await openPaths(dataDir)).toEqual(['prices.json'])
  expect(await runAdmin(settings, 'doctor')).toMatchObject({ healthy: true, open_files: 0 })
})
