import { describe, expect, test } from 'vitest'
import { createVisitorUseRetention } from '../../src/access/limits/visitor-use.retention.ts'
import { startTestChat } from '../support/chats/chat.ts'
import { manualClock } from '../support/clock.ts'
import { formOf } from '../support/drive/drive.ts'
import { rawRequest, sendRaw } from '../support/http/raw-http.ts'

const DAY_MS = 86_400_000

async function startShared(settings: Record<string, string> = {}) {
  const clock = manualClock('2026-03-01T18:00:00.000Z')
  const app = await startTestChat({ clock, settings })
  const { call, succeed } = app
  const agentId = await app.newAgent({ visibility: 'public' })
  const link = (await succeed('POST', `/agents/${agentId}/links`, {})).data
  async function visitor({ token = link.token, from }: { token?: string; from?: string } = {}) {
    const headers: Record<string, string> = from ? { 'x-forwarded-for': from } : {}
    const visit = await call('POST', `/shared/${token}/visits`, {}, { key: null, headers })
    const key: string = visit.body.data.visitor_token
    const send = (path: string, body?: unknown) => call('POST', path, body, { key, headers })
    return {
      key,
      begin: async () => (await send(`/agents/${agentId}/chats`, {})).status,
      chat: () => send(`/agents/${agentId}/chats`, {}),
      send: (bytes = 1) => send('/uploaded-files', formOf(new Uint8Array(bytes), 'a.bin')),
      upload: async (bytes = 1) => (await send('/uploaded-files', formOf(new Uint8Array(bytes), 'a.bin'))).status,
    }
  }
  const newLink = async () => (await succeed('POST', `/agents/${agentId}/links`, {})).data
  const stored = () => app.services.db.selectFrom('upload').selectAll().execute()
  return { ...app, clock, agentId, visitor, newLink, stored }
}

const times = async <T>(count: number, act: () => Promise<T>): Promise<T[]> => {
  const results: T[] = []
  for (let i = 0; i < count; i++) results.push(await act())
  return results
}

describe('in a day a visitor', () => {
  test('begins 100 chats, and is told when they may go on', async () => {
    const { visitor, clock } = await startShared()
    const { begin, chat } = await visitor()
    expect(new Set(await times(100, begin))).toEqual(new Set([200]))
    const { status, body, headers } = await chat()
    expect([status, body.error_code]).toEqual([429, 'RATE_LIMITED'])
    expect(body.message).toBe('A visitor of this link may begin 100 chats a day; go on after 2026-03-02T00:00:00.000Z')
    expect(headers.get('retry-after')).toBe(String(6 * 3600))
    clock.pass(6 * 3_600_000)
    expect(await begin()).toBe(200)
  })

  test('uploads 50 files, however many come at once', async () => {
    const { visitor, stored } = await startShared()
    const { upload, send } = await visitor()
    const statuses = await Promise.all(Array.from({ length: 70 }, () => upload()))
    expect(statuses.filter((status) => status === 200)).toHaveLength(50)
    expect(statuses.filter((status) => status === 429)).toHaveLength(20)
    expect(await stored()).toHaveLength(50)
    const { headers, body } = await send()
    expect(body).toEqual({ error_code: 'RATE_LIMITED', message: expect.stringContaining('50 files a day') })
    expect(headers.get('retry-after')).toBe(String(6 * 3600))
  })

  test('uploads as many bytes as are allowed, however many files come at once, and not one more', async () => {
    const { visitor, stored } = await startShared({ DOCENT_VISITOR_BYTES: '1000000' })
    const { upload } = await visitor()
    const statuses = await Promise.all(Array.from({ length: 20 }, () => upload(90_000)))
    expect(new Set(statuses)).toEqual(new Set([200, 429]))
    const bytesOf = async () => (await stored()).reduce((sum, row) => sum + Number(row.size_bytes), 0)
    expect(await bytesOf()).toBeLessThanOrEqual(1_000_000)
    // Room reserved for uploads in progress is released: the whole rest can be used.
    while ((await upload(90_000)) === 200);
    const left = 1_000_000 - (await bytesOf())
    expect(left).toBeLessThan(90_000)
    expect(await upload(left + 1)).toBe(429)
    expect(await upload(left)).toBe(200)
    expect(await upload(1)).toBe(429)
    expect(await bytesOf()).toBe(1_000_000)
  })

  test('is told how much that is', async () => {
    const { visitor } = await startShared({ DOCENT_VISITOR_BYTES: String(1024 ** 2) })
    const { send } = await visitor()
    const { status, body } = await send(1024 ** 2 + 1)
    expect([status, body.message]).toEqual([429, expect.stringContaining('may upload 1 MiB a day; go on after')])
  })

  test('gets back what came to nothing', async () => {
    const { visitor, url, stored } = await startShared({ DOCENT_VISITOR_FILES: '1', DOCENT_VISITOR_BYTES: '1000' })
    const { upload, key } = await visitor()
    expect(await times(3, () => upload(0))).toEqual([400, 400, 400])
    const headers = { 'content-type': 'multipart/form-data; boundary=XX', 'x-api-key': key }
    const head = '--XX\r\ncontent-disposition: form-data; name="file"; filename="a.txt"\r\n\r\n'
    const request = rawRequest('/v1/uploaded-files', headers, `${head}${'x'.repeat(800)}\r\n--XX--\r\n`)
    await sendRaw(url, request.subarray(0, request.length - 400), { cut: true })
    await expect.poll(() => upload(1000)).toBe(200)
    expect(await stored()).toHaveLength(1)
    expect(await upload(1)).toBe(429)
  })

  test('is held to the bytes where the body does not say how long it is', async () => {
    const { visitor, url, stored } = await startShared({ DOCENT_VISITOR_BYTES: '1000' })
    const { key, upload } = await visitor()
    async function sendInPieces(bytes: number) {
      const form = formOf(new Uint8Array(bytes), 'a.bin')
      const { headers, body } = new Request('http://x', { method: 'POST', body: form })
      const init = {
        method: 'POST',
        body,
        duplex: 'half',
        headers: { 'x-api-key': key, 'content-type': headers.get('content-type')! },
      }
      return (await fetch(`${url}/v1/uploaded-files`, init as RequestInit)).status
    }
    expect(await sendInPieces(1001)).toBe(429)
    expect(await stored()).toEqual([])
    expect(await sendInPieces(400)).toBe(200)
    expect(await upload(601)).toBe(429)
    expect(await upload(600)).toBe(200)
  })

  test('may be allowed any number', async () => {
    const { visitor } = await startShared({ DOCENT_VISITOR_CHATS: '0', DOCENT_VISITORS_PER_LINK: '1' })
    const { begin } = await visitor()
    expect(new Set(await times(120, begin))).toEqual(new Set([200]))
  })
})

describe('all visitors of a link together', () => {
  const settings = { DOCENT_VISITOR_CHATS: '2', DOCENT_VISITOR_FILES: '2', DOCENT_VISITORS_PER_LINK: '3' }

  test('are held to a limit, so that nobody gets more by being many', async () => {
    const { visitor, newLink } = await startShared(settings)
    const all = [await visitor(), await visitor(), await visitor()]
    for (const { begin, upload } of all) {
      expect([await begin(), await begin(), await begin()]).toEqual([200, 200, 429])
      expect([await upload(), await upload(), await upload()]).toEqual([200, 200, 429])
    }
    const fourth = await visitor()
    expect((await fourth.chat()).body.message).toContain('All visitors of this link together may begin 6 chats a day')
    expect((await fourth.send()).body.message).toContain('All visitors of this link together may upload 6 files a day')
    expect(await (await visitor({ token: (await newLink()).token })).begin()).toBe(200)
  })

  test('from one address are held to a tenth of it', async () => {
    const { visitor } = await startShared({
      DOCENT_TRUSTED_PROXIES: '127.0.0.1',
      DOCENT_VISITOR_CHATS: '2',
      DOCENT_VISITORS_PER_LINK: '10',
    })
    const here = '2a00:1450:4001:82a::200e'
    const next = '2a00:1450:4001:82a:1::1'
    const elsewhere = '2a00:1450:4001:82b::1'
    expect(await times(3, (await visitor({ from: here })).begin)).toEqual([200, 200, 429])
    const { body } = await (await visitor({ from: next })).chat()
    expect(body.message).toContain('All visitors of this link from your address together may begin 2 chats a day')
    expect(await (await visitor({ from: elsewhere })).begin()).toBe(200)
    // A private address may be that of a proxy.
    expect(await times(3, (await visitor({ from: '10.0.0.1' })).begin)).toEqual([200, 200, 429])
    expect(await (await visitor({ from: '10.0.0.1' })).begin()).toBe(200)
  })
})

test('those who have a key are not counted', async () => {
  const { call, agentId, services } = await startShared({ DOCENT_VISITOR_CHATS: '1', DOCENT_VISITOR_FILES: '1' })
  for (let i = 0; i < 3; i++) {
    expect((await call('POST', `/agents/${agentId}/chats`, {})).status).toBe(200)
    expect((await call('POST', '/uploaded-files', formOf('x'))).status).toBe(200)
  }
  expect(await services.db.selectFrom('visitor_use').selectAll().execute()).toEqual([])
})

test.each(['before', 'after'])('a visitor cannot name a person in a field %s the file', async (where) => {
  const { visitor, call, owner, stored, services } = await startShared()
  const people = `/workspaces/${owner.workspaceId}/virtual-users`
  const removed = (await call('POST', people, { email: 'gone@example.com', name: 'Gone' })).body.data
  await call('DELETE', `${people}/${removed.id ?? removed.virtual_user?.id}`)
  const listed = (await call('GET', people)).body
  const { key } = await visitor()
  for (const email of ['gone@example.com', 'new@example.com', '']) {
    const form = new FormData()
    if (where === 'before') form.append('virtual_user_email', email)
    form.append('file', new Blob(['x']), 'a.txt')
    if (where === 'after') form.append('virtual_user_email', email)
    const { status, body } = await call('POST', '/uploaded-files', form, { key })
    expect([status, body.message]).toEqual([403, 'Visitors of a link have no virtual_user_email: leave it out'])
  }
  expect((await call('GET', people)).body).toEqual(listed)
  expect(await stored()).toEqual([])
  expect(await services.db.selectFrom('visitor_use').select('files').where('files', '>', 0).execute()).toEqual([])
})

test('what visitors used is forgotten on another day', async () => {
  const { visitor, clock, services } = await startShared()
  await (await visitor()).begin()
  const { writes, logger } = services
  const retention = createVisitorUseRetention({ db: services.db, writes, clock, logger })
  const rows = () => services.db.selectFrom('visitor_use').selectAll().execute()
  expect(await rows()).toHaveLength(2)
  await retention.sweep()
  expect(await rows()).toHaveLength(2)
  clock.pass(DAY_MS)
  await retention.sweep()
  expect(await rows()).toEqual([])
})
