import { expect, test } from 'vitest'
import { nearestName } from './nearest-name.ts'

test.each([
  ['nmae', ['name', 'role'], 'name'],
  ['slat', ['slots', 'salt'], 'salt'],
  ['agents', ['operations', 'agent_ids', 'knowledge_base_ids'], 'agent_ids'],
  ['agent_id', ['operations', 'agent_ids', 'knowledge_base_ids'], 'agent_ids'],
  ['knowledge_bases', ['operations', 'agent_ids', 'knowledge_base_ids'], 'knowledge_base_ids'],
  ['title', ['data_source_title', 'knowledge_base_id'], 'data_source_title'],
  ['expires_in', ['name', 'expires_at'], 'expires_at'],
  ['apiKey', ['api_key'], 'api_key'],
  ['instruction', ['name', 'instructions', 'description'], 'instructions'],
  ['colour', ['name', 'role', 'scopes'], undefined],
  ['x', ['id'], undefined],
  ['', ['id'], undefined],
  ['ы', ['name'], undefined],
])('%j among %j: %j', (given, known, near) => {
  expect(nearestName(given, known)).toBe(near)
})

test('a name of any length costs little', () => {
  expect(nearestName('n'.repeat(1_000_000), ['name', 'n'.repeat(1000)])).toBe('n'.repeat(1000))
})
