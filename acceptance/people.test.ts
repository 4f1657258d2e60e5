import { beforeAll, expect, test } from 'vitest'
import { everyRow } from '../server/tests/support/every-row.ts'
import { api, dataOf, expectError } from './support/api.ts'
import { newConversation, whoAmI } from './support/make.ts'
import { freshId, malformedIds, uniqueEmail } from './support/values.ts'

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
