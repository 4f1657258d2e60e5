import { expect, test, vi } from 'vitest'
import { folderGrants } from '../../support/access/grants.ts'
import { join } from '../../support/access/people.ts'
import { driveOf } from '../../support/drive/drive.ts'
import { everyRow } from '../../support/every-row.ts'
import { shareTestApps, startTestApp } from '../../support/test-app.ts'

shareTestApps()

const KB = '/knowledge-bases'
const NOT_FOUND = { status: 404 }

type Person = Awaited<ReturnType<typeof join>>

/** Board / Pay / Public, Board / Plans, and Open beside it; Ada and Bob are members, Cleo is an admin. */
async function start() {
  const app = await startTestApp()
  const drive = driveOf(app)
  const board = await drive.newFolder('Board')
  const pay = await drive.newFolder('Pay', board)
  const open = await drive.newFolder('Public', pay)
  const plans = await drive.newFolder('Plans', board)
  const other = await drive.newFolder('Open')
  const [ada, bob, cleo] = [
    await join(app, { email: 'ada@example.com', role: 'member' }),
    await join(app, { email: 'bob@example.com', role: 'member' }),
    await join(app, { email: 'cleo@example.com', role: 'admin' }),
  ]
  const grantsOf = (grants: Parameters<typeof folderGrants>[1]) => folderGrants(app.owner.workspaceId, grants)
  const set = (folder: string, grants: Parameters<typeof grantsOf>[0]) =>
    app.call('PUT', `${KB}/${folder}/grants`, grantsOf(grants))
  const file = (await drive.addFile(pay, {
    title: 'salaries.txt',
    content: 'The salary of the captain is nine.',
  })) as string
  return { ...drive, app, set, grantsOf, ada, bob, cleo, board, pay, open, plans, other, file }
}

const statusOf = async (as: { call(method: string, path: string): Promise<{ status: number }> }, folder: string) =>
  (await as.call('GET', `${KB}/${folder}`)).status
const namesIn = async (as: Pick<Person, 'call'>, parent?: string) => {
  const { body } = await as.call('GET', `${KB}${parent ? `?parent_kb_id=${parent}` : ''}`)
  return body.data.org_knowledge_bases.map(({ name }: { name: string }) => name)
}

test('the nearest folder with an entry decides: none hides all below, a folder below may be opened again', async () => {
  const { set, ada, bob, cleo, board, pay, open, plans, other } = await start()
  const all = [board, pay, open, plans, other]
  const seenBy = async (as: Person) => Promise.all(all.map((folder) => statusOf(as, folder)))
  expect(await seenBy(ada)).toEqual([200, 200, 200, 200, 200])
  expect((await set(pay, { everyone: 'none' })).status).toBe(200)
  expect(await seenBy(ada)).toEqual([200, 404, 404, 200, 200])
  expect(await seenBy(cleo)).toEqual([200, 200, 200, 200, 200])
  await set(open, { everyone: 'read' })
  expect(await seenBy(ada)).toEqual([200, 404, 200, 200, 200])
  // Below what may not be read, a folder that may is at the root.
  expect(await namesIn(ada)).toEqual(['Board', 'Open', 'Public'])
  expect((await ada.call('GET', `${KB}/${open}`)).body.data).toMatchObject({ parent_kb_id: null })
  expect(await namesIn(ada, board)).toEqual(['Plans'])
  expect((await ada.call('GET', `${KB}/${board}?include_counts=true`)).body.data).toMatchObject({
    child_folders_count: 1,
  })
  const { org_knowledge_bases } = (await ada.call('GET', `${KB}?include_counts=true`)).body.data
  expect(org_knowledge_bases[0]).toMatchObject({ name: 'Board', child_folders_count: 1 })
  await set(pay, { everyone: 'none', members: [{ id: bob.memberId, level: 'write' }] })
  expect(await seenBy(bob)).toEqual([200, 200, 200, 200, 200])
  expect((await bob.call('PATCH', `${KB}/${pay}`, { user_defined_tags: ['mine'] })).status).toBe(200)
  expect((await bob.call('PATCH', `${KB}/${open}`, { user_defined_tags: ['mine'] })).status).toBe(403)
})

test('a folder that is moved has the rights of where it lies from then on', async () => {
  const { succeed, set, ada, pay, open, plans, other } = await start()
  await set(pay, { everyone: 'none' })
  const place = (folder: string, parent: string) => succeed('PATCH', `${KB}/${folder}`, { parent_kb_id: parent })
  // All places have been looked at before.
  expect([await statusOf(ada, open), await statusOf(ada, plans)]).toEqual([404, 200])
  await place(open, other)
  await place(plans, pay)
  expect([await statusOf(ada, open), await statusOf(ada, plans)]).toEqual([200, 404])
  expect(await namesIn(ada, other)).toEqual(['Public'])
  await place(other, pay)
  expect(await statusOf(ada, open)).toBe(404)
  await set(open, { everyone: 'read' })
  expect(await namesIn(ada)).toEqual(['Board', 'Public'])
})

test('of several entries at one folder the widest counts, whoever it is to', async () => {
  const { app, set, ada, pay } = await start()
  const group = async (name: string) => (await app.call('POST', '/groups', { name })).body.data.id as string
  const [crew, office] = [await group('Crew'), await group('Office')]
  await app.call('PATCH', `/members/${ada.memberId}`, { group_ids: [crew, office] })
  const change = async () => (await ada.call('PATCH', `${KB}/${pay}`, { user_defined_tags: [] })).status
  const groups = [
    { id: crew, level: 'none' },
    { id: office, level: 'read' },
  ]
  await set(pay, { everyone: 'none', groups })
  expect([await statusOf(ada, pay), await change()]).toEqual([200, 403])
  await set(pay, { everyone: 'write', groups, members: [{ id: ada.memberId, level: 'none' }] })
  expect(await change()).toBe(200)
  await set(pay, { everyone: 'none', groups, members: [{ id: ada.memberId, level: 'write' }] })
  expect(await change()).toBe(200)
  // Leaving a group, and the end of one, count at once.
  await set(pay, { everyone: 'none', groups: [{ id: office, level: 'read' }] })
  expect(await statusOf(ada, pay)).toBe(200)
  await app.call('DELETE', `/groups/${office}`)
  expect(await statusOf(ada, pay)).toBe(404)
  await app.call('PATCH', `/members/${ada.memberId}`, { role: 'admin' })
  expect(await statusOf(ada, pay)).toBe(200)
})

test('what may not be read answers every operation as what does not exist', async () => {
  const { app, set, grantsOf, ada, board, pay, open, other, file, addFile } = await start()
  const mine = await addFile(other, { title: 'mine.txt' })
  const integration = await app.call('POST', '/integrations', {
    kind: 'directory',
    knowledge_base_name: 'Linked',
    config: { path: '/nowhere' },
  })
  expect([200, 400]).toContain(integration.status)
  await set(pay, { everyone: 'none' })
  const at = `${KB}/${pay}`
  const [one, unknown] = [`${at}/data-sources/${file}`, `${KB}/${'f'.repeat(24)}`]
  const rows: [method: string, path: string, body?: unknown][] = [
    ['GET', at],
    ['GET', `${KB}?parent_kb_id=${pay}`],
    ['PATCH', at, { knowledge_base_name: 'x' }],
    ['DELETE', at],
    ['POST', KB, { knowledge_base_name: 'x', parent_kb_id: pay }],
    ['PATCH', `${KB}/${other}`, { parent_kb_id: pay }],
    ['GET', `${at}/data-sources`],
    ['GET', `${at}/data-sources?recursive=true`],
    ['GET', one],
    ['PATCH', one, { data_source_title: 'x' }],
    ['PATCH', `${KB}/${other}/data-sources/${mine}`, { knowledge_base_id: pay }],
    ['GET', `${one}/content`],
    ['GET', `${one}/text`],
    ['GET', `/data-sources/${file}`],
    ['GET', `${at}/data-sources/actions/download?data_source_id=${file}`],
    ['GET', `${at}/actions/download`],
    ['DELETE', `${at}/data-sources?data_source_id=${file}`],
    ['POST', `${at}/data-sources/actions/index?data_source_id=${file}`],
    ['GET', `${at}/search?query=salary`],
    ['GET', `${at}/shares`],
    ['POST', `${at}/shares`, { organization_id: 'f'.repeat(24) }],
    ['DELETE', `${at}/shares/${'f'.repeat(24)}`],
    ['GET', `${at}/grants`],
    ['PUT', `${at}/grants`, grantsOf({ everyone: 'manage' })],
    ['POST', '/agents', { name: 'Spy', knowledge_base_ids: [pay] }],
    [
      'POST',
      '/integrations',
      { kind: 'directory', knowledge_base_name: 'x', parent_kb_id: pay, config: { path: '/tmp' } },
    ],
  ]
  await everyRow(
    rows.map(([method, path, body]) => ({ name: `${method} ${path.replaceAll(pay, 'PAY')}`, method, path, body })),
    async ({ method, path, body }) => {
      const reply = await ada.call(method, path, body)
      if (path === '/integrations') return expect([400, 404]).toContain(reply.status)
      expect(reply).toMatchObject(NOT_FOUND)
      const twin = await ada.call(method, path.replaceAll(pay, 'f'.repeat(24)), body)
      if (!path.includes(pay)) return
      expect(reply.body.error_code).toBe(twin.body.error_code)
      expect(reply.body.message).toBe(twin.body.message)
    },
  )
  expect(await statusOf(ada, unknown.slice(KB.length + 1))).toBe(404)
  // Above it, it is in no list, and cannot be deleted or moved along.
  const listed = (await ada.call('GET', `${KB}/${board}/data-sources?recursive=true`)).body.data
  expect(JSON.stringify(listed)).not.toContain('salaries')
  expect(listed.query_info.folders_queried).toBe(2)
  expect((await ada.call('DELETE', `${KB}/${board}`)).status).toBe(403)
  expect((await ada.call('PATCH', `${KB}/${board}`, { parent_kb_id: other })).status).toBe(403)
  expect((await ada.call('PATCH', `${KB}/${board}`, { knowledge_base_name: 'Table' })).status).toBe(200)
  expect((await app.call('GET', `${KB}/${open}`)).status).toBe(200)
})

test('to read is not to write, to write is not to manage, and who manages says who may what', async () => {
  const { set, grantsOf, ada, bob, plans, pay, addFile } = await start()
  const one = await addFile(plans, { title: 'plan.txt' })
  await set(plans, { everyone: 'read', members: [{ id: bob.memberId, level: 'manage' }] })
  const at = `${KB}/${plans}`
  expect((await ada.call('GET', `${at}/data-sources/${one}`)).status).toBe(200)
  const changes: [string, string, unknown?][] = [
    ['PATCH', at, { knowledge_base_name: 'x' }],
    ['DELETE', at],
    ['POST', KB, { knowledge_base_name: 'x', parent_kb_id: plans }],
    ['DELETE', `${at}/data-sources?data_source_id=${one}`],
    ['POST', `${at}/data-sources/actions/index?data_source_id=${one}`],
    ['PATCH', `${at}/data-sources/${one}`, { data_source_title: 'x' }],
    ['POST', `${at}/shares`, { organization_id: 'f'.repeat(24) }],
    ['PUT', `${at}/grants`, { grants: [] }],
  ]
  for (const [method, path, body] of changes) {
    expect(await ada.call(method, path, body), `${method} ${path}`).toMatchObject({ status: 403 })
  }
  expect(
    (
      await bob.call(
        'PUT',
        `${at}/grants`,
        grantsOf({ everyone: 'none', members: [{ id: bob.memberId, level: 'manage' }] }),
      )
    ).status,
  ).toBe(200)
  expect((await ada.call('GET', at)).status).toBe(404)
  // Without an entry a member changes folders, as ever, and does not say who may.
  expect((await bob.call('GET', `${KB}/${pay}/grants`)).body.data.can_change).toBe(false)
  expect((await bob.call('PATCH', `${KB}/${pay}`, { user_defined_tags: [] })).status).toBe(200)
})

test('those who do not manage a folder are told their own right, why, and who manages it', async () => {
  const { set, ada, bob, cleo, board, pay } = await start()
  await set(board, { everyone: 'read', members: [{ id: bob.memberId, level: 'manage' }] })
  await set(pay, { everyone: 'none', members: [{ id: ada.memberId, level: 'read' }] })
  const told = async (as: typeof ada, folder: string) => (await as.call('GET', `${KB}/${folder}/grants`)).body
  expect((await told(ada, board)).data).toEqual({
    can_change: false,
    grants: [],
    inherited: [],
    people: [
      expect.objectContaining({ id: ada.memberId, level: 'read', because: 'workspace', knowledge_base_id: board }),
      expect.objectContaining({ id: bob.memberId, level: 'manage', because: 'member' }),
      expect.objectContaining({ id: cleo.memberId, level: 'manage', because: 'role' }),
    ],
    people_total: 3,
  })
  expect((await told(ada, pay)).data.people).toMatchObject([{ name: 'ada', level: 'read' }, { name: 'cleo' }])
  expect((await told(bob, pay)).error_code).toBe('KNOWLEDGE_BASE_NOT_FOUND')
  expect((await told(bob, board)).data).toMatchObject({ can_change: true, people_total: 3 })
})

test('who may do what is shown, and why, and who changed it', async () => {
  const { app, set, ada, bob, cleo, board, pay } = await start()
  await set(board, { everyone: 'read' })
  const told = await set(pay, { members: [{ id: ada.memberId, level: 'none' }] })
  expect(told.body.data).toMatchObject({
    grants: [{ kind: 'member', id: ada.memberId, name: 'ada', level: 'none' }],
    inherited: [{ kind: 'workspace', level: 'read', knowledge_base_id: board, knowledge_base_name: 'Board' }],
    people: [
      { name: 'ada', level: 'none', because: 'member', knowledge_base_id: pay },
      { name: 'bob', level: 'read', because: 'workspace', knowledge_base_id: board },
      { name: 'cleo', level: 'manage', because: 'role', knowledge_base_id: null },
    ],
    people_total: 3,
  })
  expect([bob.memberId, cleo.memberId]).not.toContain(ada.memberId)
  const log = await app.call(
    'GET',
    `/workspaces/${app.owner.workspaceId}/audit-log?action=knowledge_base.access_changed`,
  )
  expect(log.body.data.entries.map(({ target }: any) => target.id)).toEqual([pay, board])
  const wrong = await set(pay, { groups: [{ id: 'f'.repeat(24), level: 'read' }] })
  expect(wrong).toMatchObject({ status: 400, body: { error_code: 'VALIDATION_ERROR' } })
  expect((await app.call('GET', `${KB}/${pay}/grants`)).body.data.grants).toHaveLength(1)
})

test('a personal key has the rights of its member, a key of the role member those of everyone, others all', async () => {
  const { app, set, ada, board, pay, open } = await start()
  const { key: personal } = (await ada.call('POST', '/account/api-keys', { name: 'Mine' })).body.data
  const keys = `/workspaces/${app.owner.workspaceId}/api-keys`
  const fields = { name: 'Program', role: 'member', permissions: ['create_knowledgebase'] }
  const { key: plain } = (await app.call('POST', keys, fields)).body.data
  const statusAs = async (key: string, folder: string) =>
    (await app.call('GET', `${KB}/${folder}`, undefined, { key })).status
  const seen = async () => [await statusAs(personal, pay), await statusAs(plain, pay), await statusOf(app, pay)]
  expect(await seen()).toEqual([200, 200, 200])
  await set(pay, { everyone: 'none' })
  expect(await seen()).toEqual([404, 404, 200])
  // A grant to somebody else says nothing to keys, one to everyone below opens it for them, too.
  await set(pay, { everyone: 'none', members: [{ id: ada.memberId, level: 'read' }] })
  await set(open, { everyone: 'read' })
  expect(await seen()).toEqual([200, 404, 200])
  expect(await statusAs(plain, open)).toBe(200)
  const change = (folder: string) =>
    app.call('PATCH', `${KB}/${folder}`, { user_defined_tags: ['x'] }, { key: plain }).then(({ status }) => status)
  expect([await change(open), await change(board)]).toEqual([403, 200])
})

test('bad grants are refused with what to change, and nothing of them is kept', async () => {
  const { app, set, ada, pay } = await start()
  const id = ada.memberId
  const other = 'f'.repeat(24)
  const rows: [name: string, grants: unknown, path: string][] = [
    ['unknown member', [{ kind: 'member', id: other, level: 'read' }], 'grants.0.id'],
    ['another workspace', [{ kind: 'workspace', id: other, level: 'read' }], 'grants.0.id'],
    [
      'twice',
      [
        { kind: 'member', id, level: 'read' },
        { kind: 'member', id, level: 'none' },
      ],
      'grants.1',
    ],
    ['level', [{ kind: 'member', id, level: 'use' }], 'grants.0.level'],
    ['kind', [{ kind: 'everyone', id, level: 'read' }], 'grants.0.kind'],
    ['none', undefined, 'grants'],
  ]
  await set(pay, { members: [{ id, level: 'read' }] })
  await everyRow(
    rows.map(([name, grants, path]) => ({ name, grants, path })),
    async ({ grants, path }) => {
      const { status, body } = await app.call('PUT', `${KB}/${pay}/grants`, { grants })
      expect([status, body.error_code, body.details.map((one: any) => one.path)]).toEqual([
        400,
        'VALIDATION_ERROR',
        [path],
      ])
    },
  )
  const elsewhere = { grants: [{ kind: 'workspace', id: other, level: 'read' }] }
  const { body } = await app.call('PUT', `${KB}/${pay}/grants`, elsewhere)
  expect(body.message).toContain(`must be the id of this workspace, ${app.owner.workspaceId}`)
  expect((await app.call('GET', `${KB}/${pay}/grants`)).body.data.grants).toEqual([
    { kind: 'member', id, name: 'ada', level: 'read' },
  ])
})

test('a search below a folder finds nothing that may not be read, and what may be read below that', async () => {
  const { set, ada, board, pay, open, addFile, succeed } = await start()
  for (const [folder, word] of [
    [board, 'harbour'],
    [pay, 'treasure'],
    [open, 'lighthouse'],
  ] as const)
    await indexed(
      succeed,
      folder,
      await addFile(folder, { title: `${word}.txt`, content: `The ${word} is old.`, index: true }),
    )
  const found = async (as: Pick<Person, 'call'>) => {
    const { body } = await as.call('GET', `${KB}/${board}/search?query=harbour%20treasure%20lighthouse%20old`)
    return body.data.results.map(({ title }: { title: string }) => title).sort()
  }
  expect(await found(ada)).toEqual(['harbour.txt', 'lighthouse.txt', 'treasure.txt'])
  await set(pay, { everyone: 'none' })
  expect(await found(ada)).toEqual(['harbour.txt'])
  await set(open, { everyone: 'read' })
  expect(await found(ada)).toEqual(['harbour.txt', 'lighthouse.txt'])
})

async function indexed(succeed: any, folder: string, file: string): Promise<void> {
  const path = `${KB}/${folder}/data-sources/${file}`
  await vi.waitFor(async () => expect((await succeed('GET', path)).data).toMatchObject({ status: 'successful' }), {
    timeout: 30_000,
    interval: 50,
  })
}
