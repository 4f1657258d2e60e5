import type { Migration } from 'kysely/migration'

/** Adds the arguments with which a person had a tool called instead of the model's. */
export const changedArguments: Migration = {
  async up(db) {
    await db.schema.alterTable('review').addColumn('changed_arguments', 'text').execute()
  },
}
