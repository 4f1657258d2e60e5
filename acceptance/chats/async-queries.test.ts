import { createHmac } from 'node:crypto'
import { describe, expect, test } from 'vitest'
import { everyRow } from '../../server/tests/support/every-row.ts'
import { api, dataOf, expectError, request } from '../support/api.ts'
import { newConversation, whoAmI } from '../support/make.ts'
import { startReceiver } from '../support/receiver.ts'
import { called, testOfOwn } from '../support/tests.ts'
import { anId, aTime, freshId, uniqueEmail } from '../support/values.ts'
import { until } from '../support/wait.ts'

const askAsync = (path: string, fields: object) => api.post(`${path}/async_query`, { query: 'say Hello', ...fields })

async function delivered(query: string, fields: object = {}, agent: object = {}) {
  const talk = await newConversation(agent)
  const receiver = await startReceiver()
  const { message_id } = dataOf(await askAsync(talk.path, { query, webhook_url: receiver.url, ...fields }))
  return { talk, receiver, message_id, delivery: await receiver.delivery() }
}

const workspacePath = async () => `/workspaces/${(await whoAmI()).workspace.id}`
const secretOf = async () => dataOf(await api.get(`${await workspacePath()}/webhook-secret`)).secret as string
const signature = (secret: string, id: unknown, timestamp: unknown, text: string) =>
  `v1,${createHmac('sha256', Buffer.from(secret.replace('whsec_', ''), 'base64'))
    .update(`${id}.${timestamp}.${text}`)
    .digest('base64')}`

describe('an async query', () => {
  called('answers {message_id} before the answer is there', async () => {
    const talk = await newConversation()
    const { url } = await startReceiver()
    const data = dataOf(await askAsync(talk.path, { query: 'wait 200\nsay x', webhook_url: url }))
    expect(data).toMatchObject({ message_id: anId })
    expect((await talk.message(data.message_id)).ai_resolution_status).toBe('in_progress')
  })

  called('takes a message_id of the client', async () => {
    const message_id = freshId()
    expect((await delivered('say x', { message_id })).message_id).toBe(message_id)
  })

  called('the same message_id with the same content is delivered once', async () => {
    const message_id = freshId()
    const { talk, receiver } = await delivered('say x', { message_id })
    dataOf(await askAsync(talk.path, { query: 'say x', message_id, webhook_url: receiver.url }))
    await delivered('say later')
    expect(receiver.deliveries).toHaveLength(1)
  })

  called('the same message_id with other content is 400 MESSAGE_ID_CONFLICT', async () => {
    const message_id = freshId()
    const { talk, receiver } = await delivered('say x', { message_id })
    const again = await askAsync(talk.path, { query: 'say y', message_id, webhook_url: receiver.url })
    expectError(again, 400, 'MESSAGE_ID_CONFLICT')
  })

  called('is attributed to its virtual_user_email', async () => {
    const email = uniqueEmail()
    await delivered('say x', { virtual_user_email: email })
    const path = `${await workspacePath()}/virtual-users?email=${encodeURIComponent(email)}`
    expect(dataOf(await api.get(path)).virtual_users).toHaveLength(1)
  })

  test('what is no text as webhook_url is 400 VALIDATION_ERROR', () =>
    everyRow(
      [
        ['none', undefined],
        ['null', null],
        ['a number', 5],
        ['empty', ''],
      ],
      async (_, webhook_url) => {
        const { path } = await newConversation()
        expectError(await askAsync(path, { webhook_url }), 400, 'VALIDATION_ERROR')
      },
    ))

  test('a webhook_url that may not be called is 400 WEBHOOK_URL_NOT_ALLOWED', async () => {
    const { path } = await newConversation()
    await everyRow(
      [
        ['no URL', 'hello'],
        ['ftp', 'ftp://example.com/'],
        ['file', 'file:///etc/passwd'],
        ['javascript', 'javascript:alert(1)'],
        ['without a host', 'http://'],
        ['with a name and password', 'https://user:pass@example.com/'],
        ['with a name', 'https://user@example.com/'],
        ['longer than 2,048 characters', `https://example.com/${'x'.repeat(2048)}`],
        ['a private address', 'http://10.0.0.1/'],
        ['another private address', 'http://192.168.1.1/'],
        ['a third private address', 'http://172.16.0.1/'],
        ['link-local', 'http://169.254.169.254/latest/meta-data'],
        ['0.0.0.0', 'http://0.0.0.0/'],
        ['shared address space', 'http://100.64.0.1/'],
        ['multicast', 'http://224.0.0.1/'],
        ['broadcast', 'http://255.255.255.255/'],
        ['private, written as a number', 'http://167772161/'],
        ['private, written in octal', 'http://012.0.0.1/'],
        ['private, written in hexadecimal', 'http://0x0a000001/'],
        ['private, short', 'http://10.1/'],
        ['IPv6 loopback', 'http://[::1]/'],
        ['IPv6 unspecified', 'http://[::]/'],
        ['unique local IPv6', 'http://[fd00::1]/'],
        ['link-local IPv6', 'http://[fe80::1]/'],
        ['IPv4 in IPv6', 'http://[::ffff:10.0.0.1]/'],
        ['IPv4 in NAT64', 'http://[64:ff9b::10.0.0.1]/'],
        ['IPv4 in 6to4', 'http://[2002:a00:1::]/'],
      ],
      async (_, webhook_url) => expectError(await askAsync(path, { webhook_url }), 400, 'WEBHOOK_URL_NOT_ALLOWED'),
    )
  })

  test('the refusal of a private address names DOCENT_OUTBOUND_ALLOW', async () => {
    const { path } = await newConversation()
    const reply = await askAsync(path, { webhook_url: 'http://10.0.0.1/' })
    expectError(reply, 400, 'WEBHOOK_URL_NOT_ALLOWED', /DOCENT_OUTBOUND_ALLOW/)
  })

  test('a refused one leaves no message', async () => {
    const { path } = await newConversation()
    await askAsync(path, { webhook_url: 'http://10.0.0.1/' })
    expect(dataOf(await api.get(`${path}/messages`)).total).toBe(0)
  })

  called('an unknown chat is 404 CHAT_NOT_FOUND', async () => {
    const { agent } = await newConversation()
    const { url } = await startReceiver()
    expectError(await askAsync(`/agents/${agent.id}/chats/${freshId()}`, { webhook_url: url }), 404, 'CHAT_NOT_FOUND')
  })
})

describe('the webhook', () => {
  called('is a POST of JSON', async () => {
    const { delivery } = await delivered('say x')
    expect([delivery.method, delivery.headers['content-type']]).toEqual([
      'POST',
      expect.stringMatching(/^application\/json/),
    ])
  })

  called('has status, error_message and the message fields of the contract', async () => {
    const { delivery, message_id, talk } = await delivered('think Well\nsay Hello', { pin_response: true })
    expect(delivery.body).toMatchObject({
      status: 'success',
      error_message: null,
      data: {
        id: message_id,
        query: 'think Well\nsay Hello',
        response: 'Hello',
        chat_id: talk.chat.id,
        agent_id: talk.agent.id,
        created_at: aTime,
        updated_at: aTime,
        message_type: 'ai_chat',
        is_pinned: true,
        downloadable_output: {},
        reasoning: 'Well',
        quick_action_id: null,
        quick_action_fields_with_values: [],
      },
    })
  })

  called('has no ai_resolution_status', async () => {
    expect((await delivered('say x')).delivery.text).not.toContain('ai_resolution_status')
  })

  called('of a failed run has status error and the error_message', async () => {
    const { delivery } = await delivered('fail')
    expect(delivery.body).toMatchObject({ status: 'error', error_message: expect.stringMatching(/\w/) })
  })

  called('of a cancelled run says cancelled', async () => {
    const talk = await newConversation()
    const receiver = await startReceiver()
    const { message_id } = dataOf(await askAsync(talk.path, { query: 'hang', webhook_url: receiver.url }))
    await api.post(`${talk.path}/message/${message_id}/cancel`)
    expect((await receiver.delivery()).body).toMatchObject({ status: 'error', error_message: 'cancelled' })
  })

  called('carries links to the files that tools made, which work', async () => {
    const call = `call create_file ${JSON.stringify({ name: 'a.md', content: '# A' })}`
    const { delivery } = await delivered(`${call}\nsay Done`, {}, { tools: ['create_file'] })
    const [link] = Object.values<string>(delivery.body.data.downloadable_output)
    const { pathname, search } = new URL(link!)
    expect((await request('GET', pathname + search)).text).toBe('# A')
  })

  called('is signed as Standard Webhooks say', async () => {
    const { delivery } = await delivered('say x')
    const { 'webhook-id': id, 'webhook-timestamp': timestamp } = delivery.headers
    expect(id).toBeTruthy()
    expect(Math.abs(Number(timestamp) - Date.now() / 1000)).toBeLessThan(300)
    const signatures = String(delivery.headers['webhook-signature']).split(' ')
    expect(signatures).toContain(signature(await secretOf(), id, timestamp, delivery.text))
  })

  called('does not carry the API key', async () => {
    const { delivery } = await delivered('say x')
    expect(JSON.stringify(delivery.headers) + delivery.text).not.toContain(api.key)
  })

  const status = [204, 299]
  for (const code of status)
    called(`answered with ${code} is delivered`, async () => {
      const talk = await newConversation()
      const receiver = await startReceiver(code)
      const { message_id } = dataOf(await askAsync(talk.path, { webhook_url: receiver.url }))
      await until('delivered', async () => (await deliveryOf(message_id)).status === 'delivered')
      expect(receiver.deliveries).toHaveLength(1)
    })

  const bad = [500, 404, 302]
  for (const code of bad)
    testOfOwn(`answered with ${code} is sent again, with the same webhook-id`, async () => {
      const talk = await newConversation()
      const receiver = await startReceiver(code)
      dataOf(await askAsync(talk.path, { webhook_url: receiver.url }))
      const [first, second] = [await receiver.delivery(0), await receiver.delivery(1)]
      expect(second.headers['webhook-id']).toBe(first.headers['webhook-id'])
      expect(second.body).toEqual(first.body)
    })

  called('answered with 410 is never sent again', async () => {
    const talk = await newConversation()
    const receiver = await startReceiver(410)
    const { message_id } = dataOf(await askAsync(talk.path, { webhook_url: receiver.url }))
    await until('failed', async () => (await deliveryOf(message_id)).status === 'failed')
    expect(receiver.deliveries).toHaveLength(1)
  })

  testOfOwn('after the last attempt is kept as failed, and redelivered when asked for', async () => {
    const talk = await newConversation()
    const receiver = await startReceiver(500, 500, 500)
    const { message_id } = dataOf(await askAsync(talk.path, { webhook_url: receiver.url }))
    await until('failed', async () => (await deliveryOf(message_id)).status === 'failed')
    const { id } = await deliveryOf(message_id)
    expect((await api.post(`${await workspacePath()}/webhook-deliveries/${id}/redeliver`)).status).toBe(200)
    await until('delivered', async () => (await deliveryOf(message_id)).status === 'delivered')
    expect(receiver.deliveries).toHaveLength(4)
  })
})

async function deliveryOf(messageId: string): Promise<any> {
  const { deliveries } = dataOf(await api.get(`${await workspacePath()}/webhook-deliveries?page_size=100`))
  return deliveries.find((delivery: any) => delivery.message_id === messageId)
}

describe('the log of deliveries', () => {
  called('lists {deliveries, total, page, page_size, has_more}, newest first', async () => {
    const { message_id } = await delivered('say x')
    const data = dataOf(await api.get(`${await workspacePath()}/webhook-deliveries`))
    expect(data).toMatchObject({ total: expect.any(Number), page: 1, page_size: 50, has_more: expect.any(Boolean) })
    expect(data.deliveries.map((delivery: any) => delivery.message_id)).toContain(message_id)
  })

  called('status filters', async () => {
    const { message_id } = await delivered('say x')
    const { id } = await until('delivered', async () => {
      const delivery = await deliveryOf(message_id)
      return delivery.status === 'delivered' && delivery
    })
    const idsIn = async (status: string) =>
      dataOf(
        await api.get(`${await workspacePath()}/webhook-deliveries?status=${status}&page_size=100`),
      ).deliveries.map((delivery: any) => delivery.id)
    expect(await idsIn('delivered')).toContain(id)
    expect(await idsIn('failed')).not.toContain(id)
  })

  called('a delivery tells its attempts and what the receiver said', async () => {
    const { message_id } = await delivered('say x')
    const { id } = await until('delivered', async () => {
      const delivery = await deliveryOf(message_id)
      return delivery.status === 'delivered' && delivery
    })
    const { attempts } = dataOf(await api.get(`${await workspacePath()}/webhook-deliveries/${id}`))
    expect(attempts).toMatchObject([{ status: 200, reply: 'thanks' }])
  })

  test('an unknown status is 400', async () => {
    expectError(await api.get(`${await workspacePath()}/webhook-deliveries?status=lost`), 400, 'VALIDATION_ERROR')
  })

  test('an unknown delivery is 404', async () => {
    expect((await api.get(`${await workspacePath()}/webhook-deliveries/${freshId()}`)).status).toBe(404)
    expect((await api.post(`${await workspacePath()}/webhook-deliveries/${freshId()}/redeliver`)).status).toBe(404)
  })
})

describe('the webhook secret', () => {
  test('is whsec_ and base64', async () => {
    expect(await secretOf()).toMatch(/^whsec_[A-Za-z0-9+/]{32,}={0,2}$/)
  })

  called('after a rotation the old one signs along', async () => {
    const old = await secretOf()
    const { secret } = dataOf(await api.post(`${await workspacePath()}/webhook-secret/rotate`))
    expect(secret).not.toBe(old)
    const { delivery } = await delivered('say x')
    const { 'webhook-id': id, 'webhook-timestamp': timestamp } = delivery.headers
    const signatures = String(delivery.headers['webhook-signature']).split(' ')
    for (const one of [old, secret]) expect(signatures).toContain(signature(one, id, timestamp, delivery.text))
  })
})
