import type { ApiKey, Identity } from '@docent/sdk'
import { plural, t } from '@lingui/core/macro'

type Role = Identity['key']['role']
type Permission = Identity['key']['permissions'][number]

/** Roles, weakest first. */
export const ROLES: { role: Role; name: string; about: string }[] = [
  { role: 'member', name: t`Member`, about: t`Reads, uploads and chats; more with the permissions below.` },
  { role: 'admin', name: t`Admin`, about: t`All permissions, people, webhooks and usage.` },
  { role: 'owner', name: t`Owner`, about: t`Everything that admins may do, and keys of owners.` },
]

export const PERMISSIONS: Record<Permission, { name: string; about: string }> = {
  create_knowledgebase: { name: t`Folders`, about: t`Make folders, share them, link them to sources.` },
  manage_agents: { name: t`Agents`, about: t`Make, change and delete agents, their jobs and shortcuts.` },
  manage_keys: { name: t`API keys`, about: t`Make and revoke keys of members.` },
}

const DAY_MS = 86_400_000

/** Choices of when a key expires. */
export const EXPIRIES = [
  { days: 0, name: t`Never` },
  { days: 7, name: t`In a week` },
  { days: 30, name: t`In 30 days` },
  { days: 90, name: t`In 90 days` },
  { days: 365, name: t`In a year` },
]

/** @param days 0 for never */
export const expiryOf = (days: number): string | null =>
  days > 0 ? new Date(Date.now() + days * DAY_MS).toISOString() : null

/** Roles that a key with this role may grant. */
export const rolesUpTo = (role: Role) => ROLES.slice(0, ROLES.findIndex((one) => one.role === role) + 1)

/** Summary of a key's rights, in one line. */
export function scopesInWords({ role, permissions, scopes }: ApiKey): string {
  const given = permissions.map((permission) => PERMISSIONS[permission]?.name ?? permission).join(', ')
  const rights = role === 'member' ? (given ? t`Read, chat, ${given}` : t`Read and chat`) : t`Everything`
  const limits = [
    scopes?.operations && t`only ${plural(scopes.operations.length, { one: '# operation', other: '# operations' })}`,
    scopes?.agent_ids && t`only ${plural(scopes.agent_ids.length, { one: '# agent', other: '# agents' })}`,
    scopes?.knowledge_base_ids &&
      t`only ${plural(scopes.knowledge_base_ids.length, { one: '# folder', other: '# folders' })}`,
    scopes?.virtual_user_ids &&
      t`only for ${plural(scopes.virtual_user_ids.length, { one: '# end user', other: '# end users' })}`,
  ].filter(Boolean)
  return [rights, ...limits].join(', ')
}
