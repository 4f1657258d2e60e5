import { createHash } from 'node:crypto'
import type { ScimUserRecord } from './scim-users.store.ts'

export const USER_SCHEMA = 'urn:ietf:params:scim:schemas:core:2.0:User'

/** A person as RFC 7643 describes them. @param base address of the protocol's root */
export function toScimUser(user: ScimUserRecord, base: string) {
  const { id, externalId, userName, names, displayName, email, isActive } = user
  const shown = {
    schemas: [USER_SCHEMA],
    id,
    ...(externalId !== null && { externalId }),
    userName,
    ...(Object.keys(names).length > 0 && { name: names }),
    ...(displayName !== null && { displayName }),
    emails: [{ value: email, type: 'work', primary: true }],
    active: isActive,
  }
  const { createdAt: created, updatedAt: lastModified } = user
  const version = `W/"${createHash('sha256').update(JSON.stringify(shown)).digest('hex').slice(0, 16)}"`
  return { ...shown, meta: { resourceType: 'User', created, lastModified, location: `${base}/Users/${id}`, version } }
}
