import { describe, expect, onTestFinished, test } from 'vitest'
import { startReceiver } from '../support/http/receiver.ts'
import { answer, startModelServer } from '../support/models/model-server.ts'
import { startServerProcess } from '../support/processes/server-process.ts'
import { installationOn, STACKS, type Stack } from '../support/processes/stacks.ts'

const KEY = 'a-key-of-our-own-choice'

async function startCrashable(stack: Stack, script: Parameters<typeof startModelServer>[0]) {
  const installation = await installationOn(stack)
  const model = await startModelServer(script)
  onTestFinished(() => model.close())
  const settings = {
    DOCENT_OWNER_KEY: KEY,
    DOCENT_OUTBOUND_ALLOW: '127.0.0.0/8',
    OPENAI_COMPATIBLE_BASE_URL: model.openaiUrl,
    DOCENT_MODEL: 'openai-compatible/scripted',
  }
  const start = async () => {
    const server = await startServerProcess({ ...settings, ...(await installation()) })
    const call = async (method: string, path: string, body?: unknown): Promise<any> => {
      const headers = { 'x-api-key': KEY, ...(body !== undefined && { 'content-type': 'application/json' }) }
      const reply = await fetch(`${server.url}/v1${path}`, {
        method,
        headers,
        body: body && JSON.stringify(body),
      } as RequestInit)
      expect(reply.status).toBe(200)
      return reply.json()
    }
    return { ...server, call }
  }
  return { model, start }
}

describe.each(STACKS)('on %s', (stack) => {
  test('a process that dies between acceptance and answer leaves nothing undone, and nothing twice', async () => {
    let isAlive = false
    // The first process never gets an answer; the next one does.
    const { model, start } = await startCrashable(stack, {
      script: () => (isAlive ? answer('Here I am.') : { silence: true }),
    })
    const receiver = await startReceiver()
    const first = await start()
    const agentId = (await first.call('POST', '/agents', { name: 'Guide' })).data.id
    const chatId = (await first.call('POST', `/agents/${agentId}/chats`, {})).data.chat.id
    const path = `/agents/${agentId}/chats/${chatId}`
    const ask = (query: string) => first.call('POST', `${path}/async_query`, { query, webhook_url: receiver.url })
    const asked: string[] = []
    for (let i = 0; i < 3; i++) asked.push((await ask(`Question ${i}`)).data.message_id)
    await expect.poll(() => model.requests.length).toBe(1)
    await first.end('SIGKILL')
    isAlive = true

    const second = await start()
    const delivered = [await receiver.next(), await receiver.next(), await receiver.next()].map(({ body }) =>
      JSON.parse(body),
    )
    // Answered in order; deliveries of answers that follow at once may overtake one another.
    const questions = model.requests.slice(1).map(({ body }) => body.messages.at(-1).content)
    expect(questions).toEqual(['Question 0', 'Question 1', 'Question 2'])
    expect(delivered.map(({ data }) => data.id).sort()).toEqual([...asked].sort())
    for (const { status, data } of delivered)
      expect({ status, response: data.response }).toEqual({ status: 'success', response: 'Here I am.' })
    const { messages, total } = (await second.call('GET', `${path}/messages`)).data
    expect(total).toBe(3)
    expect(messages.map(({ id }: any) => id)).toEqual(asked)
    for (const message of messages)
      expect(message).toMatchObject({ ai_resolution_status: 'completed', error_message: null })
    expect(receiver.received).toHaveLength(3)
  })

  test('a process that dies while a receiver holds a delivery sends it again, under the same id', async () => {
    let isAlive = false
    const { start } = await startCrashable(stack, {})
    const receiver = await startReceiver((_request, response) => isAlive && response.end())
    const first = await start()
    const agentId = (await first.call('POST', '/agents', { name: 'Guide' })).data.id
    const chatId = (await first.call('POST', `/agents/${agentId}/chats`, {})).data.chat.id
    await first.call('POST', `/agents/${agentId}/chats/${chatId}/async_query`, {
      query: 'Hi',
      webhook_url: receiver.url,
    })
    const before = await receiver.next()
    await first.end('SIGKILL')
    isAlive = true
    const second = await start()
    const after = await receiver.next()
    expect(after.headers['webhook-id']).toBe(before.headers['webhook-id'])
    expect(after.body).toBe(before.body)
    const { id } = (await second.call('GET', '/me')).data.workspace
    await expect
      .poll(async () => (await second.call('GET', `/workspaces/${id}/webhook-deliveries`)).data.deliveries)
      .toMatchObject([{ status: 'delivered', attempt_count: 1 }])
  })

  test('files that a run made before its process died are not in the answer twice', async () => {
    let isAlive = false
    const make = answer({ toolCall: { name: 'create_file', arguments: { name: 'a.txt', content: 'made' } } })
    const { model, start } = await startCrashable(stack, {
      // Each process makes the file; only the second one gets to its answer.
      script: ({ body }) => {
        if (!body.messages.some((message: any) => message.role === 'tool')) return make
        return isAlive ? answer('Here it is.') : { silence: true }
      },
    })
    const receiver = await startReceiver()
    const first = await start()
    const agentId = (await first.call('POST', '/agents', { name: 'Maker', tools: ['create_file'] })).data.id
    const chatId = (await first.call('POST', `/agents/${agentId}/chats`, {})).data.chat.id
    await first.call('POST', `/agents/${agentId}/chats/${chatId}/async_query`, {
      query: 'Hi',
      webhook_url: receiver.url,
    })
    await expect.poll(() => model.requests.length).toBe(2)
    await first.end('SIGKILL')
    isAlive = true
    const second = await start()
    const { data } = JSON.parse((await receiver.next()).body)
    expect(data).toMatchObject({ response: 'Here it is.', downloadable_output: { file_1: expect.any(String) } })
    expect(Object.keys(data.downloadable_output)).toEqual(['file_1'])
    // Without a PORT or a DOCENT_PUBLIC_URL, links do not know where the server listens.
    const { pathname, search } = new URL(data.downloadable_output.file_1)
    expect(await (await fetch(second.url + pathname + search)).text()).toBe('made')
  })
})
