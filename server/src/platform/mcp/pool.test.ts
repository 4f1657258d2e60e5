import { expect, onTestFinished, test, vi } from 'vitest'
import { startNewestMcpServer, startSseMcpServer, stdioCommand } from '../../../tests/support/mcp/mcp-servers.ts'
import { createOutbound } from '../outbound/outbound.ts'
import { parseOutboundAllow } from '../outbound/outbound-allow.ts'
import { createLogger } from '../telemetry/logger.ts'
import { parseMcpCommands } from './commands.ts'
import { McpPool, type McpPoolOptions } from './pool.ts'
import type { McpTarget } from './target.ts'

const limits = { timeoutMs: 20_000, signal: new AbortController().signal }
const outbound = createOutbound({ allow: parseOutboundAllow('127.0.0.1') })

function startPool(options: Partial<McpPoolOptions> = {}) {
  const pool = new McpPool({ outbound, logger: createLogger('silent'), ...options })
  onTestFinished(() => pool.close())
  const call = async (key: string, target: McpTarget, name: string, given = {}, within = limits) => {
    const { content } = await pool.callTool(key, target, { name, given }, within)
    return (content[0] as { text: string }).text
  }
  return { call, listTools: pool.listTools.bind(pool), close: () => pool.close() }
}

const at = (url: string): McpTarget => ({ transport: 'http', url, headers: {} })
const program: McpTarget = { transport: 'stdio', ...parseMcpCommands(stdioCommand()).get('tools')! }

function isRunning(pid: number): boolean {
  try {
    process.kill(pid, 0)
    return true
  } catch {
    return false
  }
}

test('a program is kept while it is used, and ended when nobody has used it for a while', async () => {
  const { call } = startPool({ idleMs: 300 })
  const pid = Number(await call('a', program, 'pid'))
  expect(Number(await call('a', program, 'pid'))).toBe(pid)
  expect(Number(await call('b', program, 'pid'))).not.toBe(pid)
  await vi.waitFor(() => expect(isRunning(pid)).toBe(false), 30_000)
  expect(Number(await call('a', program, 'pid'))).not.toBe(pid)
})

test('one that does not end when asked to is killed', async () => {
  const stubborn = `process.on('SIGTERM', () => {}); setInterval(() => {}, 1000)
    require('node:readline').createInterface({ input: process.stdin }).on('line', (line) => {
      const { id, method } = JSON.parse(line)
      const result = method === 'initialize'
        ? { protocolVersion: '2025-06-18', capabilities: { tools: {} }, serverInfo: { name: 's', version: '1' } }
        : { tools: [{ name: String(process.pid), inputSchema: { type: 'object' } }] }
      if (id !== undefined) console.log(JSON.stringify({ jsonrpc: '2.0', id, result }))
    })`
  const { listTools, close } = startPool()
  const target: McpTarget = { transport: 'stdio', command: process.execPath, args: ['-e', stubborn], env: {} }
  const [tool] = await listTools('a', target, limits)
  const pid = Number(tool!.name)
  expect(isRunning(pid)).toBe(true)
  await close()
  await vi.waitFor(() => expect(isRunning(pid)).toBe(false), 30_000)
})

test('a call that is not answered ends in its time, and the connection goes on', async () => {
  const { call } = startPool()
  const { url } = await startNewestMcpServer()
  for (const [key, target] of [
    ['a', program],
    ['b', at(url)],
  ] as const) {
    await call(key, target, 'pid')
    const impatient = { ...limits, timeoutMs: 300 }
    await expect(call(key, target, 'hang', {}, impatient)).rejects.toThrow('did not answer in time')
    expect(await call(key, target, 'add', { a: 1, b: 1 })).toContain('2')
  }
})

test('a call ends with its signal', async () => {
  const { call } = startPool()
  const abort = new AbortController()
  const { url } = await startSseMcpServer()
  const target: McpTarget = { transport: 'sse', url, headers: {} }
  const asked = call('a', target, 'hang', {}, { ...limits, signal: abort.signal })
  asked.catch(() => {})
  await call('a', target, 'pid')
  abort.abort(new Error('enough'))
  await expect(asked).rejects.toThrow('enough')
})

test('lists count for a while', async () => {
  const { url, requests } = await startNewestMcpServer()
  const { listTools } = startPool({ freshMs: 60_000 })
  await Promise.all([listTools('a', at(url), limits), listTools('a', at(url), limits)])
  const asked = requests.length
  await listTools('a', at(url), limits)
  expect(requests.length).toBe(asked)
  const eager = startPool({ freshMs: 0 })
  await eager.listTools('a', at(url), limits)
  const before = requests.length
  await eager.listTools('a', at(url), limits)
  expect(requests.length).toBe(before + 1)
})

test('a server that is away is asked again only after a rest', async () => {
  const server = await startNewestMcpServer()
  server.intercept((_request, response) => {
    response.writeHead(503).end()
    return true
  })
  const { listTools } = startPool({ restMs: 60_000 })
  await expect(listTools('a', at(server.url), limits)).rejects.toThrow('503')
  const asked = server.requests.length
  await expect(listTools('a', at(server.url), limits)).rejects.toThrow('503')
  expect(server.requests.length).toBe(asked)
})

test('there are no more connections than allowed: the one that was idle longest goes', async () => {
  const { call } = startPool({ most: 2 })
  const first = Number(await call('a', program, 'pid'))
  const second = Number(await call('b', program, 'pid'))
  await call('a', program, 'pid')
  await call('c', program, 'pid')
  await vi.waitFor(() => expect(isRunning(second)).toBe(false), 30_000)
  expect(isRunning(first)).toBe(true)
})
