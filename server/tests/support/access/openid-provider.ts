/// <reference path="./oidc-provider.d.ts" />
import { generateKeyPairSync } from 'node:crypto'
import { once } from 'node:events'
import { createServer, type RequestListener } from 'node:http'
import type { AddressInfo } from 'node:net'
import Provider from 'oidc-provider'

/** Claims of people by the name that they log in with. */
export type People = Record<string, Record<string, unknown>>

interface StartOptions {
  id: string
  redirectUri: string
  people: People
  /** Claims from userinfo, ES256, and a client that signs; else a secret, RS256, and claims in the ID token. */
  isStrict?: boolean
  /** A client without a secret: PKCE alone. */
  isPublic?: boolean
}

const CLIENT_ID = 'docent'
const SECRET = 'a secret of forty characters, or a few more'

export type OpenIdProvider = Awaited<ReturnType<typeof startOpenIdProvider>>

/** A real OpenID Connect provider with pages to log in; `provider` is what the setting of the server says of it. */
export async function startOpenIdProvider({ id, redirectUri, people, isStrict, isPublic }: StartOptions) {
  let answer: RequestListener = (_request, reply) => reply.end()
  const server = createServer((request, reply) => answer(request, reply))
  const listening = once(server.listen(0, '127.0.0.1'), 'listening')
  await listening
  const issuer = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  const own = generateKeyPairSync('ec', { namedCurve: 'P-256' })
  const ofClient = generateKeyPairSync('ec', { namedCurve: 'P-256' })
  const client = isPublic
    ? { token_endpoint_auth_method: 'none' }
    : isStrict
      ? {
          token_endpoint_auth_method: 'private_key_jwt',
          token_endpoint_auth_signing_alg: 'ES256',
          jwks: { keys: [{ ...ofClient.publicKey.export({ format: 'jwk' }), use: 'sig', alg: 'ES256' }] },
        }
      : { client_secret: SECRET }
  const provider = new Provider(issuer, {
    clients: [
      {
        client_id: CLIENT_ID,
        redirect_uris: [redirectUri],
        id_token_signed_response_alg: isStrict ? 'ES256' : 'RS256',
        ...client,
      },
    ],
    ...(isStrict && {
      jwks: { keys: [{ ...own.privateKey.export({ format: 'jwk' }), use: 'sig', alg: 'ES256', kid: 'one' }] },
    }),
    claims: { openid: ['sub'], email: ['email', 'email_verified'], profile: ['name', 'groups', 'roles'] },
    conformIdTokenClaims: isStrict === true,
    cookies: { keys: ['a key of the cookies'] },
    findAccount: (_context: unknown, subject: string) =>
      people[subject] && { accountId: subject, claims: async () => ({ sub: subject, ...people[subject] }) },
  })
  answer = provider.callback()
  return {
    issuer,
    redirectUri,
    /** People may be changed while it runs. */
    people,
    provider: {
      id,
      name: id[0]!.toUpperCase() + id.slice(1),
      issuer,
      client_id: CLIENT_ID,
      ...(isStrict && {
        private_key: ofClient.privateKey.export({ format: 'pem', type: 'pkcs8' }),
        claims_from: 'userinfo',
      }),
      ...(!isStrict && !isPublic && { client_secret: SECRET }),
    },
    allow: new URL(issuer).host,
    async close() {
      server.closeAllConnections()
      await new Promise((resolve) => server.close(resolve))
    },
  }
}

/** Settings of a server that people sign in to by these. */
export const providerSettings = (
  all: { of: OpenIdProvider; fields?: Record<string, unknown> }[],
): Record<string, string> => ({
  DOCENT_SIGN_IN_PROVIDERS: JSON.stringify(all.map(({ of, fields }) => ({ ...of.provider, ...fields }))),
  DOCENT_OUTBOUND_ALLOW: all.map(({ of }) => of.allow).join(','),
})

/** Logs in at the provider as a browser does, with its pages. @returns the query that the redirect URI was given */
export async function logIn(url: string, person: string, redirectUri: string): Promise<string> {
  const cookies = new Map<string, string>()
  let next: { url: string; form?: Record<string, string> } = { url }
  for (let step = 0; step < 12; step++) {
    const { form } = next
    const reply = await fetch(next.url, {
      redirect: 'manual',
      headers: { cookie: [...cookies].map(([name, value]) => `${name}=${value}`).join('; ') },
      ...(form && { method: 'POST', body: new URLSearchParams(form) }),
    })
    for (const cookie of reply.headers.getSetCookie()) {
      const [, name, value] = /^([^=]+)=([^;]*)/.exec(cookie)!
      if (value) cookies.set(name!, value)
      else cookies.delete(name!)
    }
    const location = reply.headers.get('location')
    const page = await reply.text()
    if (location?.startsWith(redirectUri)) return new URL(location).search
    if (location) {
      next = { url: new URL(location, next.url).href }
      continue
    }
    const action = /action="([^"]+)"/.exec(page)?.[1]
    if (!action) throw new Error(`The provider answered ${reply.status}: ${page.slice(0, 500)}`)
    const prompt = /name="prompt" value="(\w+)"/.exec(page)?.[1] ?? 'login'
    next = { url: new URL(action, next.url).href, form: { prompt, login: person, password: 'any' } }
  }
  throw new Error('The provider sent the browser from page to page')
}
