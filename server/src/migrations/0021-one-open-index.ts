import type { OnlineMigration } from '../platform/database/migrate.ts'

/**
 * Drops the index by which a process found its messages in progress; one index finds all that are not completed. This
 * one cost an entry for each message, and PostgreSQL took it for a way to one message, whose entries of all that had
 * ended it then went through.
 */
export const oneOpenIndex: OnlineMigration = {
  worksWith: '0018-task-troubles',
  async up(db) {
    await db.schema.dropIndex('message_in_progress').ifExists().execute()
  },
}
