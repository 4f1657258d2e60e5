import type { OnlineMigration } from '../platform/database/migrate.ts'

/** Looks of links: colour, logo, questions to begin with, place of the button and language. */
export const looksOfLinks: OnlineMigration = {
  worksWith: '0103-account-language',
  async up(db) {
    for (const name of ['color', 'language', 'logo_sha256'])
      await db.schema.alterTable('agent_link').addColumn(name, 'text').execute()
    await db.schema
      .alterTable('agent_link')
      .addColumn('position', 'text', (column) => column.notNull().defaultTo('right'))
      .execute()
    await db.schema
      .alterTable('agent_link')
      .addColumn('starter_questions', 'text', (column) => column.notNull().defaultTo('[]'))
      .execute()
    await db.schema
      .createTable('agent_link_logo')
      .addColumn('link_id', 'text', (column) => column.primaryKey().references('agent_link.id').onDelete('cascade'))
      .addColumn('organization_id', 'text', (column) => column.notNull())
      .addColumn('media_type', 'text', (column) => column.notNull())
      .addColumn('content', 'text', (column) => column.notNull())
      .addColumn('updated_at', 'text', (column) => column.notNull())
      .execute()
  },
}
