import { z } from 'zod'
import { Timestamp } from '../../platform/http/validation/schemas.ts'
import { PROVIDER_FIELDS as F } from '../../platform/sign-in-providers.ts'
import { RoleName, WorkspacePath } from '../accounts.schemas.ts'

const Secret = F.client_secret.unwrap()
const ClientAuth = z.enum(['client_secret_basic', 'client_secret_post', 'none'])

const fields = {
  name: F.name.meta({ description: 'Stands on the button of the sign-in page' }),
  issuer: F.issuer.meta({ description: 'As the provider calls itself; https (http on this machine alone)' }),
  client_id: F.client_id,
  client_auth: ClientAuth.optional().meta({ description: 'Default: client_secret_basic with a secret, none without' }),
  scope: F.scope,
  claims_from: F.claims_from,
  email_verified_claim: F.email_verified_claim,
  domains: F.domains.meta({
    description: 'Domains of the e-mails that are let in; none: only people who linked the provider to their account',
  }),
  makes_accounts: F.makes_accounts.meta({
    description: 'Whether somebody who is no member yet becomes one when they first sign in',
  }),
  default_role: F.default_role,
  role_claim: F.role_claim,
  roles: F.roles.meta({ description: 'Values of the claim, and the roles that they give; none above your own' }),
  groups_claim: F.groups_claim,
  groups: F.groups.meta({ description: 'Values of the claim, and names of groups; default: the same names' }),
  required_claim: F.required_claim,
}

export const CreateSignInProvider = z
  .strictObject({
    id: F.id.meta({ description: 'Part of the redirect URI; 1 to 40 lower-case letters, digits or hyphens' }),
    ...fields,
    client_secret: Secret.optional(),
  })
  .meta({ id: 'CreateSignInProvider' })
export type CreateSignInProvider = z.infer<typeof CreateSignInProvider>

export const ReplaceSignInProvider = z
  .strictObject({
    ...fields,
    client_secret: Secret.nullable().optional().meta({
      description: 'Left out, it stays, as long as the issuer stays; null: none',
    }),
  })
  .meta({ id: 'ReplaceSignInProvider', description: 'All settings of a provider: what is left out gets its default' })
export type ReplaceSignInProvider = z.infer<typeof ReplaceSignInProvider>

export const TestSignInProvider = z
  .strictObject({
    id: z.string().max(40).optional().meta({
      description: 'Provider whose stored secret is used, where none is given and the issuer is the same',
    }),
    issuer: fields.issuer,
    client_id: fields.client_id,
    client_secret: Secret.optional(),
    client_auth: fields.client_auth,
    scope: fields.scope,
  })
  .meta({ id: 'TestSignInProvider' })
export type TestSignInProvider = z.infer<typeof TestSignInProvider>

const Claim = z.object({ name: z.string(), value: z.string().optional() })

export const SignInProvider = z
  .object({
    id: z.string(),
    name: z.string(),
    issuer: z.string(),
    client_id: z.string(),
    has_secret: z.boolean(),
    client_auth: z.string(),
    scope: z.string(),
    claims_from: z.enum(['id_token', 'userinfo']),
    email_verified_claim: z.string(),
    domains: z.array(z.string()),
    makes_accounts: z.boolean(),
    default_role: RoleName,
    role_claim: z.string().nullable(),
    roles: z.record(z.string(), RoleName),
    groups_claim: z.string().nullable(),
    groups: z.record(z.string(), z.string()).nullable(),
    required_claim: Claim.nullable(),
    redirect_uri: z.string().meta({ description: 'To be registered at the provider, exactly' }),
    is_by_environment: z.boolean().meta({ description: 'Set by an operator: it cannot be changed here' }),
    can_change: z.boolean(),
    created_at: Timestamp.nullable(),
    updated_at: Timestamp.nullable(),
  })
  .meta({ id: 'SignInProvider', description: 'An OpenID Connect provider, without its secret' })

export const OneSignInProvider = z.object({ data: SignInProvider })
export const SignInProviderList = z.object({
  data: z.object({
    redirect_base: z.string().meta({ description: 'Redirect URIs are this with the id of the provider behind it' }),
    sign_in_providers: z.array(SignInProvider),
  }),
})
export const TestedSignInProvider = z.object({
  data: z
    .object({
      is_ok: z.boolean(),
      findings: z.array(
        z.object({
          check: z.enum(['discovery', 'issuer', 'endpoints', 'keys', 'features', 'client']),
          is_ok: z.boolean(),
          message: z.string(),
        }),
      ),
    })
    .meta({
      id: 'TestedSignInProvider',
      description: 'Checks in order, up to one that failed and that the rest needs',
    }),
})
export const SignInProviderPath = WorkspacePath.extend({ sign_in_provider_id: z.string().max(100) })
