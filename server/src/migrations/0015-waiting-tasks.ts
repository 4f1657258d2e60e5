import { sql } from 'kysely'
import type { Migration } from 'kysely/migration'

/** Finds the organizations that wait for a kind of task, however many tasks one of them has. */
export const waitingTasks: Migration = {
  async up(db) {
    await db.schema
      .createIndex('task_waiting')
      .on('task')
      .columns(['kind', 'organization_id', 'run_at'])
      .where(sql.ref('state'), '=', sql.lit('waiting'))
      .execute()
  },
}
