import { Agent, request } from 'node:http'
import { connect, type Socket } from 'node:net'
import { expect, onTestFinished, test } from 'vitest'
import { temporaryFolder } from '../support/database/database.ts'
import { runServerProcess, startServerProcess } from '../support/processes/server-process.ts'

const KEY = 'a-key-of-our-own-choice'

test.skipIf(process.platform === 'win32')(
  'where too few files may be open the server says so in one line and ends',
  async () => {
    const { code, stdout, stderr } = await runServerProcess({ DATA_DIR: await temporaryFolder() }, [], 64)
    expect([code, stdout]).toEqual([1, ''])
    expect(stderr).toMatch(/^This process may have no more than 64 files .* raise the limit \(ulimit -n/)
    expect(stderr.trim().split('\n')).toHaveLength(1)
  },
)

test.skipIf(process.platform === 'win32')(
  'idle connections without a key leave the descriptors that a search needs',
  async () => {
    const settings = { DATA_DIR: await temporaryFolder(), DOCENT_OWNER_KEY: KEY, LOG_LEVEL: 'silent' }
    const { url } = await startServerProcess(settings, 512)
    const agent = new Agent({ keepAlive: true, maxSockets: 1 })
    onTestFinished(() => agent.destroy())
    const call = (method: string, path: string, body?: unknown) =>
      new Promise<{ status: number | undefined; body: any }>((resolve, reject) => {
        const headers = { 'x-api-key': KEY, 'content-type': 'application/json' }
        const sent = request(`${url}/v1${path}`, { method, agent, headers }, async (reply) => {
          const text = Buffer.concat(await reply.toArray()).toString()
          resolve({ status: reply.statusCode, body: JSON.parse(text) })
        })
        sent.once('error', reject).end(body && JSON.stringify(body))
      })
    const folder = (await call('POST', '/knowledge-bases', { knowledge_base_name: 'Handbook' })).body.data.id
    const { port, hostname } = new URL(url)
    const sockets: Socket[] = []
    onTestFinished(() => {
      for (const socket of sockets) socket.destroy()
    })
    let closed = 0
    const opened = Array.from({ length: 600 }, () => {
      const socket = connect(Number(port), hostname)
      sockets.push(socket)
      socket.on('close', () => closed++).on('error', () => {})
      return new Promise((resolve) => socket.once('connect', resolve).once('close', resolve))
    })
    await Promise.all(opened)
    // Three of four descriptors are for connections, one of which is ours.
    await expect.poll(() => closed).toBeGreaterThanOrEqual(600 - 383)
    // The first use of the search engine, which has to load it.
    const search = () => call('GET', `/knowledge-bases/${folder}/search?query=holidays`)
    expect((await search()).status).toBe(200)
    for (const socket of sockets) socket.destroy()
    expect((await search()).status).toBe(200)
  },
)
