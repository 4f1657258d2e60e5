import { execFileSync } from 'node:child_process'
import { closeSync, openSync, rmSync, statfsSync, writeSync } from 'node:fs'
import { join } from 'node:path'
import { sql } from 'kysely'
import { expect, onTestFinished, test, vi } from 'vitest'
import { isOnPostgres, temporaryFolder } from '../support/database/database.ts'
import { driveOf, formOf } from '../support/drive/drive.ts'
import { KEY } from '../support/processes/restartable.ts'
import { runServerProcess, startServerProcess } from '../support/processes/server-process.ts'
import { startTestApp } from '../support/test-app.ts'

/** A disk of its own that is small, where this user may have one. */
async function smallDisk(): Promise<string | undefined> {
  const folder = await temporaryFolder()
  try {
    execFileSync('mount', ['-t', 'tmpfs', '-o', 'size=48m,mode=0700', 'tmpfs', folder], { stdio: 'ignore' })
  } catch {
    return undefined
  }
  onTestFinished(() => void execFileSync('umount', ['-l', folder]))
  return folder
}

/** Takes all the room that is left. */
function fill(folder: string): () => void {
  const path = join(folder, 'filler')
  const file = openSync(path, 'a')
  for (let size = 1024 * 1024; size >= 512; size /= 2)
    try {
      for (;;) writeSync(file, Buffer.alloc(size, 1))
    } catch {
      // Less may still fit.
    }
  closeSync(file)
  return () => rmSync(path)
}

const FULL = {
  status: 503,
  body: { error_code: 'UNAVAILABLE', message: expect.stringContaining('disk of the server is full') },
}

test.skipIf(isOnPostgres)(
  'a database that finds no room is 503 in words, also in /readyz, until there is room',
  async () => {
    const { call, services, url } = await startTestApp()
    const { newFolder } = driveOf({ call })
    const folder = await newFolder('Before')
    const ready = async () => ({ status: (await fetch(`${url}/readyz`)).status })
    const { rows } = await sql<{ page_count: number }>`pragma page_count`.execute(services.db)
    await sql.raw(`pragma max_page_count = ${rows[0]!.page_count}`).execute(services.db)
    // Free pages within the file are used first.
    await vi.waitFor(
      async () => {
        const reply = await call('POST', '/knowledge-bases', {
          knowledge_base_name: `${Math.random()} ${'x'.repeat(200)}`,
        })
        expect(reply).toMatchObject(FULL)
        expect(reply.headers.get('retry-after')).toBe('30')
        expect(await ready()).toEqual({ status: 503 })
        expect((await call('GET', `/knowledge-bases/${folder}`)).status).toBe(200)
      },
      { timeout: 60_000, interval: 1 },
    )
    await sql.raw('pragma max_page_count = 1000000').execute(services.db)
    await expect.poll(ready).toEqual({ status: 200 })
    await newFolder('After')
  },
)

test.skipIf(isOnPostgres)(
  'on a full disk what is there is read and deleted, which makes room, and all goes on',
  async (context) => {
    const DATA_DIR = await smallDisk()
    if (!DATA_DIR) return context.skip()
    const server = await startServerProcess({
      DATA_DIR,
      DOCENT_OWNER_KEY: KEY,
      DOCENT_RATE_LIMIT: '0',
      LOG_LEVEL: 'error',
    })
    async function call(method: string, path: string, body?: unknown) {
      const isForm = body instanceof FormData
      const reply = await fetch(`${server.url}${path}`, {
        method,
        headers: { 'x-api-key': KEY, ...(body !== undefined && !isForm && { 'content-type': 'application/json' }) },
        body: body === undefined ? null : isForm ? body : JSON.stringify(body),
      })
      const text = await reply.text()
      return { status: reply.status, body: text.startsWith('{') ? JSON.parse(text) : text }
    }
    const folder = (await call('POST', '/v1/knowledge-bases', { knowledge_base_name: 'Large' })).body.data.id
    const content = Buffer.alloc(10 * 1024 * 1024, 'x')
    const upload = (await call('POST', '/v1/uploaded-files', formOf(content, 'large.bin'))).body.data
    const added = { file_id: upload, data_source_title: 'large.bin', trigger_indexing: false }
    const file = (await call('POST', `/v1/knowledge-bases/${folder}/data-sources/documents`, added)).body.data._id

    fill(DATA_DIR)
    const create = () => call('POST', '/v1/knowledge-bases', { knowledge_base_name: `More ${Math.random()}` })
    await vi.waitFor(async () => expect(await create()).toMatchObject(FULL), { timeout: 30_000, interval: 1 })
    // From here on the answer is the same, even if the write-ahead log still has room.
    expect(await create()).toMatchObject(FULL)
    expect(await call('POST', '/v1/uploaded-files', formOf(content, 'more.bin'))).toMatchObject(FULL)
    expect((await call('GET', '/readyz')).body.message).toContain('The disk is full')
    const read = await call('GET', `/v1/knowledge-bases/${folder}/data-sources/${file}/content`)
    expect([read.status, read.body.length]).toEqual([200, content.length])

    expect((await call('DELETE', `/v1/knowledge-bases/${folder}`)).status).toBe(200)
    await vi.waitFor(async () => expect((await create()).status).toBe(200), { timeout: 60_000, interval: 200 })
    expect((await call('GET', '/readyz')).status).toBe(200)
    const { bavail, bsize } = statfsSync(DATA_DIR)
    // The file is gone at once, and not when its upload expires; the reserve is there again, and room besides.
    expect(bavail * bsize).toBeLessThan(10 * 1024 * 1024)
    await server.end('SIGTERM')
  },
)

test.skipIf(isOnPostgres)('a start on a full disk is reported in one line', async (context) => {
  const DATA_DIR = await smallDisk()
  if (!DATA_DIR) return context.skip()
  const empty = fill(DATA_DIR)
  const { code, stderr } = await runServerProcess({ DATA_DIR })
  const told = 'The disk is full: make room where DATA_DIR is, and start again.'
  expect([code, stderr.trim().split('\n')]).toEqual([1, [told]])
  empty()
  const server = await startServerProcess({ DATA_DIR })
  await server.end('SIGTERM')
  fill(DATA_DIR)
  rmSync(join(DATA_DIR, 'reserve'), { force: true })
  fill(DATA_DIR)
  const again = await runServerProcess({ DATA_DIR })
  expect([again.code, again.stderr.trim().split('\n')]).toEqual([1, [told]])
})
