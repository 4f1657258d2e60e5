import { createServer, type RequestListener } from 'node:http'
import type { AddressInfo } from 'node:net'
import { expect, onTestFinished, test } from 'vitest'
import { createOutbound, OutboundTimeoutError } from './outbound.ts'
import { parseOutboundAllow } from './outbound-allow.ts'
import { OutboundNotAllowedError } from './outbound-guard.ts'
import type { LookUp } from './outbound-lookup.ts'

const limits = { timeoutMs: 10_000, maxReplyBytes: 1000 }

async function start(listener: RequestListener, lookUp?: LookUp) {
  const server = createServer(listener)
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  onTestFinished(() => {
    server.closeAllConnections()
    server.close()
  })
  const { port } = server.address() as AddressInfo
  const outbound = createOutbound({ allow: parseOutboundAllow(`127.0.0.1:${port}`), lookUp })
  return { port, url: `http://127.0.0.1:${port}`, outbound }
}

async function textOf(body: AsyncIterable<Buffer>): Promise<string> {
  const chunks: Buffer[] = []
  for await (const chunk of body) chunks.push(chunk)
  return Buffer.concat(chunks).toString()
}

test('a request and its reply', async () => {
  const { url, outbound } = await start(async (request, response) => {
    let body = ''
    for await (const chunk of request) body += chunk
    response.writeHead(201, { 'x-kind': 'echo' })
    response.end(`${request.method} ${request.url} ${request.headers['x-a']} ${body}`)
  })
  const reply = await outbound.request(`${url}/p?q=1`, {
    ...limits,
    method: 'POST',
    headers: { 'x-a': 'b' },
    body: 'ü',
  })
  expect(reply).toMatchObject({ status: 201, headers: { 'x-kind': 'echo' } })
  expect(await textOf(reply.body)).toBe('POST /p?q=1 b ü')
  expect(reply.isCut).toBe(false)
})

test('what is connected to is what was checked, though the name changes its address in between', async () => {
  const asked: string[] = []
  const { port, outbound } = await start(
    (_request, response) => response.end('never'),
    async (host) => {
      asked.push(host)
      // The second answer is the one that an attacker would have the connection use.
      return asked.length === 1 ? [{ address: '192.0.2.1', family: 4 }] : [{ address: '127.0.0.1', family: 4 }]
    },
  )
  const first = outbound.request(`http://rebind.example:${port}/`, limits)
  await expect(first).rejects.toThrow(OutboundNotAllowedError)
  expect(asked).toEqual(['rebind.example'])
  const reply = await outbound.request(`http://rebind.example:${port}/`, limits)
  expect(await textOf(reply.body)).toBe('never')
  // One look-up a request: none is made between the check and the connection.
  expect(asked).toHaveLength(2)
})

test('no address of a name is tried if one is special', async () => {
  let requests = 0
  const { port, outbound } = await start(
    (_request, response) => {
      requests++
      response.end()
    },
    async () => [
      { address: '127.0.0.1', family: 4 },
      { address: '10.0.0.1', family: 4 },
    ],
  )
  await expect(outbound.request(`http://two.example:${port}/`, limits)).rejects.toThrow('DOCENT_OUTBOUND_ALLOW')
  expect(requests).toBe(0)
})

test('a redirect is a reply like any other', async () => {
  let requests = 0
  const { url, outbound } = await start((_request, response) => {
    requests++
    response.writeHead(302, { location: 'http://169.254.169.254/' }).end()
  })
  const reply = await outbound.request(url, limits)
  expect(reply).toMatchObject({ status: 302, headers: { location: 'http://169.254.169.254/' } })
  reply.close()
  expect(requests).toBe(1)
})

test('a proxy of the environment is not used', async () => {
  const { url, outbound } = await start((request, response) => response.end(request.url))
  process.env.HTTP_PROXY = 'http://127.0.0.1:1'
  onTestFinished(() => {
    delete process.env.HTTP_PROXY
  })
  const reply = await outbound.request(`${url}/direct`, limits)
  expect(await textOf(reply.body)).toBe('/direct')
})

test('a long reply is cut', async () => {
  const { url, outbound } = await start((_request, response) => response.end('x'.repeat(1_000_000)))
  const reply = await outbound.request(url, limits)
  expect(await textOf(reply.body)).toBe('x'.repeat(1000))
  expect(reply.isCut).toBe(true)
})

test('a receiver that does not answer, or stops half-way, is waited for no longer than allowed', async () => {
  const { url, outbound } = await start((request, response) => {
    if (request.url === '/half') response.write('half')
  })
  const impatient = { ...limits, timeoutMs: 100 }
  await expect(outbound.request(url, impatient)).rejects.toThrow(OutboundTimeoutError)
  const reply = await outbound.request(`${url}/half`, impatient)
  await expect(textOf(reply.body)).rejects.toThrow(OutboundTimeoutError)
})

test('a look-up that does not end is not waited for either', async () => {
  const { port, outbound } = await start(
    (_request, response) => response.end(),
    () => new Promise(() => {}),
  )
  const request = outbound.request(`http://slow.example:${port}/`, { ...limits, timeoutMs: 50 })
  await expect(request).rejects.toThrow(OutboundTimeoutError)
})

test('the signal ends a request', async () => {
  const { url, outbound } = await start(() => {})
  const abort = new AbortController()
  const request = outbound.request(url, { ...limits, signal: abort.signal })
  abort.abort(new Error('enough'))
  await expect(request).rejects.toThrow('enough')
})

test('a port where nobody listens is an error of the network', async () => {
  const outbound = createOutbound({ allow: parseOutboundAllow('127.0.0.1') })
  await expect(outbound.request('http://127.0.0.1:1/', limits)).rejects.toThrow('ECONNREFUSED')
})
