import { beforeAll, expect, test } from 'vitest'
import { everyRow } from '../../server/tests/support/every-row.ts'
import { api, dataOf, expectError } from '../support/api.ts'
import { newConversation, whoAmI } from '../support/make.ts'
import { freshId, malformedIds, uniqueEmail } from '../support/values.ts'

let path: string
beforeAll(async () => {
  path = `/workspaces/${(await whoAmI()).workspace.id}/virtual-users`
})

async function personWhoAsked() {
  const virtual_user_email = uniqueEmail()
  const talk = await newConversation()
  const { message_id } = await talk.answer('say x', { virtual_user_email })
  const { virtual_users } = dataOf(await api.get(`${path}?email=${encodeURIComponent(virtual_user_email)}`))
  return { person: virtual_users[0], talk, message_id }
}

test('the chats of a person are those in which they asked', async () => {
  const { person, talk } = await personWhoAsked()
  const data = dataOf(await api.get(`${path}/${person.id}/chats`))
  expect([data.total, data.chats.map(({ id }: any) => id)]).toEqual([1, [talk.chat.id]])
})

test('the usage of a person is had', async () => {
  const { person } = await personWhoAsked()
  expect(JSON.stringify(dataOf(await api.get(`${path}/${person.id}/usage`)))).toMatch(/"\w*messages\w*":1\b/)
})

test('erasing a person removes what they left, and says what', async () => {
  const { person, talk, message_id } = await personWhoAsked()
  expect(dataOf(await api.post(`${path}/${person.id}/erase`))).toMatchObject({ erased: true, messages_deleted: 1 })
  expectError(await api.get(`${path}/${person.id}`), 404, 'VIRTUAL_USER_NOT_FOUND')
  expect((await api.get(`${talk.path}/message/${message_id}`)).status).toBe(404)
})

test('deleting a person keeps their chats', async () => {
  const { person, talk, message_id } = await personWhoAsked()
  await api.delete(`${path}/${person.id}`)
  expect((await talk.message(message_id)).query).toBe('say x')
  const query = `?virtual_user_email=${encodeURIComponent(person.email)}`
  const { chats } = dataOf(await api.get(`/agents/${talk.agent.id}/chats${query}`))
  expect(chats.map(({ id }: any) => id)).toEqual([talk.chat.id])
})

const merge = (id: string, into_virtual_user_id: unknown) => api.post(`${path}/${id}/merge`, { into_virtual_user_id })
const personBy = async (email: string) =>
  dataOf(await api.get(`${path}?email=${encodeURIComponent(email)}`)).virtual_users

test('a person who is merged leaves chats, usage and the e-mail to the other one', async () => {
  const old = await personWhoAsked()
  const now = await personWhoAsked()
  expect(dataOf(await merge(old.person.id, now.person.id))).toEqual({
    merged: true,
    messages_moved: 1,
    memories_moved: 0,
  })
  expectError(await api.get(`${path}/${old.person.id}`), 404, 'VIRTUAL_USER_NOT_FOUND')
  const { chats } = dataOf(await api.get(`${path}/${now.person.id}/chats`))
  expect(new Set(chats.map(({ id }: any) => id))).toEqual(new Set([old.talk.chat.id, now.talk.chat.id]))
  expect(dataOf(await api.get(`${path}/${now.person.id}/usage`)).messages).toBe(2)
  const report = await api.get(
    `/workspaces/${(await whoAmI()).workspace.id}/usage?group_by=virtual_user&virtual_user_email=${encodeURIComponent(now.person.email)}`,
  )
  expect(dataOf(report).usage).toMatchObject([{ virtual_user_id: now.person.id, messages: 2 }])

  const talk = await newConversation()
  await talk.answer('say x', { virtual_user_email: old.person.email })
  expect(dataOf(await api.get(`${path}/${now.person.id}/chats`)).total).toBe(3)
  expect(await personBy(old.person.email)).toEqual([])
  expect(dataOf(await api.post(path, { email: old.person.email })).id).toBe(now.person.id)
})

test('people are merged one after the other, and the last one has all', async () => {
  const people = [await personWhoAsked(), await personWhoAsked(), await personWhoAsked()]
  const [first, second, third] = people.map(({ person }) => person)
  await merge(first.id, second.id)
  await merge(second.id, third.id)
  expect(dataOf(await api.get(`${path}/${third.id}/usage`)).messages).toBe(3)
  expect(dataOf(await api.post(path, { email: first.email })).id).toBe(third.id)
})

test('wrong merges are refused, and nothing is moved', async () => {
  const { person } = await personWhoAsked()
  expectError(await merge(person.id, person.id), 409, 'SAME_VIRTUAL_USER')
  expectError(await merge(person.id, freshId()), 404, 'VIRTUAL_USER_NOT_FOUND')
  expectError(await merge(freshId(), person.id), 404, 'VIRTUAL_USER_NOT_FOUND')
  await everyRow([['no one', undefined], ['a number', 1], ...malformedIds], async (_, into) =>
    expectError(await merge(person.id, into), 422, 'VALIDATION_ERROR'),
  )
  const other = await personWhoAsked()
  await api.delete(`${path}/${other.person.id}`)
  expectError(await merge(person.id, other.person.id), 404, 'VIRTUAL_USER_NOT_FOUND')
  expect(dataOf(await api.get(`${path}/${person.id}/usage`)).messages).toBe(1)
})

test('every endpoint of a person answers an unknown id with 404, a malformed one with 422', () =>
  everyRow(
    [
      ['get', 'chats'],
      ['get', 'usage'],
      ['post', 'erase'],
    ] as const,
    async (method, what) => {
      expectError(await api[method](`${path}/${freshId()}/${what}`), 404, 'VIRTUAL_USER_NOT_FOUND')
      for (const [, id] of malformedIds)
        expectError(await api[method](`${path}/${id}/${what}`), 422, 'VALIDATION_ERROR')
    },
  ))
