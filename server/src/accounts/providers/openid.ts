import { createPrivateKey } from 'node:crypto'
import type { ClientAuth, Configuration } from 'openid-client'
import type { Clock } from '../../platform/clock.ts'
import type { Outbound } from '../../platform/outbound/outbound.ts'
import type { SignInProvider } from '../../platform/sign-in-providers.ts'
import type { Attempt } from './attempt-cookie.ts'
import { fetchThrough } from './provider-fetch.ts'

type PrivateKey = Parameters<typeof import('openid-client')['PrivateKeyJwt']>[0]

const TIMEOUT_S = 15
/** A provider's own description is asked for again after this time. */
const KNOWN_MS = 3_600_000

/** A person as a provider describes them. */
export interface ProviderPerson {
  issuer: string
  subject: string
  claims: Record<string, unknown>
}

/** Client of one provider. Nothing of it is loaded, and the provider is not asked, before somebody signs in by it. */
export class OpenIdClient {
  readonly #provider: SignInProvider
  readonly #outbound: Outbound
  readonly #clock: Clock
  #known: { until: number; configuration: Promise<Configuration> } | undefined

  constructor({ provider, outbound, clock }: { provider: SignInProvider; outbound: Outbound; clock: Clock }) {
    this.#provider = provider
    this.#outbound = outbound
    this.#clock = clock
  }

  /** @returns where the browser goes, and what its answer is checked against */
  async begin(redirectUri: string): Promise<{ url: string } & Pick<Attempt, 'state' | 'nonce' | 'codeVerifier'>> {
    const openid = await import('openid-client')
    const configuration = await this.#configuration()
    const [state, nonce, codeVerifier] = [openid.randomState(), openid.randomNonce(), openid.randomPKCECodeVerifier()]
    const url = openid.buildAuthorizationUrl(configuration, {
      redirect_uri: redirectUri,
      scope: this.#provider.scope,
      state,
      nonce,
      code_challenge: await openid.calculatePKCECodeChallenge(codeVerifier),
      code_challenge_method: 'S256',
    })
    return { url: url.href, state, nonce, codeVerifier }
  }

  /** Checks the provider's answer and trades its code. @param answer the redirect URI with what the provider added */
  async finish(answer: URL, { state, nonce, codeVerifier }: Attempt): Promise<ProviderPerson> {
    const openid = await import('openid-client')
    const configuration = await this.#configuration()
    const tokens = await openid.authorizationCodeGrant(configuration, answer, {
      expectedState: state,
      expectedNonce: nonce,
      pkceCodeVerifier: codeVerifier,
      idTokenExpected: true,
    })
    const claims = tokens.claims()
    if (!claims) throw new Error('The provider gave no ID token')
    const { iss: issuer, sub: subject } = claims
    if (this.#provider.claims_from === 'id_token') return { issuer, subject, claims }
    return { issuer, subject, claims: await openid.fetchUserInfo(configuration, tokens.access_token, subject) }
  }

  #configuration(): Promise<Configuration> {
    const now = this.#clock().getTime()
    if (this.#known && this.#known.until > now) return this.#known.configuration
    const known = { until: now + KNOWN_MS, configuration: this.#discover() }
    this.#known = known
    // The next one tries again.
    known.configuration.catch(() => {
      if (this.#known === known) this.#known = undefined
    })
    return known.configuration
  }

  async #discover(): Promise<Configuration> {
    const openid = await import('openid-client')
    const { issuer, client_id } = this.#provider
    const configuration = await openid.discovery(new URL(issuer), client_id, {}, await this.#authentication(), {
      execute: [
        openid.enableNonRepudiationChecks,
        // Settings refuse plain http for any host but this machine.
        ...(issuer.startsWith('http:') ? [openid.allowInsecureRequests] : []),
      ],
      [openid.customFetch]: fetchThrough(this.#outbound, TIMEOUT_S * 1000),
      timeout: TIMEOUT_S,
    })
    return configuration
  }

  async #authentication(): Promise<ClientAuth> {
    const { ClientSecretBasic, ClientSecretPost, None, PrivateKeyJwt } = await import('openid-client')
    const { client_auth, client_secret, private_key } = this.#provider
    if (client_auth === 'client_secret_basic') return ClientSecretBasic(client_secret)
    if (client_auth === 'client_secret_post') return ClientSecretPost(client_secret)
    if (client_auth === 'private_key_jwt') return PrivateKeyJwt(signingKey(private_key!) as PrivateKey)
    return None()
  }
}

/** @param pem PKCS #8 @throws Error for a key of a kind that no provider takes */
function signingKey(pem: string) {
  const key = createPrivateKey(pem)
  const namedCurve = { prime256v1: 'P-256', secp384r1: 'P-384', secp521r1: 'P-521' }[
    key.asymmetricKeyDetails?.namedCurve ?? ''
  ]
  if (key.asymmetricKeyType === 'rsa')
    return key.toCryptoKey({ name: 'RSASSA-PKCS1-v1_5', hash: 'SHA-256' }, false, ['sign'])
  if (namedCurve) return key.toCryptoKey({ name: 'ECDSA', namedCurve }, false, ['sign'])
  if (key.asymmetricKeyType === 'ed25519') return key.toCryptoKey('Ed25519', false, ['sign'])
  throw new Error('The private key must be RSA, P-256, P-384, P-521 or Ed25519')
}
