import { expect, onTestFinished, test } from 'vitest'
import { temporaryFolder } from '../support/database/database.ts'
import { createDatabase, startPostgres } from '../support/database/postgres-server.ts'
import { startReceiver } from '../support/http/receiver.ts'
import { answer, settingsOf, startModelServer } from '../support/models/model-server.ts'
import { gate, SLOWLY } from '../support/processes/many-processes.ts'
import { KEY } from '../support/processes/restartable.ts'
import { startServerProcess } from '../support/processes/server-process.ts'

const SOON = { timeout: 60_000, interval: 200 }

test(
  'while PostgreSQL is away callers are told so, and when it is back all goes on by itself',
  async () => {
    const postgres = await startPostgres(['fsync=off'])
    onTestFinished(() => postgres.stop())
    const said = gate()
    const script = () => answer('Still ', { until: said.isOpen }, 'here')
    const model = await startModelServer({ script })
    onTestFinished(() => model.close())
    const receiver = await startReceiver()
    const { url } = await startServerProcess({
      DATABASE_URL: await createDatabase(postgres.adminUrl),
      DATA_DIR: await temporaryFolder(),
      DOCENT_OWNER_KEY: KEY,
      DOCENT_OUTBOUND_ALLOW: '127.0.0.0/8',
      LOG_LEVEL: 'silent',
      ...settingsOf(model.openaiUrl),
    })
    const call = async (method: string, path: string, body?: unknown) => {
      const headers = { 'x-api-key': KEY, ...(body !== undefined && { 'content-type': 'application/json' }) }
      const reply = await fetch(url + path, { method, headers, body: body === undefined ? null : JSON.stringify(body) })
      return { status: reply.status, retryAfter: reply.headers.get('retry-after'), body: (await reply.json()) as any }
    }
    const agent = (await call('POST', '/v1/agents', { name: 'Guide' })).body.data.id
    const chat = `/v1/agents/${agent}/chats/${(await call('POST', `/v1/agents/${agent}/chats`, {})).body.data.chat.id}`
    const asked = await call('POST', `${chat}/async_query`, { query: 'Hello?', webhook_url: receiver.url })
    const message = `${chat}/message/${asked.body.data.message_id}`
    await expect.poll(() => model.requests.length, SOON).toBe(1)

    await postgres.crash()
    said.open()
    const away = {
      status: 503,
      retryAfter: '5',
      body: { error_code: 'UNAVAILABLE', message: expect.stringContaining('The database is away') },
    }
    await expect.poll(() => call('GET', '/readyz'), SOON).toMatchObject(away)
    expect((await call('GET', '/healthz')).status).toBe(200)
    expect(await call('GET', '/v1/agents')).toMatchObject(away)
    expect(await call('GET', message)).toMatchObject(away)
    expect(await call('POST', '/v1/agents', { name: 'Lost' })).toMatchObject(away)
    expect(receiver.received).toEqual([])

    await postgres.start()
    await expect.poll(async () => (await call('GET', '/readyz')).status, SOON).toBe(200)
    const { agents } = (await call('GET', '/v1/agents')).body.data
    expect(agents.map(({ name }: any) => name)).toEqual(['Guide'])
    // The answer that was in progress is stored, and delivered once.
    await expect.poll(() => receiver.received.length, SOON).toBe(1)
    expect(JSON.parse(receiver.received[0]!.body)).toMatchObject({
      status: 'success',
      data: { response: 'Still here' },
    })
    expect((await call('GET', message)).body.data).toMatchObject({ ai_resolution_status: 'completed' })
    expect((await call('POST', `${chat}/query`, { query: 'And now?' })).body.data.text).toBe('Still here')
    expect(receiver.received).toHaveLength(1)
  },
  SLOWLY,
)
