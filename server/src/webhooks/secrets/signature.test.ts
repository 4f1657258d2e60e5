import { Webhook } from 'standardwebhooks'
import { expect, test } from 'vitest'
import { newWebhookSecret, signedHeaders } from './signature.ts'

const body = JSON.stringify({ status: 'success', data: { response: 'Zürich – 東京' } })
const delivery = { id: '6740a1b2c3d4e5f6a7b8c9d0', sentAt: new Date(), body }

test('a receiver with the secret accepts the body', () => {
  const secret = newWebhookSecret()
  expect(new Webhook(secret).verify(body, signedHeaders([secret], delivery))).toEqual(JSON.parse(body))
})

test('another secret, another body, another id and an old time are refused', () => {
  const secret = newWebhookSecret()
  const headers = signedHeaders([secret], delivery)
  expect(() => new Webhook(newWebhookSecret()).verify(body, headers)).toThrow()
  expect(() => new Webhook(secret).verify(`${body} `, headers)).toThrow()
  expect(() => new Webhook(secret).verify(body, { ...headers, 'webhook-id': 'other' })).toThrow()
  const old = signedHeaders([secret], { ...delivery, sentAt: new Date(Date.now() - 3_600_000) })
  expect(() => new Webhook(secret).verify(body, old)).toThrow()
})

test('each of two secrets does', () => {
  const [one, two] = [newWebhookSecret(), newWebhookSecret()]
  const headers = signedHeaders([one, two], delivery)
  expect(headers['webhook-signature']).toMatch(/^v1,[\w+/=]+ v1,[\w+/=]+$/)
  for (const secret of [one, two]) expect(new Webhook(secret).verify(body, headers)).toEqual(JSON.parse(body))
})

test('secrets have 32 random bytes', () => {
  const secrets = Array.from({ length: 100 }, newWebhookSecret)
  expect(new Set(secrets).size).toBe(100)
  for (const secret of secrets) {
    expect(secret).toMatch(/^whsec_[\w+/]+=$/)
    expect(Buffer.from(secret.slice('whsec_'.length), 'base64')).toHaveLength(32)
  }
})
