import { isIP } from 'node:net'
import { z } from 'zod'

export const MOST_PROVIDERS = 20
const RoleName = z.enum(['owner', 'admin', 'member'])
const short = () => z.string().trim().min(1, 'must not be empty').max(300, 'must have at most 300 characters')

/** A plain-http issuer is for tries on one machine: elsewhere somebody on the way could answer in its place. */
function isIssuer(value: string): boolean {
  if (!URL.canParse(value)) return false
  const { protocol, hostname, username, password, search, hash } = new URL(value)
  if (username || password || search || hash) return false
  const isLoopback =
    hostname === 'localhost' || hostname === '[::1]' || (isIP(hostname) === 4 && /^127\./.test(hostname))
  return protocol === 'https:' || (protocol === 'http:' && isLoopback)
}

/** Fields of a provider. */
export const PROVIDER_FIELDS = {
  id: z
    .string()
    .regex(
      /^[a-z0-9][a-z0-9-]{0,39}$/,
      'must be 1 to 40 lower-case letters, digits or hyphens: it is part of the redirect URI',
    ),
  name: z.string().trim().min(1, 'must not be empty').max(60, 'must have at most 60 characters'),
  issuer: z
    .string()
    .refine(isIssuer, 'must be an https URL, as the provider calls itself (http on this machine alone)'),
  client_id: short(),
  client_secret: short().optional(),
  /** PEM, PKCS #8: the client proves itself with a signature instead of a secret. */
  private_key: z
    .string()
    .regex(/^-----BEGIN PRIVATE KEY-----/, 'must be a PEM that begins with -----BEGIN PRIVATE KEY-----')
    .optional(),
  client_auth: z.enum(['client_secret_basic', 'client_secret_post', 'private_key_jwt', 'none']).optional(),
  scope: short()
    .default('openid email profile')
    .refine((text) => text.split(' ').includes('openid'), 'must hold openid'),
  /** Source of e-mail, name, groups and role. */
  claims_from: z.enum(['id_token', 'userinfo']).default('id_token'),
  email_verified_claim: short().default('email_verified'),
  domains: z
    .array(
      z
        .string()
        .trim()
        .toLowerCase()
        .regex(/^[a-z0-9-]+(\.[a-z0-9-]+)+$/, 'must be a domain like example.com'),
    )
    .default([]),
  workspace_id: short().optional(),
  default_role: RoleName.default('member'),
  role_claim: short().optional(),
  roles: z.record(short(), RoleName).default({}),
  groups_claim: short().optional(),
  groups: z.record(short(), short()).optional(),
  required_claim: z.strictObject({ name: short(), value: short().optional() }).optional(),
  /** Whether somebody who is no member yet becomes one when they first sign in. */
  makes_accounts: z.boolean().default(true),
}

/** A provider, with defaults filled in. */
export const Provider = z
  .strictObject(PROVIDER_FIELDS)
  .refine(({ roles, role_claim }) => role_claim || Object.keys(roles).length === 0, {
    path: ['role_claim'],
    message: 'is missing, while roles is set',
  })
  .refine(({ groups, groups_claim }) => groups_claim || !groups, {
    path: ['groups_claim'],
    message: 'is missing, while groups is set',
  })
  .transform(({ client_auth, ...one }, context) => {
    const auth =
      client_auth ?? (one.private_key ? 'private_key_jwt' : one.client_secret ? 'client_secret_basic' : 'none')
    const needs = auth === 'private_key_jwt' ? 'private_key' : auth === 'none' ? undefined : 'client_secret'
    if (needs && !one[needs]) {
      context.addIssue({ code: 'custom', path: [needs], message: `is missing, while client_auth is ${auth}` })
      return z.NEVER
    }
    return { ...one, client_auth: auth }
  })

const Providers = z
  .array(Provider)
  .max(MOST_PROVIDERS, `must hold at most ${MOST_PROVIDERS} providers`)
  .refine((all) => new Set(all.map(({ id }) => id)).size === all.length, 'must not hold two providers with one id')

/** An OpenID Connect provider by which people sign in, as an operator or a workspace set it. */
export type SignInProvider = z.infer<typeof Provider>

/** Reads a JSON array of providers. @throws Error in an operator's words, which never repeat a secret */
export function parseSignInProviders(text: string): SignInProvider[] {
  if (text.trim() === '') return []
  let given: unknown
  try {
    given = JSON.parse(text)
  } catch {
    throw new Error('must be a JSON array of providers: see docs/accounts.md')
  }
  const { data, error } = Providers.safeParse(given)
  if (data) return data
  const [issue] = error.issues
  throw new Error(`${issue?.path.join('.') || 'the list'}: ${issue?.message}`)
}
