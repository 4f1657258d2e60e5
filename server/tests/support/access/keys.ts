import { expect } from 'vitest'
import { insertKey } from '../../../src/access/access.store.ts'
import { MEMBER_PERMISSIONS, type Permission, type Role } from '../../../src/access/caller.ts'
import { hashApiKey, newApiKey, prefixOf } from '../../../src/access/keys/api-key.ts'
import type { TestApp } from '../test-app.ts'

/** Another key of the test organization's workspace. */
export async function addKey(
  { services, owner }: Pick<TestApp, 'services' | 'owner'>,
  { role, permissions = [], memberId }: { role: Role; permissions?: Permission[]; memberId?: string },
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
      ...(memberId !== undefined && { member: { kind: 'personal', id: memberId } }),
    }),
  )
  return key
}

/** Adds a member by e-mail, with a key of their own and without a password. */
export async function addMember(app: Pick<TestApp, 'call' | 'services' | 'owner'>, email: string) {
  const { status, body } = await app.call('POST', '/members', { email, name: email.split('@')[0], role: 'member' })
  expect(status, JSON.stringify(body)).toBe(200)
  const memberId = body.data.id as string
  const key = await addKey(app, { role: 'member', permissions: [...MEMBER_PERMISSIONS], memberId })
  const call = (method: string, path: string, sent?: unknown) => app.call(method, path, sent, { key })
  return { memberId, key, call }
}
