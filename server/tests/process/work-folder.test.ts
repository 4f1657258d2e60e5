import { mkdir, readdir, utimes, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { expect, test } from 'vitest'
import { temporaryFolder } from '../support/database/database.ts'
import { freshDatabase } from '../support/database/postgres.ts'
import { query } from '../support/database/postgres-server.ts'
import { driveOf } from '../support/drive/drive.ts'
import { startServerProcess } from '../support/processes/server-process.ts'
import type { Call } from '../support/test-app.ts'

const KEY = 'a-key-of-our-own-choice'
const OFTEN = { timeout: 90_000, interval: 10 }
const LONG = 240_000

/** Large enough that reading it takes a while and goes into a file. */
const TABLE = `name,words\n${Array.from({ length: 40_000 }, (_, row) => `row ${row},${'a few words of a table '.repeat(4)}`).join('\n')}`

function driveAt({ url }: { url: string }) {
  const call: Call = async (method, path, body) => {
    const isForm = body instanceof FormData
    const reply = await fetch(`${url}/v1${path}`, {
      method,
      headers: { 'x-api-key': KEY, ...(body !== undefined && !isForm && { 'content-type': 'application/json' }) },
      body: body === undefined ? null : isForm ? body : JSON.stringify(body),
    })
    return { status: reply.status, body: await reply.json(), headers: reply.headers }
  }
  return driveOf({ call })
}

/** Files and folders in the folders of all processes. */
async function filesAtWork(dataDir: string): Promise<string[]> {
  const names = await readdir(join(dataDir, 'work'), { recursive: true }).catch(() => [])
  return names.filter((name) => name.includes('/'))
}

const settingsIn = (dataDir: string) => ({ DATA_DIR: dataDir, DOCENT_OWNER_KEY: KEY })

test(
  'what a process was working with when it was killed goes at the next start, with what earlier versions left',
  async () => {
    const dataDir = await temporaryFolder()
    const server = await startServerProcess(settingsIn(dataDir))
    const drive = driveAt(server)
    await drive.addFile(await drive.newFolder('Tables'), { title: 'table.csv', content: TABLE, index: true })
    await expect.poll(() => filesAtWork(dataDir), OFTEN).not.toEqual([])
    await server.end('SIGKILL')
    const [left] = await readdir(join(dataDir, 'work'))
    await mkdir(join(dataDir, 'work/page-old'))
    await writeFile(join(dataDir, 'work/page-old/page'), 'docent')
    await mkdir(join(dataDir, 'work/page-new'))
    const twoDaysAgo = new Date(Date.now() - 2 * 86_400_000)
    await utimes(join(dataDir, 'work/page-old'), twoDaysAgo, twoDaysAgo)

    const next = await startServerProcess(settingsIn(dataDir))
    const names = () => readdir(join(dataDir, 'work'))
    await expect.poll(names, OFTEN).not.toContain(left)
    await expect.poll(names, OFTEN).not.toContain('page-old')
    expect(await names()).toContain('page-new')
    await next.end('SIGTERM')
    expect(await names()).toEqual(['page-new'])
  },
  LONG,
)

test(
  'of processes that share a folder one that is killed leaves nothing, and what the other works with stays',
  async () => {
    const dataDir = await temporaryFolder()
    const settings = { ...settingsIn(dataDir), DATABASE_URL: await freshDatabase() }
    const servers = [await startServerProcess(settings), await startServerProcess(settings)]
    const drives = servers.map(driveAt)
    const [drive] = drives as [(typeof drives)[0]]
    const folder = await drive.newFolder('Tables')
    const owners = async () => [...new Set((await filesAtWork(dataDir)).map((name) => name.split('/')[0]!))]
    // The faster process claims a file: more of them come until both have one at work.
    let atWork: string[] = []
    for (let round = 0; atWork.length < 2; round++) {
      const tables = drives.map((one, at) =>
        one.addFile(folder, { title: `${round} ${at}.csv`, content: TABLE, index: true }),
      )
      await Promise.all(tables)
      for (let look = 0; atWork.length < 2 && look < 100; look++) {
        atWork = await owners()
        await delay(10)
      }
    }

    const rows = await query<{ id: string; pid: string }>(settings.DATABASE_URL, 'select id, pid from server_process')
    const [first, second] = servers.map(({ pid }) => rows.find((row) => Number(row.pid) === pid)!.id)
    expect(atWork.sort()).toEqual([first!, second!].sort())
    await servers[1]!.end('SIGKILL')
    await expect.poll(() => readdir(join(dataDir, 'work')), OFTEN).toEqual([first])
    const statuses = async () => new Set((await drive.listFiles(folder)).data_sources.map((file: any) => file.status))
    await expect.poll(statuses, OFTEN).toEqual(new Set(['successful']))
  },
  LONG,
)
