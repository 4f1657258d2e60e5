import type { OnlineMigration } from '../platform/database/migrate.ts'

/**
 * Lets a key be rotated and have a rate limit of its own. Processes that do not know these columns let in only the new
 * secret, and hold the key to the limit of all keys.
 */
export const keyRotation: OnlineMigration = {
  worksWith: '0018-task-troubles',
  async up(db) {
    for (const [column, type] of [
      ['earlier_hash', 'text'],
      ['earlier_until', 'text'],
      ['rate_per_second', 'double precision'],
      ['rate_burst', 'integer'],
    ] as const)
      await db.schema.alterTable('api_key').addColumn(column, type).execute()
    await db.schema.createIndex('api_key_earlier').on('api_key').column('earlier_hash').execute()
  },
}
