import { expect, vi } from 'vitest'
import type { Script } from '../models/model-server.ts'
import { startTestApp } from '../test-app.ts'

/** The server with an agent, a chat, and a model that follows a script; receivers on this machine are allowed. */
export async function startAsyncChat({
  script,
  settings = {},
  alone,
}: {
  script?: Script
  settings?: Record<string, string>
  alone?: boolean
} = {}) {
  const app = await startTestApp({ DOCENT_OUTBOUND_ALLOW: '127.0.0.0/8', ...settings }, { alone, model: { script } })
  const { call, owner } = app
  const agentId: string = (await call('POST', '/agents', { name: 'Guide' })).body.data.id
  const newChat = async (): Promise<string> => {
    const { body } = await call('POST', `/agents/${agentId}/chats`, {})
    return `/agents/${agentId}/chats/${body.data.chat.id}`
  }
  const path = await newChat()
  const workspace = `/workspaces/${owner.workspaceId}`
  const deliveries = async (): Promise<any[]> =>
    (await call('GET', `${workspace}/webhook-deliveries?page_size=100`)).body.data.deliveries

  return {
    ...app,
    agentId,
    /** Path of the first chat. */
    path,
    newChat,
    workspace,
    deliveries,

    /** Sends an async query. @returns its message's id. */
    async ask(webhookUrl: string, fields: Record<string, unknown> = {}, chatPath = path): Promise<string> {
      const body = { query: 'What is up?', webhook_url: webhookUrl, ...fields }
      const reply = await call('POST', `${chatPath}/async_query`, body)
      expect(reply.body).toEqual({ data: { message_id: expect.stringMatching(/^[0-9a-f]{24}$/) } })
      expect(reply.status).toBe(200)
      return reply.body.data.message_id
    },

    /** The delivery of a message with its attempts, once it is as expected. */
    delivery: (messageId: string, expected: object): Promise<any> =>
      vi.waitFor(
        async () => {
          const { id } = (await deliveries()).find((one) => one.message_id === messageId)
          const { body } = await call('GET', `${workspace}/webhook-deliveries/${id}`)
          expect(body.data).toMatchObject(expected)
          return body.data
        },
        { timeout: 30_000, interval: 20 },
      ),
  }
}
