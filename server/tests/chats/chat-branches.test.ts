import { expect, test, vi } from 'vitest'
import { startTestChat } from '../support/chats/chat.ts'
import { answer } from '../support/models/model-server.ts'
import { shareTestApps } from '../support/test-app.ts'

shareTestApps()

interface Prompt {
  model: string
  messages: { role: string; content: string }[]
}

/** A chat whose model repeats the question; prompts are kept without their instructions. */
async function startTalk(reply: (prompt: Prompt) => Promise<unknown> | undefined = () => undefined) {
  const prompts: Prompt[] = []
  const chat = await startTestChat({
    script: async ({ body }) => {
      prompts.push(body)
      await reply(body)
      return answer(`answer to ${askedIn(body)}`)
    },
  })

  async function askOne(query: string, fields: Record<string, unknown> = {}): Promise<string> {
    const { status, body } = await chat.ask(query, fields)
    expect(status, JSON.stringify(body)).toBe(200)
    return body.data.message_id
  }

  return {
    ...chat,
    prompts,
    askOne,
    /** Asks in turn. @returns ids of the messages */
    async askAll(...queries: string[]): Promise<string[]> {
      const ids: string[] = []
      for (const query of queries) ids.push(await askOne(query))
      return ids
    },
    /** Earlier questions of the newest prompt. */
    remembered: () => earlierIn(prompts.at(-1)!),
    queries: async (query = '') => (await chat.history(query)).messages.map((one: { query: string }) => one.query),
    show: (id: string) => chat.succeed('PATCH', chat.path, { shown_message_id: id }),
  }
}

const askedIn = ({ messages }: Prompt) => messages.at(-1)!.content

const earlierIn = ({ messages }: Prompt) =>
  messages
    .slice(1, -1)
    .filter(({ role }) => role === 'user')
    .map(({ content }) => content)

test('an earlier question is edited: the chat branches, and each branch remembers its own turns', async () => {
  const { askAll, askOne, remembered, queries, show, history, message } = await startTalk()
  const [first, second, third] = await askAll('one', 'two', 'three')
  const edited = await askOne('two again', { version_of: second })
  expect(remembered()).toEqual(['one'])
  expect(await queries()).toEqual(['one', 'two again'])
  await askOne('four')
  expect(remembered()).toEqual(['one', 'two again'])

  const { messages, total } = await history()
  expect(total).toBe(3)
  expect(messages.map(({ versions }: { versions?: string[] }) => versions)).toEqual([
    undefined,
    [second, edited],
    undefined,
  ])
  expect((await message(second!)).versions).toEqual([second, edited])

  await show(second!)
  expect(await queries()).toEqual(['one', 'two', 'three'])
  await askOne('five')
  expect(remembered()).toEqual(['one', 'two', 'three'])
  expect(await queries()).toEqual(['one', 'two', 'three', 'five'])
  expect(await queries('order=desc&page_size=2')).toEqual(['five', 'three'])
  expect(await queries(`from_message=${third}`)).toEqual(['three', 'five'])

  await askOne('one again', { version_of: first })
  expect(remembered()).toEqual([])
  expect(await queries()).toEqual(['one again'])
})

test('a history without branches has no field more', async () => {
  const { askAll, history } = await startTalk()
  await askAll('one', 'two')
  for (const message of (await history()).messages) {
    expect(message).not.toHaveProperty('versions')
    expect(message).not.toHaveProperty('asked_model')
  }
})

test('a message that is deleted leaves the branches: the newest version that is left is shown', async () => {
  const { askAll, askOne, queries, path, succeed, remembered } = await startTalk()
  const [first, second] = await askAll('one', 'two', 'three')
  const edited = await askOne('two again', { version_of: second })
  await succeed('DELETE', `${path}/message/${edited}`)
  expect(await queries()).toEqual(['one', 'two', 'three'])
  await succeed('DELETE', `${path}/message/${first}`)
  expect(await queries()).toEqual(['two', 'three'])
  await askOne('four')
  expect(remembered()).toEqual(['two', 'three'])
  for (const { id } of (await succeed('GET', `${path}/messages`)).data.messages)
    await succeed('DELETE', `${path}/message/${id}`)
  expect(await queries()).toEqual([])
  await askAll('five', 'six')
  expect(remembered()).toEqual(['five'])
})

test('an answer that waits in line while the chat branches remembers its own branch', async () => {
  const release = Promise.withResolvers<void>()
  const reply = (prompt: Prompt) => (askedIn(prompt) === 'slow' ? release.promise : undefined)
  const { askAll, stream, ask, history, prompts } = await startTalk(reply)
  const [first] = await askAll('one')
  await stream('slow')
  const total = async () => (await history()).total
  const waiting = ask('waiting')
  await vi.waitFor(async () => expect(await total()).toBe(3), { timeout: 30_000 })
  const other = ask('one again', { version_of: first })
  await vi.waitFor(async () => expect(await total()).toBe(1), { timeout: 30_000 })
  release.resolve()
  await Promise.all([waiting, other])
  const earlier = (query: string) => earlierIn(prompts.find((prompt) => askedIn(prompt) === query)!)
  expect(earlier('waiting')).toEqual(['one', 'slow'])
  expect(earlier('one again')).toEqual([])
})

test('an answer again may name another model, which its message keeps', async () => {
  const { askAll, askOne, history, prompts, ask } = await startTalk()
  const [first] = await askAll('one')
  await askOne('one', { version_of: first, model: 'openai-compatible/other' })
  expect(prompts.map(({ model }) => model)).toEqual(['scripted', 'other'])
  const { messages } = await history('usage=true')
  expect(messages).toMatchObject([
    { asked_model: 'openai-compatible/other', usage: { model: 'openai-compatible/other' } },
  ])
  expect(await ask('two', { model: 'nobody/x' })).toMatchObject({ status: 400 })
})

test('a version of what is not in the chat is refused, and nothing is stored', async () => {
  const { askAll, askOne, ask, newChat, call, path, queries } = await startTalk()
  await askAll('one')
  const other = await newChat()
  const { body } = await ask('elsewhere', {}, other)
  const refused = { status: 400, body: { error_code: 'VALIDATION_ERROR', details: [{ path: 'version_of' }] } }
  for (const version_of of ['0'.repeat(24), 'no id', body.data.message_id])
    expect(await ask('two', { version_of })).toMatchObject(refused)
  expect(await call('PATCH', path, { shown_message_id: body.data.message_id })).toMatchObject({
    status: 400,
    body: { details: [{ path: 'shown_message_id' }] },
  })
  expect(await queries()).toEqual(['one'])
  expect(await askOne('two')).toMatch(/^[0-9a-f]{24}$/)
})
