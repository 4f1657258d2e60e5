import type { Migration } from 'kysely/migration'

/** With what a person had a tool called instead of what the model gave. */
export const changedArguments: Migration = {
  async up(db) {
    await db.schema.alterTable('review').addColumn('changed_arguments', 'text').execute()
  },
}
