import { type Kysely, sql } from 'kysely'
import type { Migration } from 'kysely/migration'

/** Adds the cost of messages, sums of usage, and quotas. */
export const usage: Migration = {
  async up(db) {
    await db.schema.alterTable('message').addColumn('api_key_id', 'text').execute()
    await db.schema.alterTable('message').addColumn('cost_micros', 'bigint').execute()
    await createSums(db)
    await createQuotas(db)
    await sumUp(db)
  },
}

type Schema = Kysely<unknown>

async function createSums(db: Schema) {
  await db.schema
    .createTable('usage_sum')
    .addColumn('organization_id', 'text', (column) => column.notNull().references('organization.id'))
    .addColumn('workspace_id', 'text', (column) => column.notNull().references('workspace.id'))
    .addColumn('kind', 'text', (column) => column.notNull())
    .addColumn('period', 'text', (column) => column.notNull())
    .addColumn('agent_id', 'text', (column) => column.notNull())
    .addColumn('virtual_user_id', 'text', (column) => column.notNull())
    .addColumn('api_key_id', 'text', (column) => column.notNull())
    .addColumn('model', 'text', (column) => column.notNull())
    .addColumn('messages', 'bigint', (column) => column.notNull())
    .addColumn('input_tokens', 'bigint', (column) => column.notNull())
    .addColumn('cached_input_tokens', 'bigint', (column) => column.notNull())
    .addColumn('output_tokens', 'bigint', (column) => column.notNull())
    .addColumn('reasoning_tokens', 'bigint', (column) => column.notNull())
    .addColumn('cost_micros', 'bigint', (column) => column.notNull())
    .addColumn('unpriced_tokens', 'bigint', (column) => column.notNull())
    .addPrimaryKeyConstraint('usage_sum_pk', [
      'workspace_id',
      'kind',
      'period',
      'agent_id',
      'virtual_user_id',
      'api_key_id',
      'model',
    ])
    .execute()
  await db.schema
    .createIndex('usage_sum_of_person')
    .on('usage_sum')
    .columns(['virtual_user_id', 'organization_id', 'kind', 'period'])
    .execute()
}

async function createQuotas(db: Schema) {
  await db.schema
    .createTable('quota')
    .addColumn('id', 'text', (column) => column.primaryKey())
    .addColumn('organization_id', 'text', (column) => column.notNull().references('organization.id'))
    .addColumn('workspace_id', 'text', (column) => column.notNull().references('workspace.id'))
    .addColumn('subject_type', 'text', (column) => column.notNull())
    .addColumn('subject_id', 'text', (column) => column.notNull())
    .addColumn('period', 'text', (column) => column.notNull())
    .addColumn('max_messages', 'bigint')
    .addColumn('max_tokens', 'bigint')
    .addColumn('max_cost_micros', 'bigint')
    .addColumn('created_at', 'text', (column) => column.notNull())
    .addColumn('updated_at', 'text', (column) => column.notNull())
    .execute()
  await db.schema
    .createIndex('quota_subject')
    .unique()
    .on('quota')
    .columns(['organization_id', 'workspace_id', 'subject_type', 'subject_id', 'period'])
    .execute()
  await db.schema
    .createTable('quota_use')
    .addColumn('organization_id', 'text', (column) => column.notNull().references('organization.id'))
    // No reference: a message that is accepted while its quota is deleted must not fail.
    .addColumn('quota_id', 'text', (column) => column.notNull())
    .addColumn('virtual_user_id', 'text', (column) => column.notNull())
    .addColumn('period', 'text', (column) => column.notNull())
    .addColumn('messages', 'bigint', (column) => column.notNull())
    .addColumn('tokens', 'bigint', (column) => column.notNull())
    .addColumn('cost_micros', 'bigint', (column) => column.notNull())
    .addPrimaryKeyConstraint('quota_use_pk', ['quota_id', 'virtual_user_id', 'period'])
    .execute()
}

/** Sums up the messages that were answered before: their day is known, their key and price are not. */
async function sumUp(db: Schema) {
  const byAgent = { agent_id: 'message.agent_id', model: 'message.model' }
  const byPerson = { virtual_user_id: 'message.virtual_user_id' }
  await sumOf(db, { kind: 'day', period: 'substr(message.updated_at, 1, 10)', by: byAgent })
  await sumOf(db, { kind: 'person_day', period: 'substr(message.updated_at, 1, 10)', by: { ...byAgent, ...byPerson } })
  const third = `substr(message.updated_at, 1, 7) || (case when substr(message.updated_at, 9, 2) < '11' then '/1'
    when substr(message.updated_at, 9, 2) < '21' then '/2' else '/3' end)`
  await sumOf(db, { kind: 'person_third', period: third, by: byPerson })
  await sumOf(db, { kind: 'person_month', period: 'substr(message.updated_at, 1, 7)', by: byPerson })
}

interface Sum {
  kind: 'day' | 'person_day' | 'person_third' | 'person_month'
  /** SQL. */
  period: string
  /** Columns that tell the rows apart, beside the workspace and the period: column to SQL. */
  by: Partial<Record<'agent_id' | 'virtual_user_id' | 'model', string>>
}

async function sumOf(db: Schema, { kind, period, by }: Sum) {
  const { agent_id = "''", virtual_user_id = "''", model = "''" } = by
  const groups = ['message.organization_id', 'chat.workspace_id', period, ...Object.values(by)]
  await sql
    .raw(`
      insert into usage_sum (
        organization_id, workspace_id, kind, period, agent_id, virtual_user_id, api_key_id, model, messages,
        input_tokens, cached_input_tokens, output_tokens, reasoning_tokens, cost_micros, unpriced_tokens
      )
      select message.organization_id, chat.workspace_id, '${kind}', ${period}, ${agent_id}, ${virtual_user_id}, '',
        ${model}, count(*), sum(input_tokens), sum(cached_input_tokens), sum(output_tokens), sum(reasoning_tokens), 0,
        sum(case when message.model like 'builtin/%' then 0 else input_tokens + output_tokens end)
      from message join chat on chat.id = message.chat_id and chat.organization_id = message.organization_id
      where message.model is not null ${by.virtual_user_id ? 'and message.virtual_user_id is not null' : ''}
      group by ${groups.join(', ')}
    `)
    .execute(db)
}
