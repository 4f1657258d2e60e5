import { expect, test } from 'vitest'
import { join } from '../support/access/people.ts'
import { startTestChat } from '../support/chats/chat.ts'
import { driveOf, UNKNOWN_ID } from '../support/drive/drive.ts'
import { shareTestApps } from '../support/test-app.ts'

shareTestApps()

const KB = '/knowledge-bases'

async function start() {
  const app = await startTestChat()
  const drive = driveOf(app)
  const people = `/workspaces/${app.owner.workspaceId}/virtual-users`
  const newPerson = async (email: string): Promise<string> => (await app.succeed('POST', people, { email })).data.id
  const grantsOf = async (id: string) => (await app.succeed('GET', `${people}/${id}/grants`)).data
  const grant = (id: string, ids: string[] | null) =>
    app.call('PUT', `${people}/${id}/grants`, { knowledge_base_ids: ids })
  return { ...app, ...drive, people, newPerson, grantsOf, grant }
}

test('grants are listed as they were set, with names, and stand in the audit log', async () => {
  const { newFolder, newPerson, grantsOf, grant, succeed, people } = await start()
  const [a, b] = [await newFolder('B folder'), await newFolder('A folder')]
  const ada = await newPerson('ada@example.com')
  expect(await grantsOf(ada)).toEqual({ knowledge_base_ids: null, knowledge_bases: null })
  const set = await grant(ada, [a, b, a])
  const named = [
    { id: b, name: 'A folder' },
    { id: a, name: 'B folder' },
  ]
  expect(set.body.data).toEqual({ knowledge_base_ids: [b, a], knowledge_bases: named })
  expect(await grantsOf(ada)).toEqual(set.body.data)
  expect((await grant(ada, [])).body.data).toEqual({ knowledge_base_ids: [], knowledge_bases: [] })
  expect((await grant(ada, null)).body.data.knowledge_base_ids).toBeNull()
  const { entries } = (
    await succeed('GET', `${people.replace('virtual-users', 'audit-log')}?action=virtual_user.grants_changed`)
  ).data
  expect(entries[2]).toMatchObject({ target: { id: ada }, details: { knowledge_base_ids: [a, b, a] } })
})

test('a folder that is not there, somebody else, and a body without the field are refused', async () => {
  const app = await start()
  const { newPerson, grant, grantsOf, call, people } = app
  const ada = await newPerson('ada@example.com')
  expect(await grant(ada, [UNKNOWN_ID])).toMatchObject({
    status: 404,
    body: { error_code: 'KNOWLEDGE_BASE_NOT_FOUND' },
  })
  expect(await grant(UNKNOWN_ID, [])).toMatchObject({ status: 404, body: { error_code: 'VIRTUAL_USER_NOT_FOUND' } })
  expect(await call('PUT', `${people}/${ada}/grants`, {})).toMatchObject({ status: 422 })
  expect((await grantsOf(ada)).knowledge_base_ids).toBeNull()
  const member = await join(app, { email: 'bob@example.com', role: 'member' })
  expect((await member.call('PUT', `${people}/${ada}/grants`, { knowledge_base_ids: null })).status).toBe(403)
})

test('who was granted a folder that is gone reads nothing, and not all', async () => {
  const { newFolder, newPerson, grantsOf, grant, succeed, services, owner } = await start()
  const folder = await newFolder('Going')
  const ada = await newPerson('ada@example.com')
  await grant(ada, [folder])
  await succeed('DELETE', `${KB}/${folder}`)
  expect(await grantsOf(ada)).toEqual({ knowledge_base_ids: [], knowledge_bases: [] })
  const reader = { ...owner, rightsHolderId: null, virtualUserId: ada }
  const other = await newFolder('Other')
  const read = await services.folders.list(reader, { scope: 'all' } as never)
  expect(read.own).toEqual([])
  await expect(async () => services.folders.get(reader, other)).rejects.toThrow('knowledge base')
})

test('a removed person who comes back has their grants; those of one who is erased are gone', async () => {
  const { newFolder, newPerson, grantsOf, grant, succeed, people, services } = await start()
  const folder = await newFolder('Hers')
  const ada = await newPerson('ada@example.com')
  await grant(ada, [folder])
  await succeed('DELETE', `${people}/${ada}`)
  expect(await newPerson('ada@example.com')).toBe(ada)
  expect((await grantsOf(ada)).knowledge_base_ids).toEqual([folder])
  await succeed('POST', `${people}/${ada}/erase`)
  const { db } = services
  expect(await db.selectFrom('access_grant').selectAll().where('subject_id', '=', ada).execute()).toEqual([])
})

test('a person into whom another is merged keeps their grants, or gets those of the other', async () => {
  const { newFolder, newPerson, grantsOf, grant, succeed, people } = await start()
  const [a, b] = [await newFolder('A'), await newFolder('B')]
  const [ada, old, none] = [
    await newPerson('ada@example.com'),
    await newPerson('old@example.com'),
    await newPerson('none@example.com'),
  ]
  await grant(ada, [a])
  await grant(old, [b])
  await succeed('POST', `${people}/${old}/merge`, { into_virtual_user_id: ada })
  expect((await grantsOf(ada)).knowledge_base_ids).toEqual([a])
  await succeed('POST', `${people}/${ada}/merge`, { into_virtual_user_id: none })
  expect((await grantsOf(none)).knowledge_base_ids).toEqual([a])
})

test('what was said before a folder was moved out of what a person was granted is not shown after it', async () => {
  const { newFolder, newPerson, grant, succeed, newChat, ask, model } = await start()
  const [granted, other] = [await newFolder('Granted'), await newFolder('Other')]
  const [inner, second] = [await newFolder('Inner', granted), await newFolder('Second', granted)]
  const ada = await newPerson('ada@example.com')
  await grant(ada, [granted])
  const path = await newChat()
  async function told(query: string): Promise<string> {
    await ask(query, { virtual_user_email: 'ada@example.com' }, path)
    return JSON.stringify(model.requests.findLast((request) => JSON.stringify(request).includes(query)))
  }
  await told('The vault opens with heron.')
  await succeed('PATCH', `${KB}/${inner}`, { parent_kb_id: second })
  expect(await told('And after a move within?')).toContain('heron')
  await succeed('PATCH', `${KB}/${inner}`, { parent_kb_id: other })
  expect(await told('And now?')).not.toContain('heron')
  expect(await told('And then?')).toContain('And now?')
})
