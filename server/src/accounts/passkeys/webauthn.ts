import { randomBytes } from 'node:crypto'
import { isIP } from 'node:net'
import type {
  PublicKeyCredentialCreationOptionsJSON,
  PublicKeyCredentialRequestOptionsJSON,
} from '@simplewebauthn/server'
import { lazy } from '../../platform/concurrency/lazy.ts'
import type { AccountRecord } from '../profile/account.store.ts'
import { CHALLENGE_MS } from './challenge-cookie.ts'
import type { MadePasskey, PasskeyAnswer } from './passkeys.schemas.ts'
import type { PasskeyRecord } from './passkeys.store.ts'

/** Site that passkeys are made for: they work at its address and nowhere else. */
export interface Site {
  /** Host name. */
  id: string
  origin: string
}

/** EdDSA, ES256 and RS256, as COSE numbers them: what devices use. */
const ALGORITHMS = [-8, -7, -257]

const library = lazy(() => import('@simplewebauthn/server'))
const helpers = lazy(() => import('@simplewebauthn/server/helpers'))

/** @returns undefined for an address at which browsers make no passkeys: an IP address, or plain http */
export function siteOf(publicUrl: string): Site | undefined {
  const { origin, hostname, protocol } = new URL(publicUrl)
  const isLocal = hostname === 'localhost' || hostname.endsWith('.localhost')
  if (hostname.startsWith('[') || isIP(hostname) || (protocol !== 'https:' && !isLocal)) return undefined
  return { id: hostname, origin }
}

const listed = (passkeys: PasskeyRecord[]) =>
  passkeys.map(({ credentialId, transports }) => ({ id: credentialId, transports }))

/** Options for a browser to make a passkey that can sign in alone, so it knows its account and its person. */
export async function creationOptions(
  site: Site,
  { id, email, name }: Pick<AccountRecord, 'id' | 'email' | 'name'>,
  existing: PasskeyRecord[],
): Promise<PublicKeyCredentialCreationOptionsJSON> {
  const { generateRegistrationOptions } = await library.get()
  return generateRegistrationOptions({
    rpName: 'Docent',
    rpID: site.id,
    userID: new TextEncoder().encode(id),
    userName: email,
    userDisplayName: name,
    timeout: CHALLENGE_MS,
    attestationType: 'none',
    supportedAlgorithmIDs: ALGORITHMS,
    excludeCredentials: listed(existing),
    authenticatorSelection: { residentKey: 'required', userVerification: 'required' },
  })
}

/**
 * Options for a browser to have a challenge signed. Made without the library: every sign-in page asks for some.
 * @param allowed passkeys that may answer; null for any that the browser has for this site
 */
export function requestOptions(
  site: Site,
  { allowed, mustVerify }: { allowed: PasskeyRecord[] | null; mustVerify: boolean },
): PublicKeyCredentialRequestOptionsJSON {
  return {
    challenge: randomBytes(32).toString('base64url'),
    rpId: site.id,
    timeout: CHALLENGE_MS,
    userVerification: mustVerify ? 'required' : 'discouraged',
    allowCredentials: listed(allowed ?? []).map((one) => ({ ...one, type: 'public-key' })),
  }
}

/** @throws Error that says what is wrong with it */
export async function checkMade(
  site: Site,
  challenge: string,
  made: MadePasskey,
): Promise<Pick<PasskeyRecord, 'credentialId' | 'publicKey' | 'counter'>> {
  const { verifyRegistrationResponse } = await library.get()
  await requireNoCertificates(made)
  const { verified, registrationInfo } = await verifyRegistrationResponse({
    response: {
      id: made.id,
      rawId: made.id,
      type: 'public-key',
      response: { clientDataJSON: made.client_data, attestationObject: made.attestation_object },
      clientExtensionResults: {},
    },
    expectedChallenge: challenge,
    expectedOrigin: site.origin,
    expectedRPID: site.id,
    requireUserVerification: true,
    supportedAlgorithmIDs: ALGORITHMS,
  })
  if (!verified) throw new Error('The attestation is not right')
  const { credential } = registrationInfo
  if (credential.id !== made.id) throw new Error('The credential has two ids')
  return {
    credentialId: credential.id,
    publicKey: Buffer.from(credential.publicKey).toString('base64url'),
    counter: credential.counter,
  }
}

/** @returns the counter that the device sent. @throws Error that says what is wrong with the answer */
export async function checkAnswer(
  site: Site,
  challenge: string,
  { answer, passkey, mustVerify }: { answer: PasskeyAnswer; passkey: PasskeyRecord; mustVerify: boolean },
): Promise<number> {
  const { verifyAuthenticationResponse } = await library.get()
  const { verified, authenticationInfo } = await verifyAuthenticationResponse({
    response: {
      id: answer.id,
      rawId: answer.id,
      type: 'public-key',
      response: {
        clientDataJSON: answer.client_data,
        authenticatorData: answer.authenticator_data,
        signature: answer.signature,
      },
      clientExtensionResults: {},
    },
    expectedChallenge: challenge,
    expectedOrigin: site.origin,
    expectedRPID: site.id,
    requireUserVerification: mustVerify,
    credential: {
      id: passkey.credentialId,
      publicKey: Buffer.from(passkey.publicKey, 'base64url'),
      counter: passkey.counter,
    },
  })
  if (!verified) throw new Error('The signature is not right')
  return authenticationInfo.newCounter
}

/**
 * Lets no certificates through: none were asked for, and to check them the library would fetch lists of revoked ones from
 * addresses that they name.
 */
async function requireNoCertificates(made: MadePasskey): Promise<void> {
  const { decodeAttestationObject } = await helpers.get()
  const object = decodeAttestationObject(Buffer.from(made.attestation_object, 'base64url'))
  const format = object.get('fmt')
  if (format === 'none' || (format === 'packed' && !object.get('attStmt').get('x5c'))) return
  throw new Error('The attestation has certificates, which were not asked for')
}
