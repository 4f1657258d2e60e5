import type { OnlineMigration } from '../platform/database/migrate.ts'

/**
 * What is not completed is found by one index. This other one told the process of what is in progress, and cost an entry
 * for each message; PostgreSQL took it for a way to one message, whose entries of all that had ended it then went through.
 */
export const oneOpenIndex: OnlineMigration = {
  worksWith: '0018-task-troubles',
  async up(db) {
    await db.schema.dropIndex('message_in_progress').ifExists().execute()
  },
}
