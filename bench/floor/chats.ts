import { randomBytes } from 'node:crypto'
import type { ServerResponse } from 'node:http'
import { sendData } from './http.ts'
import { createModel } from './model.ts'
import type { Store } from './store.ts'

interface Query {
  query: string
  is_stream?: boolean
}

/** Chats, queries and their history, with nothing between the sockets, the model and the database. */
export function createChats(store: Store, modelUrl: string) {
  const model = createModel(modelUrl)
  const now = () => new Date().toISOString()

  async function answer(messageId: string, query: string, response: ServerResponse): Promise<void> {
    const text = await model.answer(query)
    await store.commit(() => store.endMessage.run(text, now(), messageId))
    sendData(response, { text, message_id: messageId })
  }

  async function stream(messageId: string, query: string, response: ServerResponse): Promise<void> {
    let number = 0
    let answer = ''
    const event = (type: string, text: string, data: object | null) =>
      `data: ${JSON.stringify({ type, subtype: null, text, extended_text: null, data, sequence_number: number++ })}\n\n`
    response.writeHead(200, { 'content-type': 'text/event-stream', 'cache-control': 'no-cache' })
    response.write(event('metadata', '', { message_id: messageId }))
    const completion = await model.ask(query, true)
    let held = ''
    completion.setEncoding('utf8')
    completion.on('data', (piece: string) => {
      const lines = (held + piece).split('\n')
      held = lines.pop()!
      let events = ''
      for (const line of lines) {
        if (!line.startsWith('data: {')) continue
        const text: string | undefined = JSON.parse(line.slice('data: '.length)).choices[0]?.delta.content
        if (!text) continue
        answer += text
        events += event('response', text, null)
      }
      if (events) response.write(events)
    })
    completion.on('end', async () => {
      await store.commit(() => store.endMessage.run(answer, now(), messageId))
      response.end(`${event('end_response', '', null)}data: [DONE]\n\n`)
    })
  }

  return {
    async create(agentId: string, body: Buffer, response: ServerResponse): Promise<void> {
      const { title } = JSON.parse(body.toString()) as { title: string }
      const chat = { id: newId(), title, chat_type: 'standard', agent_id: agentId, created_at: now() }
      await store.commit(() => store.addChat.run(chat.id, agentId, title, chat.created_at))
      sendData(response, { chat })
    },

    async query(chatId: string, body: Buffer, response: ServerResponse): Promise<void> {
      const { query, is_stream } = JSON.parse(body.toString()) as Query
      const id = newId()
      const at = now()
      await store.commit(() => store.addMessage.run(id, chatId, query, at, at))
      await (is_stream ? stream(id, query, response) : answer(id, query, response))
    },

    history(agent_id: string, chat_id: string, body: Buffer, response: ServerResponse): void {
      const { page, page_size } = JSON.parse(body.toString()) as { page: number; page_size: number }
      const { total } = store.countMessages.get(chat_id) as { total: number }
      const messages = store.listMessages.all(chat_id, page_size, (page - 1) * page_size).map((row) => ({
        id: row.id,
        query: row.query,
        response: row.response,
        chat_id,
        agent_id,
        created_at: row.created_at,
        updated_at: row.updated_at,
        message_type: 'ai_chat',
        is_pinned: false,
        reasoning: '',
        ai_resolution_status: row.status,
        error_message: null,
        quick_action_id: null,
        quick_action_fields_with_values: [],
        citations: [],
        downloadable_output: {},
      }))
      const has_more = page * page_size < total
      sendData(response, { messages, total, page, page_size, count: messages.length, has_more })
    },
  }
}

export const newId = (): string => randomBytes(12).toString('hex')
