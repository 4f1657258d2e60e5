import { expect, test } from 'vitest'
import { acrossOrganizations } from '../../src/platform/database/statements/across-organizations.ts'
import { OLDER, olderDatabase } from '../support/database/older-database.ts'

test.each(['embedded', 'postgres'] as const)(
  'grants to everyone from before are grants to their workspace: %s',
  async (kind) => {
    const { old, migrated } = await olderDatabase(kind, '0100-grants-of-workspaces')
    const grant = {
      organization_id: OLDER.organizationId,
      resource_kind: 'folder',
      resource_id: 'f'.repeat(24),
      created_at: '2026-01-01T00:00:00.000Z',
    }
    await old
      .insertInto('access_grant')
      .values([
        { ...grant, subject_kind: 'everyone', subject_id: OLDER.workspaceId, level: 'none' },
        { ...grant, subject_kind: 'member', subject_id: 'e'.repeat(24), level: 'read' },
      ])
      .execute()
    const db = await migrated()
    const all = acrossOrganizations(db).selectFrom('access_grant').select(['subject_kind', 'level'])
    expect(await all.orderBy('subject_kind').execute()).toEqual([
      { subject_kind: 'member', level: 'read' },
      { subject_kind: 'workspace', level: 'none' },
    ])
  },
)
