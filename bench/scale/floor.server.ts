// The floor of a query on PostgreSQL: bare Node and `pg` with named statements; a query is one INSERT and one UPDATE, each
// committed before anybody hears of it, a page of history one SELECT. No checks, no keys. A process of its own.
//   node bench/scale/floor.server.ts DATABASE_URL MODEL_URL single|batched
import type { IncomingMessage, ServerResponse } from 'node:http'
import { newId } from '../floor/chats.ts'
import { readBody, sendData, serve } from '../floor/http.ts'
import { createModel } from '../floor/model.ts'
import { openFloorStore } from './floor.store.ts'

const [databaseUrl, modelUrl, mode] = process.argv.slice(2)
if (!databaseUrl || !modelUrl || (mode !== 'single' && mode !== 'batched'))
  throw new Error('node bench/scale/floor.server.ts DATABASE_URL MODEL_URL single|batched')
const store = await openFloorStore(databaseUrl, mode)
const model = createModel(modelUrl)
const now = () => new Date().toISOString()

async function answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
  const [path = ''] = request.url!.split('?')
  const [, , , , part, chatId = '', action] = path.split('/')
  const body = await readBody(request)
  const sent = body.length > 0 ? JSON.parse(body.toString()) : {}
  if (action === 'query') {
    const id = newId()
    await store.addMessage([id, chatId, sent.query, now()])
    const text = await model.answer(sent.query)
    await store.endMessage([id, text, now()])
    sendData(response, { text, message_id: id })
  } else if (action === 'messages') {
    const messages = await store.listMessages(chatId, sent.page_size, (sent.page - 1) * sent.page_size)
    sendData(response, { messages, count: messages.length })
  } else if (part === 'chats') {
    const id = newId()
    await store.addChat(id, sent.title, now())
    sendData(response, { chat: { id } })
  } else sendData(response, { id: newId() })
}

await serve(answer)
