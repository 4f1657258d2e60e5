import { mkdtempSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join as joinPath } from 'node:path'
import { expect, test } from 'vitest'
import type { AgentReach, FolderReach } from '../../src/access/rules/access-rule.ts'
import { addKey } from '../support/access/keys.ts'
import { join, OWN_PAGE } from '../support/access/people.ts'
import { driveOf } from '../support/drive/drive.ts'
import { documentedOperations, type Operation, smallest } from '../support/http/documented.ts'
import { startTestApp } from '../support/test-app.ts'

const NO_ID = 'f'.repeat(24)
const FOLDER_LEVELS = ['none', 'read', 'write', 'manage'] as const
const AGENT_LEVELS = ['none', 'use', 'change', 'manage'] as const
/** Ways in which a right comes to a member. */
const WAYS = ['own', 'group', 'workspace', 'inherited', 'narrowed', 'widened'] as const

type Level = (typeof FOLDER_LEVELS)[number] | (typeof AGENT_LEVELS)[number]
type Reached = FolderReach | AgentReach

/** Operation that reaches a folder or an agent, by one field. */
interface Case {
  operation: Operation
  reached: Reached
}

interface Caller {
  name: string
  headers: Record<string, string>
  role: 'owner' | 'admin' | 'member'
  /** Program: it may manage all agents that it may use, and makes user tokens. */
  isKey?: boolean
}

/** Calls that what is tried after them would feel come last. */
const LAST = ['knowledgeBases.delete', 'agents.delete']

/** Operations that refuse members for another reason than their rights. */
const ONLY_KEYS = ['userTokens.create']

const casesOf = (kind: Reached['kind']): Case[] =>
  documentedOperations()
    .flatMap((operation) =>
      (operation.rule.on ?? []).flatMap((reached) => (reached.kind === kind ? [{ operation, reached } as Case] : [])),
    )
    .toSorted((a, b) => LAST.indexOf(a.operation.operationId) - LAST.indexOf(b.operation.operationId))

/** Answer that the rules promise. */
function expectedAnswer({ operation, reached }: Case, caller: Caller, level: Level): 'refused' | 'hidden' | 'passed' {
  const { who } = operation.rule
  if (caller.role === 'member' && (who === 'admin' || who === 'owner' || who === 'manage_keys')) return 'refused'
  if (who === 'account' && !caller.headers.cookie) return 'refused'
  if (ONLY_KEYS.includes(operation.operationId) && !caller.isKey) return 'refused'
  if (caller.role !== 'member') return 'passed'
  if (level === 'none') return 'hidden'
  if (reached.kind === 'agent' && caller.isKey) return 'passed'
  const levels: readonly string[] = reached.kind === 'folder' ? FOLDER_LEVELS : AGENT_LEVELS
  return levels.indexOf(level) >= levels.indexOf(reached.to) ? 'passed' : 'refused'
}

/** Answer as it came; `wrong` for a request that was not understood, so that nothing was tried. */
function answerOf({ status, body }: { status: number; body: any }): string {
  const code = body?.error_code
  if (code === 'KNOWLEDGE_BASE_NOT_FOUND' || code === 'AGENT_NOT_FOUND') return 'hidden'
  if (status === 403) return 'refused'
  // Known only to who may change the agent.
  if (/is none of the (MCP servers|APIs) of this agent$/.test(body?.message)) return 'passed'
  if (status >= 500 || code === 'VALIDATION_ERROR') return `wrong: ${status} ${JSON.stringify(body)}`
  return 'passed'
}

async function start() {
  const roots = mkdtempSync(joinPath(tmpdir(), 'docent-sweep-'))
  const app = await startTestApp({ DOCENT_DIRECTORY_ROOTS: roots })
  const drive = driveOf(app)
  const { workspaceId } = app.owner
  const group = (await app.call('POST', '/groups', { name: 'Crew' })).body.data.id as string
  const ada = await join(app, { email: 'ada@example.com', role: 'member' })
  const chief = await join(app, { email: 'chief@example.com', role: 'owner' })
  const admin = await join(app, { email: 'admin@example.com', role: 'admin' })
  await app.call('PATCH', `/members/${ada.memberId}`, { group_ids: [group] })
  const { key: personal } = (await ada.call('POST', '/account/api-keys', { name: 'Mine' })).body.data
  const permissions = ['create_knowledgebase', 'manage_agents'] as const
  const plain = await addKey(app, { role: 'member', permissions: [...permissions] })
  const asPerson = ({ state }: typeof ada) => ({ ...OWN_PAGE, cookie: state.cookie })
  const callers = {
    member: { name: 'member', headers: asPerson(ada), role: 'member' },
    personal: { name: 'personal key', headers: { 'x-api-key': personal }, role: 'member' },
    key: { name: 'key of the role member', headers: { 'x-api-key': plain }, role: 'member', isKey: true },
    above: [
      { name: 'owner', headers: asPerson(chief), role: 'owner' },
      { name: 'admin', headers: asPerson(admin), role: 'admin' },
      { name: 'key of an owner', headers: { 'x-api-key': app.owner.apiKey }, role: 'owner', isKey: true },
      {
        name: 'key of an admin',
        headers: { 'x-api-key': await addKey(app, { role: 'admin' }) },
        role: 'admin',
        isKey: true,
      },
    ],
  } satisfies Record<string, Caller | Caller[]>
  const other = await app.services.access.createOrganization('Elsewhere')
  const stranger: Caller = {
    name: 'key of another organization',
    headers: { 'x-api-key': other.apiKey },
    role: 'owner',
  }
  const person = (await app.call('POST', `/workspaces/${workspaceId}/virtual-users`, { email: 'v@example.com' })).body
    .data
  const subjects = {
    own: { kind: 'member', id: ada.memberId },
    group: { kind: 'group', id: group },
    workspace: { kind: 'workspace', id: workspaceId },
  }

  const newName = () => `x ${crypto.randomUUID()}`
  const newFolder = (parent?: string) => drive.newFolder(newName(), parent)
  const grantsOf = { folder: new Map<string, object[]>(), agent: new Map<string, object[]>() }
  async function grant(kind: 'folder' | 'agent', id: string, grants: object[]) {
    const path = kind === 'folder' ? `/knowledge-bases/${id}` : `/agents/${id}`
    await drive.succeed('PUT', `${path}/grants`, { grants })
    grantsOf[kind].set(id, grants)
  }

  /** Sends an operation that reaches `target`; everything else that it reaches is open to all. */
  async function send({ operation, reached }: Case, { headers }: Caller, target: string) {
    const { operationId, method, parameters } = operation
    const isQuery = operationId.startsWith('chats.queries.')
    const isOfFolder = operation.path.includes('{knowledge_base_id}')
    const folder = reached.by === 'params.knowledge_base_id' ? target : isOfFolder ? await newFolder() : NO_ID
    let agent = reached.kind === 'agent' && reached.by === 'params.agent_id' ? target : undefined
    const known: Record<string, string> = {
      workspace_id: workspaceId,
      knowledge_base_id: folder,
      virtual_user_id: person.id,
    }
    if (operation.path.includes('{agent_id}')) agent ??= await newAgent(isQuery ? [target] : [])
    if (isQuery && reached.kind === 'folder') {
      const made = await app.call('POST', `/agents/${agent}/chats`, {}, { key: null, headers })
      known.chat_id = made.body.data?.chat?.id ?? NO_ID
    }
    if (operationId === 'dataSources.update' && reached.by.startsWith('body.'))
      known.data_source_id = (await drive.addFile(folder, { title: `${newName()}.txt` })) as string
    const path = operation.path.replaceAll(/\{(\w+)\}/g, (_, name) =>
      name === 'agent_id' ? agent! : (known[name] ?? NO_ID),
    )
    const query = parameters
      .filter((one) => one.in === 'query' && one.required)
      .map(({ name, schema }) => [name, name.endsWith('_id') ? NO_ID : String(smallest(schema))])
    const body = operation.body && { ...(smallest(operation.body) as object), ...special(operationId, target) }
    const [place, field] = reached.by.split('.') as ['params' | 'query' | 'body', string]
    const value = field.endsWith('_ids') ? [target] : target
    if (place === 'query') query.push([field, target])
    if (place === 'body') Object.assign(body!, { [field]: value })
    if (operationId === 'userTokens.create' && field !== 'agent_ids')
      Object.assign(body!, { agent_ids: [await newAgent([])] })
    const search = query.length > 0 ? `?${new URLSearchParams(query as [string, string][])}` : ''
    // A stream without an end: how it begins is enough.
    if (operationId === 'knowledgeBases.follow') return beginStream(`${app.url}/v1${path}`, headers)
    return app.call(method, path + search, body, { key: null, headers })
  }

  function special(operationId: string, target: string): object {
    if (operationId.endsWith('grants.set') && operationId !== 'virtualUsers.grants.set')
      return { grants: grantsOf[operationId.startsWith('agents') ? 'agent' : 'folder'].get(target) ?? [] }
    if (operationId.startsWith('chats.queries.'))
      return { query: 'say x', webhook_url: undefined, ...ASYNC[operationId] }
    if (operationId === 'dataSources.changeMetadata') return { data_source_ids: [NO_ID] }
    if (operationId === 'dataSources.passageEdits.create') return { kind: 'off', ordinal: 0, text: undefined }
    if (operationId === 'dataSources.pushed.put') return { file_id: undefined, text: 'Text' }
    if (operationId === 'dataSources.pushed.batch') return { items: [{ external_id: NO_ID, delete: true }] }
    // An import replaces what the operations after it need of the agent.
    if (operationId === 'agents.import') return { dry_run: true }
    if (operationId === 'integrations.create')
      return { kind: 'directory', knowledge_base_name: newName(), config: { path: roots } }
    if (operationId === 'agents.mcpServers.check') return { name: 'tickets' }
    if (operationId === 'agents.mcpServers.finishConnect') return { state: 'x', code: 'x' }
    // Nobody answers there, which only who may change the agent gets to know.
    if (operationId === 'agents.mcpServers.connect') return { url: 'https://tickets.invalid/mcp' }
    if (operationId === 'agents.openApiTools.check') return { name: 'crm' }
    if (operationId === 'knowledgeBases.create') return { knowledge_base_name: newName() }
    return {}
  }

  async function newAgent(knowledge_base_ids: string[]): Promise<string> {
    const fields = { name: newName(), model: 'builtin/extractive', visibility: 'public', knowledge_base_ids }
    const { id } = (await drive.succeed('POST', '/agents', fields)).data
    await grant('agent', id, [{ ...subjects.workspace, level: 'edit' }])
    return id
  }

  return { app, callers, stranger, subjects, newFolder, newAgent, grant, send, ada }
}

async function beginStream(url: string, headers: Record<string, string>): Promise<{ status: number; body: any }> {
  const reply = await fetch(url, { headers })
  if (reply.status !== 200) return { status: reply.status, body: await reply.json() }
  await reply.body!.cancel()
  return { status: 200, body: {} }
}

const ASYNC: Record<string, object> = { 'chats.queries.createAsync': { webhook_url: 'https://example.com/hook' } }

type Started = Awaited<ReturnType<typeof start>>

/** Tries all cases on one thing, and tells those that answer otherwise than the rules promise. */
async function tryAll(
  { send }: Started,
  cases: Case[],
  caller: Caller,
  { target, level, way }: { target: string; level: Level; way: string },
) {
  const unexpected: string[] = []
  for (const one of cases) {
    const expected = expectedAnswer(one, caller, level)
    const got = answerOf(await send(one, caller, target))
    const { operation, reached } = one
    if (got !== expected)
      unexpected.push(
        `${operation.operationId} (${reached.by}) by a ${caller.name}, ${level} by ${way}: ${got}, not ${expected}`,
      )
  }
  return unexpected
}

test('every operation on folders answers each kind of right as its rule says', async () => {
  const started = await start()
  const { callers, subjects, newFolder, grant } = started
  const cases = casesOf('folder')
  expect(cases.length).toBeGreaterThan(25)
  const unexpected: string[] = []
  for (const level of FOLDER_LEVELS)
    for (const way of WAYS)
      for (const caller of [
        callers.member,
        ...(way === 'own' ? [callers.personal] : way === 'group' ? [] : [callers.key]),
      ]) {
        // Grants to the workspace alone speak to keys.
        const subject = caller === callers.key ? subjects.workspace : (subjects[way as 'own'] ?? subjects.own)
        const everyone = (one: string) => ({ ...subjects.workspace, level: one })
        const above = await newFolder()
        const target = await newFolder(above)
        if (way === 'narrowed') await grant('folder', above, [everyone('manage')])
        if (way === 'widened') await grant('folder', above, [everyone('none')])
        await grant('folder', way === 'inherited' ? above : target, [{ ...subject, level }])
        unexpected.push(...(await tryAll(started, cases, caller, { target, level, way })))
        if (way !== 'own') await grant('folder', above, [])
      }
  for (const caller of callers.above) {
    const target = await newFolder()
    await grant('folder', target, [{ ...subjects.workspace, level: 'none' }])
    unexpected.push(...(await tryAll(started, cases, caller, { target, level: 'none', way: 'workspace' })))
  }
  expect(unexpected).toEqual([])
}, 600_000)

test('every operation on agents answers each kind of right as its rule says', async () => {
  const started = await start()
  const { app, ada, callers, subjects, newAgent, grant } = started
  const cases = casesOf('agent')
  expect(cases.length).toBeGreaterThan(40)
  const unexpected: string[] = []
  const closed = { ...subjects.workspace, level: 'none' }
  const tried: [caller: Caller, level: Level, way: string, grants: object[]][] = [
    [callers.key, 'none', 'workspace', [closed]],
    [callers.key, 'use', 'workspace', [{ ...subjects.workspace, level: 'use' }]],
    [callers.key, 'change', 'workspace', [closed, { ...subjects.workspace, level: 'edit' }]],
    ...callers.above.map((caller) => [caller, 'none', 'workspace', [closed]] as [Caller, Level, string, object[]]),
  ]
  for (const caller of [callers.member, callers.personal]) {
    tried.push(
      [caller, 'none', 'workspace', [closed]],
      [caller, 'use', 'threads', [closed, { ...subjects.own, level: 'threads' }]],
    )
    for (const [way, subject] of Object.entries(subjects))
      tried.push(
        [caller, 'use', way, [{ ...subject, level: 'use' }]],
        [caller, 'change', way, [closed, { ...subject, level: 'edit' }]],
      )
  }
  for (const [caller, level, way, grants] of tried) {
    const target = await newAgent([])
    await grant('agent', target, grants)
    unexpected.push(...(await tryAll(started, cases, caller, { target, level, way })))
  }
  for (const caller of [callers.member, callers.personal]) {
    const fields = { name: 'Own', model: 'builtin/extractive', visibility: 'public' }
    const target = (await ada.call('POST', '/agents', fields)).body.data.id
    await app.call('PUT', `/agents/${target}/grants`, { grants: [closed] })
    unexpected.push(...(await tryAll(started, cases, caller, { target, level: 'manage', way: 'having made it' })))
  }
  expect(unexpected).toEqual([])
}, 600_000)

test('somebody of another organization finds neither folders nor agents', async () => {
  const started = await start()
  const { stranger, newFolder, newAgent, send } = started
  for (const kind of ['folder', 'agent'] as const) {
    const target = kind === 'folder' ? await newFolder() : await newAgent([])
    for (const one of casesOf(kind)) {
      // A path that names a workspace which is not theirs is refused, whether there is one or not.
      const isOwn = one.operation.path.includes('{workspace_id}') || one.operation.rule.who === 'account'
      const expected = isOwn ? 'refused' : 'hidden'
      const got = answerOf(await send(one, stranger, target))
      expect([one.operation.operationId, one.reached.by, got]).toEqual([
        one.operation.operationId,
        one.reached.by,
        expected,
      ])
    }
  }
}, 600_000)
