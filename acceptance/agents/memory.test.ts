import { beforeAll, describe, expect, test } from 'vitest'
import { api, dataOf, expectError, other } from '../support/api.ts'
import { conversationWith, makeAgent, newConversation, whoAmI } from '../support/make.ts'
import { scripted, testOfTwo } from '../support/tests.ts'
import { anId, aTime, freshId, malformedIds, unique, uniqueEmail } from '../support/values.ts'
import { until } from '../support/wait.ts'

/** Messages sent to the model with the question `echo`, which leaves nothing behind in the chat. */
async function seenBy(talk: Awaited<ReturnType<typeof newConversation>>, fields: object = {}) {
  const { text, message_id } = await talk.answer('echo', fields)
  await api.delete(`${talk.path}/message/${message_id}`)
  return JSON.parse(text).messages as { role: string; content: string }[]
}

describe('the memory of a chat', () => {
  scripted('holds its turns, oldest first, and not those of another chat', async () => {
    const talk = await newConversation()
    await talk.answer('say First heron')
    await talk.answer('say Second heron')
    await (await conversationWith(talk.agent)).answer('say Stork')
    const [, ...turns] = await seenBy(talk)
    expect(turns.map(({ role, content }) => `${role}: ${content}`)).toEqual([
      'user: say First heron',
      expect.stringMatching(/^assistant: ?First heron$/),
      'user: say Second heron',
      expect.stringMatching(/^assistant: ?Second heron$/),
      'user: echo',
    ])
  })

  scripted(
    'keeps the gist of a long chat, and nothing of what is deleted',
    async () => {
      const talk = await newConversation()
      const [first, second, word] = [unique('heron'), unique('stork'), unique('crane')]
      const { message_id } = await talk.answer(`say ${first}`)
      await talk.answer(`say ${second}`)
      // Enough to be summed up again when one is gone.
      for (let turn = 0; turn < 36; turn++) await talk.answer(`say ${word}`)
      const hasGist = async () => {
        const seen = await seenBy(talk)
        const isSummedUp = !seen.some(({ content }) => content === `say ${second}`)
        return isSummedUp && JSON.stringify(seen).includes(second) && seen
      }
      expect(JSON.stringify(await until('older turns are summed up', hasGist))).toContain(first)
      await api.delete(`${talk.path}/message/${message_id}`)
      expect(JSON.stringify(await seenBy(talk))).not.toContain(first)
      expect(JSON.stringify(await until('they are summed up anew', hasGist))).not.toContain(first)
    },
    60_000,
  )
})

describe('what an agent remembers of a person', () => {
  let workspace: string
  beforeAll(async () => {
    workspace = `/workspaces/${(await whoAmI()).workspace.id}/virtual-users`
  })

  /** An agent to which a person has said something about themselves. */
  async function told() {
    const agent = await makeAgent({ tools: ['remember'] })
    const person = { virtual_user_email: uniqueEmail() }
    const text = `Likes ${unique('herons')}.`
    const talk = await conversationWith(agent)
    const call = `call remember ${JSON.stringify({ action: 'save', text, topic: 'birds' })}\nsay Noted.`
    const { message_id } = await talk.answer(call, person)
    const query = `?email=${encodeURIComponent(person.virtual_user_email)}`
    const [{ id }] = dataOf(await api.get(`${workspace}${query}`)).virtual_users
    const path = `${workspace}/${id}`
    return {
      agent,
      person,
      text,
      message_id,
      path,
      memories: async () => dataOf(await api.get(`${path}/memories`)).memories,
      /** The prompt of a chat that begins. */
      prompt: async (fields: object = person, of = agent) =>
        (await seenBy(await conversationWith(of), fields))[0]!.content,
    }
  }

  scripted('is in the prompt of their next chat, and in nobody else’s', async () => {
    const { text, prompt } = await told()
    expect(await prompt()).toContain(`birds: ${text}`)
    expect(await prompt({ virtual_user_email: uniqueEmail() })).not.toContain(text)
    expect(await prompt({})).not.toContain(text)
    expect(await prompt(undefined, await makeAgent({ tools: ['remember'] }))).not.toContain(text)
  })

  scripted('is listed, and deleted, over the API', async () => {
    const { agent, text, message_id, path, memories, prompt } = await told()
    const [memory, ...more] = await memories()
    expect(more).toEqual([])
    expect(memory).toEqual({
      id: anId,
      agent_id: agent.id,
      topic: 'birds',
      text,
      message_id,
      created_at: aTime,
      updated_at: aTime,
    })
    expect(dataOf(await api.delete(`${path}/memories/${memory.id}`))).toEqual({ deleted: true })
    expect(await memories()).toEqual([])
    expect(await prompt()).not.toContain(text)
    expectError(await api.delete(`${path}/memories/${memory.id}`), 404, 'MEMORY_NOT_FOUND')
  })

  scripted('goes when the person is erased', async () => {
    const { text, path, prompt } = await told()
    expect(dataOf(await api.post(`${path}/erase`))).toMatchObject({ memories_deleted: 1 })
    expect(await prompt()).not.toContain(text)
  })

  test('of an unknown person is 404, of a malformed id 422', async () => {
    for (const [method, rest] of [
      ['get', 'memories'],
      ['delete', `memories/${freshId()}`],
    ] as const) {
      expectError(await api[method](`${workspace}/${freshId()}/${rest}`), 404, 'VIRTUAL_USER_NOT_FOUND')
      for (const [, id] of malformedIds)
        expectError(await api[method](`${workspace}/${id}/${rest}`), 422, 'VALIDATION_ERROR')
    }
  })

  testOfTwo('is not for another organization', async () => {
    expectError(await other.get(`${workspace}/${freshId()}/memories`), 403, 'FORBIDDEN')
  })
})
