import type { Db, Tx } from '../../db.ts'
import { acrossOrganizations } from '../../platform/database/statements/across-organizations.ts'

/** Row that ended: of which table, whose, and what it is found by. */
interface Ended {
  organizationId: string
  id: string
}

/** Tables whose rows end, with what to list of them and how to delete one. */
export const ENDING = {
  code: {
    list: async (db: Db, before: string, limit: number): Promise<Ended[]> =>
      acrossOrganizations(db)
        .selectFrom('oauth_code')
        .select(['organization_id as organizationId', 'code_hash as id'])
        .where('expires_at', '<', before)
        .limit(limit)
        .execute(),
    delete: (tx: Tx, { organizationId, id }: Ended) =>
      tx.deleteFrom('oauth_code').where('organization_id', '=', organizationId).where('code_hash', '=', id).execute(),
  },
  grant: {
    list: async (db: Db, before: string, limit: number): Promise<Ended[]> =>
      acrossOrganizations(db)
        .selectFrom('oauth_grant')
        .select(['organization_id as organizationId', 'key_id as id'])
        .where('expires_at', '<', before)
        .limit(limit)
        .execute(),
    delete: (tx: Tx, { organizationId, id }: Ended) =>
      tx.deleteFrom('oauth_grant').where('organization_id', '=', organizationId).where('key_id', '=', id).execute(),
  },
  token: {
    list: async (db: Db, before: string, limit: number): Promise<Ended[]> =>
      acrossOrganizations(db)
        .selectFrom('oauth_token')
        .select(['organization_id as organizationId', 'token_hash as id'])
        .where('expires_at', '<', before)
        .limit(limit)
        .execute(),
    delete: (tx: Tx, { organizationId, id }: Ended) =>
      tx.deleteFrom('oauth_token').where('organization_id', '=', organizationId).where('token_hash', '=', id).execute(),
  },
} as const
