import type { AuditEntry } from '@docent/sdk'
import type { AuditFilter } from './audit.queries.ts'

/** Person or key whose entries are shown: `member:ID`, `key:ID` or `operator`. */
export type By = 'operator' | `member:${string}` | `key:${string}`

/** Search of the page's address; what is not understood is left out. */
export function auditSearch({ by }: Record<string, unknown>): { by?: By } {
  return typeof by === 'string' && /^(operator|(member|key):[0-9a-f]{24})$/.test(by) ? { by: by as By } : {}
}

/** Filter of the API for a person or key. */
export function actorOf(by: By | undefined): Pick<AuditFilter, 'actor' | 'member_id'> {
  if (by === undefined) return {}
  const [kind, id] = by.split(':')
  return kind === 'member' ? { member_id: id } : { actor: id ?? 'operator' }
}

export function byOf({ type, member_id, api_key_id }: AuditEntry['actor']): By {
  if (type === 'operator') return 'operator'
  return member_id ? `member:${member_id}` : `key:${api_key_id}`
}
