import { expect } from 'vitest'
import { manualClock } from '../clock.ts'
import { startTestApp, type TestApp } from '../test-app.ts'
import { type SignFields, type SoftPasskey, softAuthenticator } from './authenticator.ts'
import { browser, join, PASSWORD } from './people.ts'

export const EMAIL = 'ada@example.com'
export const HOME = 'https://docent.example.com'
export const MINUTES = 60_000
export const refusal = (code: string, status = 403) => ({ status, body: { error_code: code } })
export const REFUSED = refusal('PASSKEY_REFUSED')
export const EXPIRED = refusal('CHALLENGE_EXPIRED')
export const SIGNED_IN = { status: 200, body: { data: { state: 'signed_in', second_factors: [] } } }

export async function start(settings: Record<string, string> = {}) {
  const clock = manualClock()
  return { clock, app: await startTestApp({ DOCENT_PUBLIC_URL: HOME, ...settings }, { clock }) }
}

export type Browser = ReturnType<typeof browser>
export type Device = ReturnType<typeof softAuthenticator>

/** Adds a passkey to the account that the browser is signed in to. */
export async function addPasskey(
  own: Browser,
  device: Device,
  { proof = { password: PASSWORD } as object, name = 'Laptop' } = {},
) {
  const begun = await own.call('POST', '/account/passkeys/options', proof)
  expect(begun.status).toBe(200)
  const { made, answer } = device.make(begun.body.data.options)
  const reply = await own.call('POST', '/account/passkeys', { name, passkey: answer })
  expect(reply).toMatchObject({ status: 200, body: { data: { name, last_used_at: null } } })
  return { ...made, passkeyId: reply.body.data.id as string }
}

export async function withPasskey(app: TestApp, email = EMAIL) {
  const own = await join(app, { email })
  const device = softAuthenticator(HOME)
  return { ...own, device, passkey: await addPasskey(own, device) }
}

/** Browser that was asked to sign in with a passkey alone. */
export async function asked(app: TestApp) {
  const own = browser(app)
  const { options } = (await own.call('POST', '/session/passkey/challenge', {})).body.data
  return { ...own, options, answer: (passkey: object) => own.call('POST', '/session/passkey', { passkey }) }
}

export async function signIn(app: TestApp, device: Device, passkey: SoftPasskey, fields?: SignFields) {
  const own = await asked(app)
  return { ...own, reply: await own.answer(device.sign(passkey, own.options, fields)) }
}

/** Browser whose password was right, and that was asked for a passkey. */
export async function afterPassword(app: TestApp, email = EMAIL) {
  const own = browser(app)
  const reply = await own.call('POST', '/session/password', { email, password: PASSWORD })
  expect(reply.body.data).toMatchObject({ state: 'second_factor', identity: null })
  const { options } = (await own.call('POST', '/session/passkey/challenge', { second_factor: true })).body.data
  const { second_factors: kinds } = reply.body.data
  return {
    ...own,
    kinds,
    options,
    answer: (passkey: object) => own.call('POST', '/session/second-factor', { passkey }),
  }
}
