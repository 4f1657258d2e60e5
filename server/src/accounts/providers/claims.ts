import { RANK, type Role } from '../../access/access.ts'
import type { SignInProvider } from '../../platform/sign-in-providers.ts'
import { Email, PersonName } from '../accounts.schemas.ts'

type Claims = Record<string, unknown>

/** Values of a claim, which may be one text, a list, or not there. */
export function valuesOf(claims: Claims, name: string): string[] {
  const value = Object.hasOwn(claims, name) ? claims[name] : undefined
  return [value]
    .flat()
    .filter((one) => ['string', 'number', 'boolean'].includes(typeof one))
    .map(String)
}

/** Whether the claim is there that lets somebody in; always where the provider demands none. */
export function hasRequired(claims: Claims, { required_claim }: SignInProvider): boolean {
  if (!required_claim) return true
  const values = valuesOf(claims, required_claim.name)
  return required_claim.value === undefined ? values.length > 0 : values.includes(required_claim.value)
}

/** Highest role that the claim names; undefined where the provider names no roles. */
export function roleOf(claims: Claims, { role_claim, roles, default_role }: SignInProvider): Role | undefined {
  if (!role_claim) return undefined
  const named = valuesOf(claims, role_claim).flatMap((value) => (Object.hasOwn(roles, value) ? [roles[value]!] : []))
  return named.toSorted((a, b) => RANK[b] - RANK[a])[0] ?? default_role
}

/** Names of the groups that the claim names; undefined where the provider names no groups. */
export function groupNamesOf(claims: Claims, { groups_claim, groups }: SignInProvider): string[] | undefined {
  if (!groups_claim) return undefined
  const values = valuesOf(claims, groups_claim)
  return groups ? values.flatMap((value) => (Object.hasOwn(groups, value) ? [groups[value]!] : [])) : values
}

/** Name and e-mail; the e-mail is null unless the provider says that it is the person's. */
export function contactOf(claims: Claims, { email_verified_claim }: SignInProvider) {
  const email = Email.safeParse(claims.email).data ?? null
  // Some providers write it as text or number.
  const isVerified = ['true', '1'].includes(valuesOf(claims, email_verified_claim)[0] ?? '')
  const name = PersonName.safeParse(claims.name).data ?? email?.split('@')[0]
  return { email, isVerified, name }
}

/** Whether the e-mail is of a domain that is admitted. */
export const isOfDomain = (email: string, { domains }: SignInProvider): boolean =>
  domains.includes(email.slice(email.lastIndexOf('@') + 1))
