import type { ApiKey, Identity } from '@docent/sdk'
import { count } from '../../platform/format.ts'

type Role = Identity['key']['role']
type Permission = Identity['key']['permissions'][number]

/** Roles, weakest first. */
export const ROLES: { role: Role; name: string; about: string }[] = [
  { role: 'member', name: 'Member', about: 'Reads, uploads and chats; more with the permissions below.' },
  { role: 'admin', name: 'Admin', about: 'All permissions, people, webhooks and usage.' },
  { role: 'owner', name: 'Owner', about: 'Everything that admins may do, and keys of owners.' },
]

export const PERMISSIONS: Record<Permission, { name: string; about: string }> = {
  create_knowledgebase: { name: 'Folders', about: 'Make folders, share them, link them to sources.' },
  manage_agents: { name: 'Agents', about: 'Make, change and delete agents, their jobs and shortcuts.' },
  manage_keys: { name: 'Keys', about: 'Make and revoke keys of members.' },
}

const DAY_MS = 86_400_000

/** Choices of when a key expires. */
export const EXPIRIES = [
  { days: 0, name: 'Never' },
  { days: 7, name: 'In a week' },
  { days: 30, name: 'In 30 days' },
  { days: 90, name: 'In 90 days' },
  { days: 365, name: 'In a year' },
]

/** @param days 0 for never */
export const expiryOf = (days: number): string | null =>
  days > 0 ? new Date(Date.now() + days * DAY_MS).toISOString() : null

/** Roles that a key with this role may grant. */
export const rolesUpTo = (role: Role) => ROLES.slice(0, ROLES.findIndex((one) => one.role === role) + 1)

/** Summary of a key's rights, in one line. */
export function scopesInWords({ role, permissions, scopes }: ApiKey): string {
  const given = permissions.map((permission) => PERMISSIONS[permission]?.name ?? permission).join(', ')
  const rights = role === 'member' ? (given ? `Read, chat, ${given.toLowerCase()}` : 'Read and chat') : 'Everything'
  const limits = [
    scopes?.operations && `only ${count(scopes.operations.length, 'operation')}`,
    scopes?.agent_ids && `only ${count(scopes.agent_ids.length, 'agent')}`,
    scopes?.knowledge_base_ids && `only ${count(scopes.knowledge_base_ids.length, 'folder')}`,
    scopes?.virtual_user_ids && `only for ${count(scopes.virtual_user_ids.length, 'end user')}`,
  ].filter(Boolean)
  return [rights, ...limits].join(', ')
}
