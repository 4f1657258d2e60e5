import { Docent } from '@docent/sdk'
import { Webhook } from 'standardwebhooks'
import { expect, test } from 'vitest'
import { startAsyncChat } from '../support/chats/async-chat.ts'
import { everyRow } from '../support/every-row.ts'
import { startReceiver } from '../support/http/receiver.ts'
import { answer } from '../support/models/model-server.ts'
import { fillDisk } from '../support/storage/full-disk.ts'
import { tasksOf } from '../support/tasks/tasks.ts'
import { shareTestApps } from '../support/test-app.ts'

shareTestApps()

const timestamp = expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/)

test('the result is sent with the fields of the contract, signed', async () => {
  const receiver = await startReceiver()
  const { ask, agentId, path, call, workspace, deliveries } = await startAsyncChat({
    script: () => answer('All ', 'is well.'),
  })
  const messageId = await ask(`${receiver.url}/hook?a=1`, { pin_response: true })
  const { path: hookPath, headers, body } = await receiver.next()
  expect(hookPath).toBe('/hook?a=1')
  expect(headers['content-type']).toBe('application/json; charset=utf-8')
  expect(JSON.parse(body)).toEqual({
    status: 'success',
    error_message: null,
    data: {
      id: messageId,
      query: 'What is up?',
      response: 'All is well.',
      chat_id: path.split('/').at(-1),
      agent_id: agentId,
      created_at: timestamp,
      updated_at: timestamp,
      message_type: 'ai_chat',
      is_pinned: true,
      downloadable_output: {},
      reasoning: '',
      quick_action_id: null,
      quick_action_fields_with_values: [],
      citations: [],
    },
  })
  const { secret } = (await call('GET', `${workspace}/webhook-secret`)).body.data
  expect(new Webhook(secret).verify(body, headers as Record<string, string>)).toEqual(JSON.parse(body))
  const { webhooks } = new Docent({ baseUrl: 'https://docent.example' })
  expect(await webhooks.unwrap(body, headers, secret)).toEqual(JSON.parse(body))
  expect(headers['webhook-id']).toBe((await deliveries())[0].id)
})

test('a shortcut and its values are in the body', async () => {
  const receiver = await startReceiver()
  const { ask, call, agentId } = await startAsyncChat()
  const { body: shortcut } = await call('POST', `/agents/${agentId}/shortcuts`, {
    name: 'Greet',
    prompt: 'Say hello to {{name}}',
    fields: [{ name: 'name', type: 'text', required: true }],
  })
  const values = [{ field_name: 'name', field_value: 'Ada' }]
  await ask(receiver.url, { query: null, shortcut_id: shortcut.data.id, shortcut_fields_with_values: values })
  expect(JSON.parse((await receiver.next()).body).data).toMatchObject({
    query: 'Say hello to Ada',
    quick_action_id: shortcut.data.id,
    quick_action_fields_with_values: values,
  })
})

test('a run that fails is reported as an error', async () => {
  const receiver = await startReceiver()
  const { ask } = await startAsyncChat({
    script: () => ({ status: 400, body: { error: { message: 'no such model' } } }),
  })
  const messageId = await ask(receiver.url)
  const body = JSON.parse((await receiver.next()).body)
  expect(body).toMatchObject({ status: 'error', error_message: expect.any(String), data: { id: messageId } })
  expect(body.error_message).not.toBe('')
  expect(body.data).not.toHaveProperty('error_message')
})

test('a run that is cancelled is reported as an error, with what it had said', async () => {
  const receiver = await startReceiver()
  const { ask, call, path, model } = await startAsyncChat({ script: () => answer('Half', { hang: true }) })
  const messageId = await ask(receiver.url)
  await expect.poll(() => model.requests.length).toBe(1)
  await expect
    .poll(async () => (await call('POST', `${path}/message/${messageId}/cancel`)).body.data.ai_resolution_status)
    .toBe('completed')
  expect(JSON.parse((await receiver.next()).body)).toMatchObject({
    status: 'error',
    error_message: 'cancelled',
    data: { id: messageId },
  })
})

test('a message that is deleted while it is answered ends its delivery, which says so', async () => {
  const receiver = await startReceiver()
  const { ask, call, path, model, delivery } = await startAsyncChat({ script: () => answer({ hang: true }) })
  const messageId = await ask(receiver.url)
  await expect.poll(() => model.requests.length).toBe(1)
  expect((await call('DELETE', `${path}/message/${messageId}`)).status).toBe(200)
  await expect.poll(async () => (await delivery(messageId, {})).status).toMatch(/^(failed|delivered)$/)
  const ended = await delivery(messageId, {})
  if (ended.status === 'failed')
    expect(ended.error_message).toBe('The message was deleted before its result was delivered')
  // The end of the run may have been delivered before the message went; never twice.
  expect(receiver.received.length).toBe(ended.attempt_count)
})

test('the same message_id again: one run, one delivery', async () => {
  const receiver = await startReceiver()
  const { ask, call, path, model, delivery, deliveries } = await startAsyncChat()
  const fields = { message_id: '6740a1b2c3d4e5f6a7b8c9d0' }
  const ids = await Promise.all(Array.from({ length: 20 }, () => ask(receiver.url, fields)))
  expect(new Set(ids)).toEqual(new Set([fields.message_id]))
  await delivery(fields.message_id, { status: 'delivered', attempt_count: 1 })
  await ask(receiver.url, fields)
  expect(await deliveries()).toHaveLength(1)
  expect(model.requests).toHaveLength(1)
  expect(receiver.received).toHaveLength(1)
  const other = await call('POST', `${path}/async_query`, { ...fields, query: 'Other', webhook_url: receiver.url })
  expect(other).toMatchObject({ status: 400, body: { error_code: 'MESSAGE_ID_CONFLICT' } })
  const elsewhere = { ...fields, query: 'What is up?', webhook_url: `${receiver.url}/other` }
  expect((await call('POST', `${path}/async_query`, elsewhere)).body.error_code).toBe('MESSAGE_ID_CONFLICT')
})

test('addresses inside are refused, and nothing is stored', async () => {
  const { call, path, deliveries } = await startAsyncChat({ settings: { DOCENT_OUTBOUND_ALLOW: '' } })
  await everyRow(
    [
      'http://127.0.0.1:9/hook',
      'http://127.1/hook',
      'http://0x7f000001/',
      'http://localhost/hook',
      'http://[::ffff:127.0.0.1]/',
      'http://10.0.0.1/',
      'http://169.254.169.254/latest/meta-data',
    ],
    async (webhook_url) => {
      const { status, body } = await call('POST', `${path}/async_query`, { query: 'Hi', webhook_url })
      expect(status).toBe(400)
      expect(body).toMatchObject({ error_code: 'WEBHOOK_URL_NOT_ALLOWED', details: [{ path: 'webhook_url' }] })
      expect(body.message).toContain('DOCENT_OUTBOUND_ALLOW')
      expect((await call('GET', `${path}/messages`)).body.data.total).toBe(0)
      expect(await deliveries()).toEqual([])
    },
  )
})

test('what is no webhook URL is refused', async () => {
  const { call, path } = await startAsyncChat()
  await everyRow(
    [
      'example.com/hook',
      'ftp://example.com/',
      'http://user:secret@example.com/',
      `http://example.com/${'x'.repeat(2048)}`,
    ],
    async (webhook_url) => {
      const reply = await call('POST', `${path}/async_query`, { query: 'Hi', webhook_url })
      expect(reply).toMatchObject({ status: 400, body: { error_code: 'WEBHOOK_URL_NOT_ALLOWED' } })
    },
  )
})

test('webhook_url is required, and a text', async () => {
  const { call, path } = await startAsyncChat()
  for (const webhook_url of [undefined, null, 5]) {
    const { status, body } = await call('POST', `${path}/async_query`, { query: 'Hi', webhook_url })
    expect(status).toBe(400)
    expect(body).toMatchObject({ error_code: 'VALIDATION_ERROR', details: [{ path: 'webhook_url' }] })
  }
})

test('an address that is allowed at the request but not at the delivery is not connected to', async () => {
  const receiver = await startReceiver()
  const { ask, delivery, services } = await startAsyncChat({ settings: { DOCENT_WEBHOOK_RETRY_DELAYS: '0' } })
  const messageId = await ask('http://does-not-resolve.invalid/')
  await services.db
    .updateTable('webhook_delivery')
    .set({ url: receiver.url.replace('127.0.0.1', '0.0.0.0') })
    .execute()
  const { attempts } = await delivery(messageId, { status: 'failed' })
  expect(attempts.at(-1).error).toContain('DOCENT_OUTBOUND_ALLOW')
  expect(receiver.received).toEqual([])
})

test('an answer that cannot be stored is made again, and delivered', async () => {
  const receiver = await startReceiver()
  const { ask, services, model, delivery } = await startAsyncChat({ settings: { LOG_LEVEL: 'silent' } })
  const makeRoom = await fillDisk(services.db, "new.status = 'completed'")
  const messageId = await ask(receiver.url)
  // The first run gives up storing after about 4 s.
  await expect
    .poll(() => tasksOf(services.db, 'chats.answer'))
    .toMatchObject([{ error: 'The answer could not be stored; send the query again' }])
  await makeRoom()
  await delivery(messageId, { status: 'delivered', attempt_count: 1 })
  expect(model.requests).toHaveLength(2)
  expect(receiver.received).toHaveLength(1)
})
