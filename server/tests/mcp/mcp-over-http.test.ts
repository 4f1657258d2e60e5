import { describe, expect, test, vi } from 'vitest'
import { startTestChat } from '../support/chats/chat.ts'
import { connectMcp } from '../support/mcp/mcp.ts'
import { answer } from '../support/models/model-server.ts'
import { startTestApp } from '../support/test-app.ts'

describe('over plain HTTP', () => {
  const list = { jsonrpc: '2.0', id: 7, method: 'tools/list' }
  const post = (url: string, headers: Record<string, string>, body: unknown = list) =>
    fetch(`${url}/mcp`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', ...headers },
      body: typeof body === 'string' ? body : JSON.stringify(body),
    })

  test('a key is needed, and the answer says how to send it', async () => {
    const { url } = await startTestApp()
    for (const key of ['', `dct_${'x'.repeat(46)}`]) {
      const reply = await post(url, { 'x-api-key': key })
      expect(reply.status).toBe(401)
      expect(reply.headers.get('www-authenticate')).toContain('Bearer')
      expect(await reply.json()).toMatchObject({ error_code: 'UNAUTHORIZED' })
    }
    await expect(connectMcp(url, 'wrong')).rejects.toThrow()
  })

  test('the form of the answer is the one that is asked for', async () => {
    const { url, owner } = await startTestApp()
    const key = { 'x-api-key': owner.apiKey }
    for (const accept of ['application/json', '*/*']) {
      const reply = await post(url, { ...key, accept })
      expect(reply.headers.get('content-type')).toContain('application/json')
      expect(await reply.json()).toEqual({ jsonrpc: '2.0', id: 7, result: { tools: [] } })
    }
    const stream = await post(url, { ...key, accept: 'application/json, text/event-stream' })
    expect(stream.headers.get('content-type')).toContain('text/event-stream')
    expect(await stream.text()).toContain('"id":7')
  })

  test('what is no request of the protocol is refused with the reason', async () => {
    const { url, owner } = await startTestApp()
    const key = { 'x-api-key': owner.apiKey }
    expect((await post(url, key, '{"a":')).status).toBe(400)
    expect((await post(url, key, '')).status).toBe(400)
    expect((await post(url, key, { hello: 1 })).status).toBe(400)
    expect(await (await post(url, key, { ...list, method: 'nothing/here' })).json()).toMatchObject({
      error: { code: -32601 },
    })
    for (const method of ['GET', 'DELETE']) {
      const reply = await fetch(`${url}/mcp`, { method, headers: key })
      expect(reply.status).toBe(405)
      expect(reply.headers.get('allow')).toContain('POST')
    }
  })

  test('a client of before 2026-07-28 that loses its connection does not stop the run, one of today does', async () => {
    const release = Promise.withResolvers<void>()
    const { url, owner, agentId, model, succeed } = await startTestChat({
      script: () => answer('Be', { until: release.promise }, ' well'),
    })
    const lose = async (params: object, headers: Record<string, string> = {}) => {
      const asked = model.requests.length
      const abort = new AbortController()
      const reply = fetch(`${url}/mcp`, {
        method: 'POST',
        headers: {
          'x-api-key': owner.apiKey,
          'content-type': 'application/json',
          accept: 'application/json, text/event-stream',
          ...headers,
        },
        body: JSON.stringify({ ...list, method: 'tools/call', params: { name: 'guide', ...params } }),
        signal: abort.signal,
      })
      reply.then((response) => response.text()).catch(() => {})
      await vi.waitFor(() => expect(model.requests.length).toBe(asked + 1), 30_000)
      abort.abort()
      return model.requests.at(-1)!
    }
    await lose({ arguments: { query: 'Before' } })
    const _meta = {
      'io.modelcontextprotocol/protocolVersion': '2026-07-28',
      'io.modelcontextprotocol/clientInfo': { name: 'tests', version: '1' },
      'io.modelcontextprotocol/clientCapabilities': {},
    }
    const today = await lose(
      { arguments: { query: 'Today' }, _meta },
      { 'mcp-protocol-version': '2026-07-28', 'mcp-method': 'tools/call', 'mcp-name': 'guide' },
    )
    await today.left
    release.resolve()
    const { chats } = (await succeed('GET', `/agents/${agentId}/chats`)).data
    const answers = async () => {
      const found: Record<string, string> = {}
      for (const { id } of chats) {
        const { messages } = (await succeed('GET', `/agents/${agentId}/chats/${id}/messages`)).data
        for (const { query, response, error_message } of messages) found[query] = error_message ?? response
      }
      return found
    }
    await vi.waitFor(async () => expect(await answers()).toEqual({ Before: 'Be well', Today: 'cancelled' }), 30_000)
  })

  test('pages of other sites are refused', async () => {
    const { url, owner } = await startTestApp({ DOCENT_PUBLIC_URL: 'https://docent.example' })
    const from = async (origin: string) => (await post(url, { 'x-api-key': owner.apiKey, origin })).status
    expect(await from('https://docent.example')).toBe(200)
    expect(await from('http://localhost:6274')).toBe(200)
    for (const origin of ['https://elsewhere.example', 'http://docent.example', 'null'])
      expect(await from(origin), origin).toBe(403)
  })

  test('calls count among the streams that a key may have open', async () => {
    const { url, owner, services, model } = await startTestChat({
      settings: { DOCENT_MAX_STREAMS: '1' },
      script: () => answer('Be', { hang: true }),
    })
    const key = { 'x-api-key': owner.apiKey, accept: 'application/json, text/event-stream' }
    const call = { ...list, method: 'tools/call', params: { name: 'guide', arguments: { query: 'x' } } }
    const running = post(url, key, call).then((reply) => reply.text())
    await vi.waitFor(async () => expect((await post(url, key, call)).status).toBe(429), 30_000)
    expect((await post(url, key)).status).toBe(200)
    await vi.waitFor(() => expect(model.requests).toHaveLength(1), 30_000)
    await services.runs.drain(0)
    expect(await running).toContain('interrupted')
  })
})
