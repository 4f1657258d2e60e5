import { Webhook } from 'standardwebhooks'
import { expect, test } from 'vitest'
import { Docent } from './index.ts'

const { webhooks } = new Docent({ baseUrl: 'https://docent.example' })
const SECRET = `whsec_${Buffer.from('a secret of thirty-two bytes, so').toString('base64')}`
const OLD_SECRET = `whsec_${Buffer.from('another one, of thirty-two bytes').toString('base64')}`
const CONTENT = { status: 'success', error_message: null, data: { id: '1', response: 'Zürich – 東京' } }
const BODY = JSON.stringify(CONTENT)

/** Headers of a delivery that each secret has signed, by the library of the specification. */
function signed(secrets: string[], { body = BODY, at = new Date(), id = 'delivery' } = {}) {
  return {
    'webhook-id': id,
    'webhook-timestamp': String(Math.floor(at.getTime() / 1000)),
    'webhook-signature': secrets.map((secret) => new Webhook(secret).sign(id, at, body)).join(' '),
  }
}

const refused = { name: 'DocentError', status: 0, code: 'WEBHOOK_SIGNATURE_INVALID' }

test('a delivery is read, from text, bytes and a buffer, with the headers of a Request and of Node', async () => {
  const headers = signed([SECRET])
  const bytes = Buffer.from(BODY)
  for (const body of [BODY, bytes, new Uint8Array(bytes), new Uint8Array(bytes).buffer])
    expect(await webhooks.unwrap(body, headers, SECRET)).toEqual(CONTENT)
  const inCapitals = Object.fromEntries(Object.entries(headers).map(([name, value]) => [name.toUpperCase(), value]))
  const asLists = Object.fromEntries(Object.entries(headers).map(([name, value]) => [name, [value]]))
  for (const given of [new Headers(headers), inCapitals, asLists])
    expect(await webhooks.unwrap(BODY, given, SECRET)).toEqual(CONTENT)
})

test('after a rotation the old secret and the new one are good, and a receiver may have both', async () => {
  const rotated = signed([SECRET, OLD_SECRET])
  for (const secret of [SECRET, OLD_SECRET]) expect(await webhooks.unwrap(BODY, rotated, secret)).toEqual(CONTENT)
  expect(await webhooks.unwrap(BODY, signed([OLD_SECRET]), [SECRET, OLD_SECRET])).toEqual(CONTENT)
})

test('a delivery that was changed, is old, or is signed by somebody else is refused', async () => {
  const headers = signed([SECRET])
  const hourAgo = new Date(Date.now() - 3_600_000)
  const inAnHour = new Date(Date.now() + 3_600_000)
  await expect(webhooks.unwrap(`${BODY} `, headers, SECRET)).rejects.toMatchObject(refused)
  await expect(webhooks.unwrap(BODY, { ...headers, 'webhook-id': 'other' }, SECRET)).rejects.toMatchObject(refused)
  await expect(webhooks.unwrap(BODY, headers, OLD_SECRET)).rejects.toMatchObject(refused)
  await expect(webhooks.unwrap(BODY, headers, [])).rejects.toMatchObject(refused)
  for (const at of [hourAgo, inAnHour])
    await expect(webhooks.unwrap(BODY, signed([SECRET], { at }), SECRET)).rejects.toMatchObject(refused)
})

test('an event and the result of a query are told apart, and each names the method that reads it', async () => {
  const event = { type: 'webhook.test', timestamp: '2026-01-31T12:00:00Z', data: { webhook_endpoint_id: '1' } }
  const body = JSON.stringify(event)
  expect(await webhooks.unwrapEvent(body, signed([SECRET], { body }), SECRET)).toEqual(event)
  await expect(webhooks.unwrap(body, signed([SECRET], { body }), SECRET)).rejects.toMatchObject({
    code: 'WEBHOOK_KIND_UNEXPECTED',
    message: expect.stringContaining('webhooks.unwrapEvent'),
  })
  await expect(webhooks.unwrapEvent(BODY, signed([SECRET]), SECRET)).rejects.toMatchObject({
    code: 'WEBHOOK_KIND_UNEXPECTED',
    message: expect.stringMatching(/webhooks\.unwrap$/),
  })
})

test('headers that are missing or not readable are refused, too', async () => {
  const headers = signed([SECRET])
  for (const name of Object.keys(headers))
    await expect(webhooks.unwrap(BODY, { ...headers, [name]: undefined }, SECRET)).rejects.toMatchObject(refused)
  for (const signature of ['v1,%', 'v1,', 'v1', headers['webhook-signature'].replace('v1,', 'v2,')])
    await expect(webhooks.unwrap(BODY, { ...headers, 'webhook-signature': signature }, SECRET)).rejects.toMatchObject(
      refused,
    )
  await expect(webhooks.unwrap(BODY, { ...headers, 'webhook-timestamp': 'now' }, SECRET)).rejects.toMatchObject(refused)
})

test('a secret that is none is distinguished', async () => {
  for (const secret of ['', 'whsec_', 'whsec_%'])
    await expect(webhooks.unwrap(BODY, signed([SECRET]), secret)).rejects.toMatchObject({
      code: 'WEBHOOK_SECRET_INVALID',
    })
})
