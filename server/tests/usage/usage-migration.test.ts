import { expect, test } from 'vitest'
import type { Tables } from '../../src/db.ts'
import { migrations } from '../../src/migrations/index.ts'
import { openEmbedded } from '../../src/platform/database/open.ts'
import { temporaryFolder } from '../support/database/database.ts'
import { createOrganizationGuard } from '../support/database/organization-guard.ts'

const [organization_id, workspace_id, agent_id, chat_id, person] = ['o', 'w', 'a', 'c', 'p'].map((id) =>
  id.repeat(24),
) as [string, string, string, string, string]
const created_at = '2026-01-01T00:00:00.000Z'

const message = (id: string, at: string, model: string | null, virtual_user_id: string | null) => ({
  id: id.repeat(24),
  organization_id,
  chat_id,
  agent_id,
  query: 'q',
  response: '',
  reasoning: '',
  message_type: 'ai_chat',
  status: model ? 'completed' : 'in_progress',
  is_pinned: 0,
  virtual_user_id,
  mode: 'blocking',
  quick_action_fields: '[]',
  output_count: 0,
  citations: '[]',
  events: '[]',
  fingerprint: 'f',
  process_id: 'p',
  model,
  input_tokens: 10,
  cached_input_tokens: 4,
  output_tokens: 3,
  reasoning_tokens: 1,
  created_at,
  updated_at: at,
})

test('messages from before there were sums are summed up', async () => {
  const dataDir = await temporaryFolder()
  const names = Object.keys(migrations)
  const earlier = names.slice(0, names.indexOf('0003-usage'))
  const before = Object.fromEntries(earlier.map((name) => [name, migrations[name]!]))
  const old = await openEmbedded<any>(dataDir, before)
  await old.db.insertInto('organization').values({ id: organization_id, name: 'O', created_at }).execute()
  const owned = { organization_id, created_at }
  await old.db
    .insertInto('workspace')
    .values({ id: workspace_id, name: 'W', ...owned })
    .execute()
  const agent = { workspace_id, name: 'A', name_key: 'a', description: '', instructions: '', knowledge_base_ids: '[]' }
  await old.db
    .insertInto('agent')
    .values({ id: agent_id, ...agent, visibility: 'private', updated_at: created_at, ...owned })
    .execute()
  const chat = {
    workspace_id,
    agent_id,
    title: 'C',
    title_key: 'c',
    chat_type: 'standard',
    metadata: '{}',
    has_files: 0,
  }
  await old.db
    .insertInto('chat')
    .values({ id: chat_id, ...chat, updated_at: created_at, ...owned })
    .execute()
  const user = { workspace_id, email: 'a@b.cd', email_key: 'a@b.cd', metadata: '{}' }
  await old.db
    .insertInto('virtual_user')
    .values({ id: person, ...user, ...owned })
    .execute()
  await old.db
    .insertInto('message')
    .values([
      message('0', '2026-01-20T23:59:59.999Z', 'openai/x', person),
      message('1', '2026-01-30T23:59:59.999Z', 'openai/x', person),
      message('2', '2026-01-31T00:00:00.000Z', 'openai/x', person),
      message('3', '2026-01-31T12:00:00.000Z', 'openai/x', null),
      message('4', '2026-01-31T12:00:00.000Z', 'builtin/extractive', null),
      message('5', '2026-01-31T12:00:00.000Z', null, person),
    ])
    .execute()
  await old.close()

  const guard = createOrganizationGuard()
  const { db, close } = await openEmbedded<Tables>(dataDir, migrations, { plugins: [guard.plugin] })
  const sums = await db
    .selectFrom('usage_sum')
    .selectAll()
    .where('organization_id', '=', organization_id)
    .orderBy('kind')
    .orderBy('period')
    .orderBy('model')
    .execute()
  await close()
  const sum = (kind: string, period: string, count: number, of: object = {}) => ({
    organization_id,
    workspace_id,
    kind,
    period,
    agent_id,
    virtual_user_id: '',
    api_key_id: '',
    model: 'openai/x',
    messages: count,
    input_tokens: 10 * count,
    cached_input_tokens: 4 * count,
    output_tokens: 3 * count,
    reasoning_tokens: count,
    cost_micros: 0,
    unpriced_tokens: 13 * count,
    audio_seconds: 0,
    unpriced_audio_seconds: 0,
    ...of,
  })
  const virtual_user_id = person
  expect(sums).toEqual([
    sum('day', '2026-01-20', 1),
    sum('day', '2026-01-30', 1),
    sum('day', '2026-01-31', 1, { model: 'builtin/extractive', unpriced_tokens: 0 }),
    sum('day', '2026-01-31', 2),
    sum('person_day', '2026-01-20', 1, { virtual_user_id }),
    sum('person_day', '2026-01-30', 1, { virtual_user_id }),
    sum('person_day', '2026-01-31', 1, { virtual_user_id }),
    sum('person_month', '2026-01', 3, { virtual_user_id, agent_id: '', model: '' }),
    sum('person_third', '2026-01/2', 1, { virtual_user_id, agent_id: '', model: '' }),
    sum('person_third', '2026-01/3', 2, { virtual_user_id, agent_id: '', model: '' }),
  ])
  expect(guard.violations).toEqual([])
})
