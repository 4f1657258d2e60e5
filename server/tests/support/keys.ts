import { insertKey } from '../../src/access/access.store.ts'
import type { Permission, Role } from '../../src/access/caller.ts'
import { hashApiKey, newApiKey, prefixOf } from '../../src/access/keys/api-key.ts'
import type { TestApp } from './test-app.ts'

/** Another key of the test organization's workspace. */
export async function addKey(
  { services, owner }: Pick<TestApp, 'services' | 'owner'>,
  { role, permissions = [] }: { role: Role; permissions?: Permission[] },
): Promise<string> {
  const key = newApiKey()
  await services.db.transaction().execute((tx) =>
    insertKey(tx, owner.organizationId, {
      id: services.newId(),
      workspaceId: owner.workspaceId,
      name: role,
      prefix: prefixOf(key),
      hash: hashApiKey(key),
      role,
      permissions,
      expiresAt: null,
      createdAt: services.clock().toISOString(),
    }),
  )
  return key
}
