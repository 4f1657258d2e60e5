import { expect, onTestFinished } from 'vitest'
import type { Clock } from '../../../src/platform/clock.ts'
import type { ModelList, Script } from '../models/model-server.ts'
import { startTestApp } from '../test-app.ts'
import { type EventReader, readEvents } from './events.ts'

/** The server with an agent, a chat, and a model that follows a script. */
export async function startTestChat({
  script,
  list,
  settings = {},
  clock,
  logTo,
  alone,
}: {
  script?: Script
  list?: ModelList
  settings?: Record<string, string>
  clock?: Clock
  logTo?: (line: string) => void
  alone?: boolean
} = {}) {
  const app = await startTestApp(settings, { clock, logTo, alone, model: { script, list } })
  const { call, url, owner } = app

  /** Expects success and gives the body. */
  async function succeed(...request: Parameters<typeof call>): Promise<any> {
    const reply = await call(...request)
    expect(reply.status, JSON.stringify(reply.body)).toBe(200)
    return reply.body
  }

  const newAgent = async (fields: Record<string, unknown> = {}, key?: string): Promise<string> =>
    (await succeed('POST', '/agents', { name: 'Guide', ...fields }, key ? { key } : {})).data.id

  /** @returns the path of the chat. */
  async function newChat(fields: Record<string, unknown> = {}, agent = agentId): Promise<string> {
    const { data } = await succeed('POST', `/agents/${agent}/chats`, fields)
    return `/agents/${agent}/chats/${data.chat.id}`
  }

  const agentId = await newAgent()
  const path = await newChat()

  return {
    ...app,
    succeed,
    newAgent,
    newChat,
    agentId,
    /** Path of the first chat. */
    path,

    /** Sends a blocking query. */
    ask: (query: string, fields: Record<string, unknown> = {}, chatPath = path) =>
      call('POST', `${chatPath}/query`, { query, ...fields }),

    /** Opens a stream and expects it to begin. */
    async stream(query: string, fields: Record<string, unknown> = {}, chatPath = path): Promise<EventReader> {
      const connection = new AbortController()
      onTestFinished(() => connection.abort())
      const response = await fetch(`${url}/v1${chatPath}/query`, {
        method: 'POST',
        headers: { 'x-api-key': owner.apiKey, 'content-type': 'application/json' },
        body: JSON.stringify({ query, is_stream: true, ...fields }),
        signal: connection.signal,
      })
      expect(response.status).toBe(200)
      return readEvents(response, connection)
    },

    message: async (id: string, chatPath = path) => (await succeed('GET', `${chatPath}/message/${id}`)).data,

    history: async (query = '', chatPath = path) => (await succeed('GET', `${chatPath}/messages?${query}`)).data,
  }
}
