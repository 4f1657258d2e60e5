import type { CreateSignInProvider, ReplaceSignInProvider, SignInProvider } from '@docent/sdk'

type Role = SignInProvider['default_role']

/** Form as it is typed: maps are lines of `value = meaning`. */
export interface ProviderDraft {
  name: string
  /** Null as long as it follows the name. */
  id: string | null
  issuer: string
  clientId: string
  secret: string
  clientAuth: '' | 'client_secret_basic' | 'client_secret_post' | 'none'
  scope: string
  claimsFrom: SignInProvider['claims_from']
  emailVerifiedClaim: string
  domains: string[]
  makesAccounts: boolean
  defaultRole: Role
  roleClaim: string
  roles: string
  groupsClaim: string
  groups: string
  requiredClaim: string
  requiredValue: string
}

export const NEW_PROVIDER: ProviderDraft = {
  name: '',
  id: null,
  issuer: '',
  clientId: '',
  secret: '',
  clientAuth: '',
  scope: 'openid email profile',
  claimsFrom: 'id_token',
  emailVerifiedClaim: 'email_verified',
  domains: [],
  makesAccounts: true,
  defaultRole: 'member',
  roleClaim: '',
  roles: '',
  groupsClaim: '',
  groups: '',
  requiredClaim: '',
  requiredValue: '',
}

export const draftOf = (provider: SignInProvider): ProviderDraft => ({
  name: provider.name,
  id: provider.id,
  issuer: provider.issuer,
  clientId: provider.client_id,
  secret: '',
  clientAuth: provider.client_auth === usualAuth(provider) ? '' : (provider.client_auth as ProviderDraft['clientAuth']),
  scope: provider.scope,
  claimsFrom: provider.claims_from,
  emailVerifiedClaim: provider.email_verified_claim,
  domains: provider.domains,
  makesAccounts: provider.makes_accounts,
  defaultRole: provider.default_role,
  roleClaim: provider.role_claim ?? '',
  roles: toLines(provider.roles),
  groupsClaim: provider.groups_claim ?? '',
  groups: toLines(provider.groups ?? {}),
  requiredClaim: provider.required_claim?.name ?? '',
  requiredValue: provider.required_claim?.value ?? '',
})

const usualAuth = ({ has_secret }: SignInProvider) => (has_secret ? 'client_secret_basic' : 'none')

/** Id that the redirect URI ends with. */
export const idOf = ({ id, name }: Pick<ProviderDraft, 'id' | 'name'>): string =>
  id ??
  name
    .toLowerCase()
    .normalize('NFKD')
    .replace(/[^a-z0-9]+/g, '-')
    .replace(/^-|-$/g, '')
    .slice(0, 40)

/** Settings as the API takes them; an empty secret is left out. */
export function toFields(draft: ProviderDraft): ReplaceSignInProvider & Pick<CreateSignInProvider, 'client_secret'> {
  const [roleClaim, groupsClaim, requiredClaim] = [draft.roleClaim, draft.groupsClaim, draft.requiredClaim].map(
    (text) => text.trim(),
  )
  const groups = fromLines(draft.groups)
  return {
    name: draft.name.trim(),
    issuer: draft.issuer.trim(),
    client_id: draft.clientId.trim(),
    ...(draft.secret && { client_secret: draft.secret }),
    ...(draft.clientAuth && { client_auth: draft.clientAuth }),
    scope: draft.scope.trim(),
    claims_from: draft.claimsFrom,
    email_verified_claim: draft.emailVerifiedClaim.trim(),
    domains: draft.domains,
    makes_accounts: draft.makesAccounts,
    default_role: draft.defaultRole,
    ...(roleClaim && { role_claim: roleClaim }),
    roles: fromLines(draft.roles) as Record<string, Role>,
    ...(groupsClaim && { groups_claim: groupsClaim }),
    ...(Object.keys(groups).length > 0 && { groups }),
    ...(requiredClaim && {
      required_claim: { name: requiredClaim, ...(draft.requiredValue.trim() && { value: draft.requiredValue.trim() }) },
    }),
  }
}

const toLines = (map: Record<string, string>): string =>
  Object.entries(map)
    .map(([value, meaning]) => `${value} = ${meaning}`)
    .join('\n')

/** A line without an equals sign stands for itself. */
const fromLines = (text: string): Record<string, string> =>
  Object.fromEntries(
    text
      .split('\n')
      .filter((line) => line.trim())
      .map((line) => {
        const at = line.lastIndexOf('=')
        return at < 0 ? [line.trim(), line.trim()] : [line.slice(0, at).trim(), line.slice(at + 1).trim()]
      }),
  )
