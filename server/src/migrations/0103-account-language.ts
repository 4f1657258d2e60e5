import type { OnlineMigration } from '../platform/database/migrate.ts'

/** Language in which a person reads the UI; null for that of their browser. */
export const accountLanguage: OnlineMigration = {
  worksWith: '0102-chat-branches',
  async up(db) {
    await db.schema.alterTable('account').addColumn('language', 'text').execute()
  },
}
