import { z } from 'zod'
import type { Readers } from '../../access/access.ts'

/** Fields of a file that say who may read it, and of one permission. */
export const PERMISSION_FIELDS = 'type,emailAddress,displayName,domain,deleted,expirationTime,view'
export const ACCESS_FIELDS = `driveId,hasAugmentedPermissions,inheritedPermissionsDisabled,permissions(${PERMISSION_FIELDS})`

export const Permission = z.object({
  type: z.string(),
  emailAddress: z.string().optional(),
  displayName: z.string().optional(),
  domain: z.string().optional(),
  deleted: z.boolean().optional(),
  expirationTime: z.string().optional(),
  view: z.string().optional(),
})
export type Permission = z.infer<typeof Permission>

export const accessOfFile = {
  driveId: z.string().optional(),
  hasAugmentedPermissions: z.boolean().optional(),
  inheritedPermissionsDisabled: z.boolean().optional(),
  permissions: z.array(Permission).optional(),
}
type FileAccess = z.infer<z.ZodObject<typeof accessOfFile>> & { id: string }

/** Readers of an item; null: everybody. */
export type Access = Readers | null

/**
 * Finds who may read items. Google says it with each item of somebody's own drive; in a shared drive it is asked for,
 * and an item without permissions of its own has those of its folder.
 * @param list asks for all permissions of an item
 */
export function createAccessFinder(list: (id: string, signal: AbortSignal) => Promise<Permission[]>) {
  return async (item: FileAccess, ofFolder: Access | undefined, signal: AbortSignal): Promise<Access> => {
    if (item.permissions) return readersOf(item.permissions)
    const isInherited = item.hasAugmentedPermissions === false && !item.inheritedPermissionsDisabled
    if (item.driveId !== undefined && isInherited && ofFolder !== undefined) return ofFolder
    return readersOf(await list(item.id, signal))
  }
}

/** Readers that permissions name: Docent knows a group of Google by its name or its address. */
function readersOf(permissions: readonly Permission[]): Access {
  const readers: Readers = { emails: [], groups: [], domains: [] }
  const now = new Date().toISOString()
  for (const { type, emailAddress, displayName, domain, deleted, expirationTime, view } of permissions) {
    if (deleted || view !== undefined) continue
    if (expirationTime !== undefined && new Date(expirationTime).toISOString() < now) continue
    if (type === 'anyone') return null
    if (type === 'user' && emailAddress) readers.emails.push(emailAddress)
    if (type === 'group') readers.groups.push(...[displayName, emailAddress].flatMap((name) => name || []))
    if (type === 'domain' && domain) readers.domains.push(domain)
  }
  return readers
}
