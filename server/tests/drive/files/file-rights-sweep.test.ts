import { expect, test, vi } from 'vitest'
import { addMember } from '../../support/access/keys.ts'
import { join } from '../../support/access/people.ts'
import { startTestChat } from '../../support/chats/chat.ts'
import { beginEvents } from '../../support/chats/first-events.ts'
import { driveOf } from '../../support/drive/drive.ts'
import { documentedOperations, type Operation, smallest } from '../../support/http/documented.ts'
import type { TestApp } from '../../support/test-app.ts'

const ADA = 'ada@example.com'
const BOB = 'bob@example.com'
const NO_ID = 'f'.repeat(24)
const WORD = 'quagga'

interface Sender {
  call(method: string, path: string, body?: unknown): Promise<{ status: number; body: any }>
}

/**
 * A folder with a file that a list opens to Ada and hides from Bob, who may change the folder, an agent that quotes from
 * it, and what came of the file: a version, an answer, a shared chat, an evaluation.
 */
async function start(addPerson: (app: TestApp, email: string) => Promise<Sender & { key?: string }> = addMember) {
  const app = await startTestChat()
  const { succeed, owner } = app
  const drive = driveOf(app)
  const folder = await drive.newFolder('Zoo')
  const at = `/knowledge-bases/${folder}`
  const readers = { emails: [ADA] }
  const pushed = await succeed('PUT', `${at}/data-sources/by-external-id/${WORD}`, {
    title: `${WORD}.txt`,
    text: `The ${WORD} of the zoo eats hay.`,
    readers,
  })
  const file = pushed.data.id as string
  const status = async () => (await succeed('GET', `${at}/data-sources/${file}`)).data.status
  await vi.waitFor(async () => expect(await status()).toBe('successful'), { timeout: 60_000, interval: 100 })
  const agent = await app.newAgent({ model: 'builtin/extractive', knowledge_base_ids: [folder], visibility: 'public' })
  const ada = await addPerson(app, ADA)
  const bob = await addPerson(app, BOB)
  const ids: Record<string, string> = {
    workspace_id: owner.workspaceId,
    knowledge_base_id: folder,
    data_source_id: file,
    external_id: WORD,
    version: '1',
    agent_id: agent,
  }
  return { ...app, folder, at, file, agent, ada, bob, ids }
}

type Started = Awaited<ReturnType<typeof start>>

/** Operations that reach a folder's files, or one of them. */
const operationsOnFiles = (method: (method: string) => boolean): Operation[] =>
  documentedOperations().filter(
    ({ method: own, path }) =>
      method(own) && (/\{(knowledge_base_id|data_source_id)\}/.test(path) || /^\/(knowledge-bases|search)/.test(path)),
  )

function requestOf({ ids, file }: Started, { path, parameters, body, operationId }: Operation) {
  const filled = path.replaceAll(/\{(\w+)\}/g, (_, name) => ids[name] ?? NO_ID)
  const query = parameters
    .filter(
      ({ in: place, name, required }) =>
        place === 'query' && (required || name === 'recursive' || name === 'page_size'),
    )
    .map(({ name, schema }) => [
      name,
      name === 'data_source_id'
        ? file
        : name === 'query'
          ? WORD
          : name === 'recursive'
            ? 'true'
            : String(smallest(schema)),
    ])
  const search = query.length > 0 ? `?${new URLSearchParams(query as [string, string][])}` : ''
  const sent = body && {
    ...(smallest(body) as object),
    ...(operationId === 'dataSources.changeMetadata' && { data_source_ids: [file], set: { a: 'b' } }),
    ...(operationId === 'dataSources.pushed.put' && { file_id: undefined, text: 'Taken over' }),
    ...(operationId === 'dataSources.pushed.batch' && { items: [{ external_id: WORD, delete: true }] }),
    ...(operationId === 'dataSources.passageEdits.create' && { kind: 'off', ordinal: 0, text: undefined }),
  }
  return [filled + search, sent] as const
}

/** Whether an answer tells of the file: its id, its title or its text. */
const tells = ({ file }: Started, answer: unknown): boolean =>
  new RegExp(`${file}|${WORD}`).test(typeof answer === 'string' ? answer : JSON.stringify(answer ?? ''))

test('every operation that reads hides a file from who is not on its list, and shows it to who is', async () => {
  const started = await start()
  const { ada, bob } = started
  const shown: string[] = []
  const told: string[] = []
  for (const operation of operationsOnFiles((method) => method === 'GET')) {
    if (operation.operationId === 'knowledgeBases.follow') continue
    const [path] = requestOf(started, operation)
    const asked = [await ada.call('GET', path), await bob.call('GET', path)] as const
    if (asked[0].status === 200 && tells(started, asked[0].body)) shown.push(operation.operationId)
    // The id in the error of a file that is not there is what was asked for.
    if (asked[1].status === 200 && tells(started, asked[1].body)) told.push(operation.operationId)
    if (path.includes(started.file) && asked[1].status < 400) told.push(`${operation.operationId}: ${asked[1].status}`)
  }
  expect(told).toEqual([])
  // Archives are bytes in which the name of the file stands.
  expect(shown).toEqual(
    expect.arrayContaining([
      'dataSources.content',
      'dataSources.get',
      'dataSources.list',
      'dataSources.locate',
      'dataSources.pushed.get',
      'dataSources.readText',
      'knowledgeBases.search',
    ]),
  )
})

test('no operation that writes reaches a file whose list does not name who sends it', async () => {
  const started = await start()
  const { bob, ada, at, file } = started
  const before = (await ada.call('GET', `${at}/data-sources/${file}`)).body.data
  const told: string[] = []
  const writes = operationsOnFiles((method) => method !== 'GET').filter(
    ({ operationId }) => !['knowledgeBases.delete', 'knowledgeBases.update'].includes(operationId),
  )
  expect(writes.length).toBeGreaterThan(10)
  for (const operation of writes) {
    const [path, body] = requestOf(started, operation)
    const reply = await bob.call(operation.method, path, body)
    if (reply.status >= 500 || reply.body?.error_code === 'VALIDATION_ERROR')
      told.push(`${operation.operationId} was not tried: ${JSON.stringify(reply.body)}`)
    if (reply.status === 200 && path.includes(`/${file}`)) told.push(operation.operationId)
  }
  expect(told).toEqual([])
  expect((await ada.call('GET', `${at}/data-sources/${file}`)).body.data).toEqual(before)
})

test('answers, citations, shared chats, exports and evaluation hide it at once', async () => {
  // Chats are shared by people, and not by keys.
  const started = await start((app, email) => join(app, { email, role: 'member', isInvitedByEmail: true }))
  const { ada, bob, agent, at, file, succeed, owner } = started
  const ask = async (as: Sender) => {
    const chat = `/agents/${agent}/chats/${(await as.call('POST', `/agents/${agent}/chats`, {})).body.data.chat.id}`
    const { body } = await as.call('POST', `${chat}/query`, { query: `What does the ${WORD} eat?` })
    return { chat, id: body.data.message_id as string }
  }
  const citations = async (as: Sender, path: string) => JSON.stringify((await as.call('GET', path)).body)
  const { chat, id } = await ask(ada)
  const paths = [
    `${chat}/message/${id}`,
    `${chat}/messages`,
    `${chat}/message/${id}/events`,
    `${chat}/message/${id}/retrieval`,
    `${chat}/export?format=json`,
  ]
  for (const path of paths) expect(await citations(ada, path), path).toContain(file)
  const share = (await ada.call('PUT', `${chat}/share`, {})).body.data
  const of = await ask(bob)
  expect(await citations(bob, `${of.chat}/messages`)).not.toContain(file)
  expect(await citations(bob, `${of.chat}/message/${of.id}/retrieval`)).not.toContain(file)
  expect(await citations(ada, `/shared-chats/${share.id}`)).toContain(file)
  expect(await citations(bob, `/shared-chats/${share.id}`)).not.toContain(file)
  const cases = [{ question: `What does the ${WORD} eat?`, expected_files: [{ data_source_id: file }] }]
  await succeed('PUT', `/agents/${agent}/grants`, {
    grants: [{ kind: 'workspace', id: owner.workspaceId, level: 'edit' }],
  })
  const set = (as: Sender) => as.call('POST', `/agents/${agent}/evaluation-sets`, { name: crypto.randomUUID(), cases })
  expect((await set(ada)).status).toBe(200)
  expect(JSON.stringify((await set(bob)).body)).toContain('is no file in the folders of this agent')
  await succeed('PUT', `${at}/data-sources/${file}/readers`, { readers: { emails: [] } })
  for (const path of paths) expect(await citations(ada, path), path).not.toContain(file)
})

test('those who follow the folder hear nothing of it', async () => {
  const { at, url, ada, bob, succeed } = await start()
  const heard = await Promise.all(
    [ada, bob].map((one) => beginEvents(`${url}/v1${at}/events`, { 'x-api-key': one.key! })),
  )
  await succeed('PUT', `${at}/data-sources/by-external-id/${WORD}-2`, {
    title: 'second.txt',
    text: 'Another one.',
    readers: { emails: [ADA] },
  })
  await succeed('PUT', `${at}/data-sources/by-external-id/last`, { title: 'last.txt', text: 'The last one.' })
  for (const one of heard) await expect.poll(() => one.text(), { timeout: 30_000 }).toContain('last.txt')
  expect(heard[0]!.text()).toContain('second.txt')
  expect(heard[1]!.text()).not.toContain('second.txt')
  for (const one of heard) await one.end()
})
