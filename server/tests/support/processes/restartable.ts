import { onTestFinished } from 'vitest'
import { readEvents } from '../chats/events.ts'
import { type Script, settingsOf, startModelServer } from '../models/model-server.ts'
import { startServerProcess } from './server-process.ts'
import { installationOn, type Stack } from './stacks.ts'

/** Key of the owner. */
export const KEY = 'a-key-of-our-own-choice'

/** A server in a process of its own, with an agent and a chat; `again` starts the next one on the same data. */
export async function startRestartable(
  script: Script,
  {
    stack = 'embedded',
    settings = {},
    agent: fields = {},
  }: { stack?: Stack; settings?: Record<string, string>; agent?: Record<string, unknown> } = {},
) {
  const installation = await installationOn(stack)
  const model = await startModelServer({ script })
  onTestFinished(() => model.close())
  const all = { DOCENT_OWNER_KEY: KEY, ...settingsOf(model.openaiUrl), ...settings }

  async function again() {
    const server = await startServerProcess({ ...all, ...(await installation()) })
    const send = (method: string, path: string, body?: unknown, signal?: AbortSignal) =>
      fetch(`${server.url}/v1${path}`, {
        method,
        headers: { 'x-api-key': KEY, ...(body !== undefined && { 'content-type': 'application/json' }) },
        body: body === undefined ? null : JSON.stringify(body),
        signal: signal ?? null,
      })
    const call = async (method: string, path: string, body?: unknown): Promise<{ status: number; body: any }> => {
      const reply = await send(method, path, body)
      return { status: reply.status, body: await reply.json() }
    }
    const stream = async (path: string, fields: Record<string, unknown>) => {
      const connection = new AbortController()
      onTestFinished(() => connection.abort())
      return readEvents(
        await send('POST', `${path}/query`, { is_stream: true, ...fields }, connection.signal),
        connection,
      )
    }
    return { ...server, send, call, stream }
  }

  const first = await again()
  const agent = (await first.call('POST', '/agents', { name: 'Guide', ...fields })).body.data.id
  const chat = (await first.call('POST', `/agents/${agent}/chats`, {})).body.data.chat.id
  return { first, again, path: `/agents/${agent}/chats/${chat}`, agentId: agent, model }
}
