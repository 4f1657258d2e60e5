import type { manualClock } from '../clock.ts'
import { answer, type Script } from '../models/model-server.ts'
import { startTestChat } from './chat.ts'

/** A server with an agent that a link shares, and what visitors of the link do. */
export async function startShared(
  link: Record<string, unknown> = {},
  {
    script = () => answer('Hello'),
    agent = {},
    clock,
  }: { script?: Script; agent?: object; clock?: ReturnType<typeof manualClock> } = {},
) {
  const app = await startTestChat({ script, clock })
  const agentId = await app.newAgent({ name: 'Helper', visibility: 'public', description: 'Helps', ...agent })
  const made = (await app.succeed('POST', `/agents/${agentId}/links`, link)).data
  const visit = (body: object = {}, key: string | null = null) =>
    app.call('POST', `/shared/${made.token}/visits`, body, { key })
  /** A visitor with a chat. */
  async function visitor(body: object = {}) {
    const { visitor_token: token, visitor_id: id } = (await visit(body)).body.data
    const send: typeof app.call = (method, path, sent) =>
      app.call(method, path, sent, { key: null, headers: { authorization: `Bearer ${token}` } })
    const chat = (await send('POST', `/agents/${agentId}/chats`, { chat_type: 'interact' })).body.data.chat
    return { token, id, send, chat, path: `/agents/${agentId}/chats/${chat.id}` }
  }
  return { ...app, agentId, link: made, linkPath: `/agents/${agentId}/links/${made.id}`, visit, visitor }
}
