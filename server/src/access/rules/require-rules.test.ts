import { expect, test } from 'vitest'
import { z } from 'zod'
import { createHttpServer } from '../../platform/http/server.ts'
import { createLogger } from '../../platform/telemetry/logger.ts'
import { type AccessRule, reach } from './access-rule.ts'
import { requireRules } from './require-rules.ts'

const reply = async () => ({})

function serverWithRules() {
  const app = createHttpServer(createLogger('silent'))
  requireRules(app)
  return app
}

const rule = (access: AccessRule) => ({ config: { access, isGuarded: true as const } })

test('a route without an access rule is refused', () => {
  expect(() => serverWithRules().get('/things', reply)).toThrow('GET /things has no access rule')
})

test('a rule names every id of the path, and each folder and agent that the body or query names', () => {
  const app = serverWithRules()
  const rules = rule({ who: 'caller', on: [reach.folder('read')] })
  app.get('/folders/:knowledge_base_id', rules, reply)
  expect(() => app.get('/folders/:knowledge_base_id/files/:data_source_id', rules, reply)).toThrow(
    'does not say what params.data_source_id is for',
  )
  const body = z.strictObject({ name: z.string(), parent_kb_id: z.string() })
  expect(() => app.post('/folders', { ...rule({ who: 'caller' }), schema: { body } }, reply)).toThrow(
    'does not say what body.parent_kb_id is for',
  )
  const querystring = z.object({ agent_ids: z.array(z.string()) })
  expect(() => app.get('/chats', { ...rule({ who: 'caller' }), schema: { querystring } }, reply)).toThrow(
    'does not say what query.agent_ids is for',
  )
})

test('a rule that asks for a caller is refused where nobody checks one, and one that asks for nobody where somebody is', async () => {
  const unguarded = serverWithRules()
  unguarded.get('/things', { config: { access: { who: 'caller' } } }, reply)
  await expect(unguarded.ready()).rejects.toThrow('does not fit')
  const guarded = serverWithRules()
  guarded.get('/things', rule({ who: 'everybody' }), reply)
  await expect(guarded.ready()).rejects.toThrow('does not fit')
})
