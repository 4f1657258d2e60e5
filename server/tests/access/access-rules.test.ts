import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { type AccessRule, boundOf } from '../../src/access/rules/access-rule.ts'
import { addKey } from '../support/access/keys.ts'
import { join, OWN_PAGE } from '../support/access/people.ts'
import { startTestApp } from '../support/test-app.ts'

const NO_ID = 'f'.repeat(24)
const MEMBER_PERMISSIONS = ['create_knowledgebase', 'manage_agents']

interface Operation {
  operationId: string
  method: string
  path: string
  rule: AccessRule
}

/** Operations that need a caller, as they are documented. */
function documented(): Operation[] {
  const openapi = JSON.parse(readFileSync(new URL('../../../openapi.json', import.meta.url), 'utf8'))
  const paths = Object.entries<Record<string, any>>(openapi.paths)
  return paths
    .flatMap(([path, methods]) =>
      Object.entries(methods).map(([method, { operationId, 'x-access': rule }]) => ({
        ...{ operationId, method: method.toUpperCase(), path: path.replace('/v1', ''), rule },
      })),
    )
    .filter(({ rule }) => rule.who !== 'everybody')
}

interface Tried {
  name: string
  headers: Record<string, string>
  role: 'owner' | 'admin' | 'member'
  permissions: string[]
  isPerson?: boolean
  isVisitor?: boolean
  isBound?: boolean
  /** How it speaks for certain virtual users. */
  speaksBy?: 'token' | 'key'
  operations?: string[]
  isInOtherWorkspace?: boolean
}

/** Callers of every kind. */
async function callersOf(app: Awaited<ReturnType<typeof startTestApp>>): Promise<Tried[]> {
  const { workspaceId, organizationId, apiKey } = app.owner
  const keys = `/workspaces/${workspaceId}/api-keys`
  const newKey = async (fields: object) =>
    (await app.call('POST', keys, { name: 'Key', role: 'member', ...fields })).body.data.key as string
  const asKey = (key: string) => ({ 'x-api-key': key })
  const agents = '/agents'
  const fields = { name: 'Clerk', model: 'builtin/extractive', visibility: 'public' }
  const agent = (await app.call('POST', agents, fields)).body.data.id
  const link = (await app.call('POST', `${agents}/${agent}/links`, { name: 'Site', audience: 'public' })).body.data
  const visit = (await app.call('POST', `/shared/${link.token}/visits`, {}, { key: null })).body.data
  const folder = (await app.call('POST', '/knowledge-bases', { knowledge_base_name: 'Drive' })).body.data.id
  const newToken = async (email: string) =>
    (await app.call('POST', '/user-tokens', { virtual_user_email: email, agent_ids: [agent] })).body.data.token
  const person = await join(app, { email: 'ada@example.com', role: 'member' })
  const otherWorkspace = await app.services.access.createWorkspace(organizationId, 'Second')
  const other = await app.services.access.createOrganization('Other')
  const all = ['create_knowledgebase', 'manage_agents', 'manage_keys']
  return [
    { name: 'key of an owner', headers: asKey(apiKey), role: 'owner', permissions: all },
    { name: 'key of an admin', headers: asKey(await newKey({ role: 'admin' })), role: 'admin', permissions: all },
    { name: 'key without permissions', headers: asKey(await newKey({})), role: 'member', permissions: [] },
    {
      name: 'key that may manage agents',
      headers: asKey(await newKey({ permissions: ['manage_agents'] })),
      ...{ role: 'member' as const, permissions: ['manage_agents'] },
    },
    {
      name: 'member who is signed in',
      headers: { ...OWN_PAGE, cookie: person.state.cookie },
      ...{ role: 'member' as const, permissions: MEMBER_PERMISSIONS, isPerson: true },
    },
    {
      name: 'visitor of a link',
      headers: { authorization: `Bearer ${visit.visitor_token}` },
      ...{ role: 'member' as const, permissions: [], isVisitor: true, isBound: true },
    },
    {
      name: 'virtual user with a token',
      headers: asKey(await newToken('ada@example.com')),
      ...{ role: 'member' as const, permissions: [], isBound: true, speaksBy: 'token' as const },
    },
    {
      name: 'key that is narrowed to a virtual user',
      headers: asKey(await newKey({ role: 'admin', scopes: { virtual_user_emails: ['ada@example.com'] } })),
      ...{ role: 'admin' as const, permissions: all, speaksBy: 'key' as const },
    },
    {
      name: 'key that is bound to a folder',
      headers: asKey(await newKey({ role: 'admin', scopes: { knowledge_base_ids: [folder] } })),
      ...{ role: 'admin' as const, permissions: all, isBound: true },
    },
    {
      name: 'key that is bound to an agent',
      headers: asKey(await newKey({ role: 'admin', scopes: { agent_ids: [agent] } })),
      ...{ role: 'admin' as const, permissions: all, isBound: true },
    },
    {
      name: 'key that may only show itself',
      headers: asKey(await newKey({ role: 'admin', scopes: { operations: ['me.get'] } })),
      ...{ role: 'admin' as const, permissions: all, operations: ['me.get'] },
    },
    {
      name: 'key of another workspace',
      headers: asKey(
        await addKey({ ...app, owner: { ...app.owner, workspaceId: otherWorkspace.workspaceId } }, { role: 'owner' }),
      ),
      ...{ role: 'owner' as const, permissions: all, isInOtherWorkspace: true },
    },
    {
      name: 'key of another organization',
      headers: asKey(other.apiKey),
      ...{ role: 'owner' as const, permissions: all, isInOtherWorkspace: true },
    },
  ]
}

/** Whether the rule refuses the caller before anything else of the request is looked at. */
function isRefused({ operationId, rule }: Operation, caller: Tried): boolean {
  const { who, on = [], visitors, virtualUsers } = rule
  if (caller.operations && !caller.operations.includes(operationId)) return true
  if (caller.isVisitor && !visitors) return true
  if (caller.speaksBy === 'token' && virtualUsers !== true) return true
  if (caller.speaksBy === 'key' && !virtualUsers) return true
  if (caller.isInOtherWorkspace && on.some(({ kind }) => kind === 'workspace')) return true
  if (who === 'caller') return false
  if (who === 'account') return !caller.isPerson
  if (who === 'owner') return caller.role !== 'owner'
  if (who === 'admin') return caller.role === 'member'
  return !caller.permissions.includes(who)
}

/** Answers to a caller who may call an operation, and names nothing that is there. */
const PASSED = [200, 204, 400, 404, 409, 415, 422]

/** A bound key is held to its agents and folders once the request was read: it may be found wrong before. */
const answersToBound = ({ rule }: Operation): number[] =>
  boundOf(rule) === 'closed' ? [400, 403, 422] : [403, ...PASSED]

/** Operations that would take long, or end what others are tried with. */
const NOT_RUN = [
  'doctor.examine',
  'streamCheck.run',
  'webhooks.listen',
  'knowledgeBases.follow',
  'account.sessions.endOthers',
]

test('every operation answers each kind of caller as its access rule says', async () => {
  const app = await startTestApp()
  const operations = documented()
  const callers = await callersOf(app)
  expect(operations.length).toBeGreaterThan(100)
  const unexpected: string[] = []
  for (const operation of operations) {
    const path = operation.path.replace('{workspace_id}', app.owner.workspaceId).replaceAll(/\{\w+\}/g, NO_ID)
    const send = async (headers: Record<string, string>) => {
      const body = operation.method === 'GET' ? undefined : {}
      return (await app.call(operation.method, path, body, { key: null, headers })).status
    }
    expect([operation.operationId, await send({})]).toEqual([operation.operationId, 401])
    for (const caller of callers) {
      const refused = isRefused(operation, caller)
      if (!refused && NOT_RUN.includes(operation.operationId)) continue
      const status = await send(caller.headers)
      const expected = refused ? [403] : caller.isBound ? answersToBound(operation) : PASSED
      if (!expected.includes(status)) unexpected.push(`${operation.operationId} by a ${caller.name}: ${status}`)
    }
  }
  expect(unexpected).toEqual([])
}, 300_000)
