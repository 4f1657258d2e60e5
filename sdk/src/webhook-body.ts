import { DocentError } from './http/errors.ts'
import type {
  DataSourceFailedEvent,
  DataSourceIndexedEvent,
  IntegrationFailedEvent,
  MessageWaitingEvent,
  WebhookBody,
  WebhookTestEvent,
} from './types.ts'

/** The part of the message that a webhook tells. */
export type MessageResult = WebhookBody['data']

/** Event that is sent to an endpoint of a workspace. */
export type WebhookEvent =
  | DataSourceIndexedEvent
  | DataSourceFailedEvent
  | IntegrationFailedEvent
  | MessageWaitingEvent
  | WebhookTestEvent

/** Headers of a delivery: those of a `Request`, or of Node's `IncomingMessage`. */
export type WebhookHeaders = Headers | Record<string, string | readonly string[] | undefined>

/** Deliveries that were signed earlier or later than this are refused, so that nobody can send an old one again. */
const TOLERANCE_SECONDS = 300
const PREFIX = 'whsec_'

/** Checks that a delivery was signed with one of the secrets, lately, and reads its body. */
export async function unwrapWebhook(
  body: string | ArrayBuffer | Uint8Array,
  headers: WebhookHeaders,
  secrets: string | readonly string[],
): Promise<WebhookBody | WebhookEvent> {
  const [id, timestamp, signatures] = ['id', 'timestamp', 'signature'].map((name) =>
    headerOf(headers, `webhook-${name}`),
  )
  if (!id || !timestamp || !signatures)
    throw refusal('webhook-id, webhook-timestamp and webhook-signature are needed: give the headers as they came')
  const secondsOff = Math.abs(Date.now() / 1000 - Number(timestamp))
  if (!(secondsOff <= TOLERANCE_SECONDS))
    throw refusal(`It was not signed within the last ${TOLERANCE_SECONDS} seconds: see that the clock is right`)
  const bytes = typeof body === 'string' ? new TextEncoder().encode(body) : new Uint8Array(body)
  const signed = joined(new TextEncoder().encode(`${id}.${timestamp}.`), bytes)
  const given = signatures.split(' ').flatMap(signatureOf)
  for (const secret of [secrets].flat()) {
    const key = await importKey(secret)
    for (const signature of given) if (await crypto.subtle.verify('HMAC', key, signature, signed)) return read(bytes)
  }
  throw refusal('No signature fits: give the secret of this workspace, and the body as it came, not parsed')
}

/** @throws DocentError if the delivery is an event */
export function readResult(delivered: WebhookBody | WebhookEvent): WebhookBody {
  if ('status' in delivered) return delivered
  throw otherKind('an event of the workspace: read it with webhooks.unwrapEvent')
}

/** @throws DocentError if the delivery is the result of an async query */
export function readEvent(delivered: WebhookBody | WebhookEvent): WebhookEvent {
  if ('type' in delivered) return delivered
  throw otherKind('the result of an async query: read it with webhooks.unwrap')
}

const otherKind = (words: string): DocentError =>
  new DocentError(`This delivery is ${words}`, { status: 0, code: 'WEBHOOK_KIND_UNEXPECTED' })

function headerOf(headers: WebhookHeaders, name: string): string | undefined {
  if (headers instanceof Headers) return headers.get(name) ?? undefined
  const found = Object.entries(headers).find(([key]) => key.toLowerCase() === name)?.[1]
  return typeof found === 'string' ? found : found?.join(' ')
}

/** None if it is of another version, or not in base64. */
function signatureOf(versioned: string): Uint8Array<ArrayBuffer>[] {
  if (!versioned.startsWith('v1,')) return []
  const bytes = fromBase64(versioned.slice('v1,'.length))
  return bytes ? [bytes] : []
}

function importKey(secret: string): Promise<CryptoKey> {
  const bytes = fromBase64(secret.startsWith(PREFIX) ? secret.slice(PREFIX.length) : secret)
  if (!bytes?.length)
    throw new DocentError(`A webhook's secret is ${PREFIX} and base64: webhooks.secret.get tells it`, {
      status: 0,
      code: 'WEBHOOK_SECRET_INVALID',
    })
  return crypto.subtle.importKey('raw', bytes, { name: 'HMAC', hash: 'SHA-256' }, false, ['verify'])
}

function fromBase64(text: string): Uint8Array<ArrayBuffer> | undefined {
  try {
    return Uint8Array.from(atob(text), (character) => character.charCodeAt(0))
  } catch {
    return undefined
  }
}

function joined(first: Uint8Array, second: Uint8Array): Uint8Array<ArrayBuffer> {
  const whole = new Uint8Array(first.length + second.length)
  whole.set(first)
  whole.set(second, first.length)
  return whole
}

const read = (bytes: Uint8Array): WebhookBody | WebhookEvent => JSON.parse(new TextDecoder().decode(bytes))

const refusal = (message: string): DocentError =>
  new DocentError(message, { status: 0, code: 'WEBHOOK_SIGNATURE_INVALID' })
