import { once } from 'node:events'
import http from 'node:http'
import net, { type AddressInfo } from 'node:net'
import { expect, onTestFinished, test } from 'vitest'
import { startPlainProxy } from '../support/http/plain-proxy.ts'

async function listen(handler: http.RequestListener) {
  const server = http.createServer(handler).listen(0, '127.0.0.1')
  await once(server, 'listening')
  const close = () => {
    server.close()
    server.closeAllConnections()
  }
  onTestFinished(close)
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, close }
}

async function start(...handlers: http.RequestListener[]) {
  const targets = await Promise.all(handlers.map(listen))
  const proxy = await startPlainProxy(targets.map(({ url }) => url))
  onTestFinished(() => proxy.close())
  return { proxy, targets }
}

const says = (name: string) => (_: http.IncomingMessage, response: http.ServerResponse) => response.end(name)

test('requests go to one after the other, and past one that does not listen with their bodies whole', async () => {
  const echo = (name: string) => async (request: http.IncomingMessage, response: http.ServerResponse) =>
    response.end(name + Buffer.concat(await request.toArray()).toString())
  const { proxy, targets } = await start(echo('a'), echo('b'))
  const post = async () => (await fetch(proxy.url, { method: 'POST', body: 'x'.repeat(1000) })).text()
  expect(new Set(await Promise.all([post(), post()])).size).toBe(2)
  targets[0]!.close()
  for (let sent = 0; sent < 4; sent++) expect(await post()).toBe(`b${'x'.repeat(1000)}`)
})

test('a stream passes through as it comes, and ends at the one side when it does at the other', async () => {
  let left: Promise<unknown> | undefined
  const { proxy } = await start((_, response) => {
    response.writeHead(200, { 'content-type': 'text/event-stream' }).write('data: 1\n\n')
    left = once(response, 'close')
  })
  const reading = new AbortController()
  const reply = await fetch(proxy.url, { signal: reading.signal })
  const { value } = await reply.body!.getReader().read()
  expect(new TextDecoder().decode(value)).toBe('data: 1\n\n')
  reading.abort()
  await left
})

test('an answer that breaks off breaks off', async () => {
  const { proxy } = await start((_, response) => {
    response.writeHead(200, { 'content-length': '10' }).write('half')
    setImmediate(() => response.destroy())
  })
  await expect(fetch(proxy.url).then((reply) => reply.text())).rejects.toThrow()
})

test('what is no HTTP reaches the target as it came', async () => {
  const { proxy } = await start(says('a'))
  const socket = net.connect(Number(new URL(proxy.url).port), '127.0.0.1')
  socket.write('no such thing\r\n\r\n')
  expect(Buffer.concat(await socket.toArray()).toString()).toMatch(/^HTTP\/1.1 400 /)
})
