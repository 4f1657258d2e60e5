import type { Kysely } from 'kysely'
import type { OnlineMigration } from '../platform/database/migrate.ts'

/**
 * Question sets of agents, and runs of them. A case that was made from a message, and what was answered to it, goes with
 * the message: who erases a person erases what the person asked.
 */
export const evaluation: OnlineMigration = {
  worksWith: '0103-account-language',
  async up(db) {
    await createSets(db)
    await createCases(db)
    await createRuns(db)
    await createResults(db)
    const indexes = {
      evaluation_set: ['organization_id', 'agent_id', 'id'],
      evaluation_case: ['organization_id', 'set_id', 'id'],
      evaluation_run: ['organization_id', 'set_id', 'id'],
    } as const
    for (const [table, columns] of Object.entries(indexes))
      await db.schema
        .createIndex(`${table}_in_order`)
        .on(table)
        .columns([...columns])
        .execute()
    await db.schema.createIndex('evaluation_case_of_set').on('evaluation_case').column('set_id').execute()
    await db.schema.createIndex('evaluation_run_of_set').on('evaluation_run').column('set_id').execute()
    for (const table of ['evaluation_case', 'evaluation_result'])
      await db.schema
        .createIndex(`${table}_of_message`)
        .on(table)
        .columns(['organization_id', 'message_id'])
        .where('message_id', 'is not', null)
        .execute()
  },
}

// biome-ignore lint/suspicious/noExplicitAny: migrations work on any schema
type AnySchema = Kysely<any>

async function createSets(db: AnySchema): Promise<void> {
  await db.schema
    .createTable('evaluation_set')
    .addColumn('id', 'text', (column) => column.primaryKey())
    .addColumn('organization_id', 'text', (column) => column.notNull().references('organization.id'))
    .addColumn('workspace_id', 'text', (column) => column.notNull().references('workspace.id'))
    .addColumn('agent_id', 'text', (column) => column.notNull().references('agent.id'))
    .addColumn('name', 'text', (column) => column.notNull())
    .addColumn('judge_model', 'text')
    .addColumn('created_at', 'text', (column) => column.notNull())
    .addColumn('updated_at', 'text', (column) => column.notNull())
    .execute()
}

async function createCases(db: AnySchema): Promise<void> {
  await db.schema
    .createTable('evaluation_case')
    .addColumn('id', 'text', (column) => column.primaryKey())
    .addColumn('organization_id', 'text', (column) => column.notNull())
    .addColumn('set_id', 'text', (column) => column.notNull().references('evaluation_set.id').onDelete('cascade'))
    .addColumn('question', 'text', (column) => column.notNull())
    .addColumn('expected_answers', 'text', (column) => column.notNull())
    .addColumn('reference_answer', 'text')
    .addColumn('expected_files', 'text', (column) => column.notNull())
    .addColumn('tags', 'text', (column) => column.notNull())
    .addColumn('is_answerable', 'integer', (column) => column.notNull())
    .addColumn('source', 'text', (column) => column.notNull())
    .addColumn('message_id', 'text')
    .addColumn('created_at', 'text', (column) => column.notNull())
    .addColumn('updated_at', 'text', (column) => column.notNull())
    .addForeignKeyConstraint(
      'evaluation_case_message',
      ['organization_id', 'message_id'],
      'message',
      ['organization_id', 'id'],
      (key) => key.onDelete('cascade'),
    )
    .execute()
}

async function createRuns(db: AnySchema): Promise<void> {
  await db.schema
    .createTable('evaluation_run')
    .addColumn('id', 'text', (column) => column.primaryKey())
    .addColumn('organization_id', 'text', (column) => column.notNull())
    .addColumn('workspace_id', 'text', (column) => column.notNull())
    .addColumn('agent_id', 'text', (column) => column.notNull())
    .addColumn('set_id', 'text', (column) => column.notNull().references('evaluation_set.id').onDelete('cascade'))
    .addColumn('status', 'text', (column) => column.notNull())
    .addColumn('error_message', 'text')
    .addColumn('version', 'text', (column) => column.notNull())
    .addColumn('definition', 'text', (column) => column.notNull())
    .addColumn('judge_model', 'text')
    .addColumn('key_id', 'text', (column) => column.notNull())
    .addColumn('case_count', 'integer', (column) => column.notNull())
    .addColumn('done_count', 'integer', (column) => column.notNull())
    .addColumn('totals', 'text')
    .addColumn('started_at', 'text')
    .addColumn('ended_at', 'text')
    .addColumn('created_at', 'text', (column) => column.notNull())
    .execute()
}

async function createResults(db: AnySchema): Promise<void> {
  await db.schema
    .createTable('evaluation_result')
    .addColumn('organization_id', 'text', (column) => column.notNull())
    .addColumn('run_id', 'text', (column) => column.notNull().references('evaluation_run.id').onDelete('cascade'))
    .addColumn('case_id', 'text', (column) => column.notNull())
    .addColumn('asked', 'text', (column) => column.notNull())
    .addColumn('message_id', 'text')
    .addColumn('status', 'text', (column) => column.notNull())
    .addColumn('outcome', 'text')
    .addColumn('counted', 'text')
    .addColumn('file_ids', 'text', (column) => column.notNull())
    .addPrimaryKeyConstraint('evaluation_result_pk', ['run_id', 'case_id'])
    .addForeignKeyConstraint(
      'evaluation_result_message',
      ['organization_id', 'message_id'],
      'message',
      ['organization_id', 'id'],
      (key) => key.onDelete('cascade'),
    )
    .execute()
}
