// The floor of a query on PostgreSQL: bare Node and `pg` with named statements; a query is one INSERT and one UPDATE, each
// committed before anybody hears of it, a page of history one SELECT. No checks, no keys. A process of its own.
//   node bench/scale/floor.server.ts DATABASE_URL MODEL_URL single|batched
import { once } from 'node:events'
import { Agent, createServer, type IncomingMessage, request, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { newId } from '../floor/chats.ts'
import { readBody, sendData } from '../floor/http.ts'
import { openFloorStore } from './floor.store.ts'

const [databaseUrl, modelUrl, mode] = process.argv.slice(2)
if (!databaseUrl || !modelUrl || (mode !== 'single' && mode !== 'batched'))
  throw new Error('node bench/scale/floor.server.ts DATABASE_URL MODEL_URL single|batched')
const store = await openFloorStore(databaseUrl, mode)
const agent = new Agent({ keepAlive: true })
const now = () => new Date().toISOString()

async function askModel(query: string): Promise<string> {
  const body = JSON.stringify({ model: 'scripted', stream: false, messages: [{ role: 'user', content: query }] })
  const headers = { 'content-type': 'application/json', 'content-length': Buffer.byteLength(body) }
  const response = await new Promise<IncomingMessage>((resolve, reject) => {
    request(`${modelUrl}/v1/chat/completions`, { agent, method: 'POST', headers }, resolve)
      .on('error', reject)
      .end(body)
  })
  return JSON.parse((await readBody(response)).toString()).choices[0].message.content
}

async function answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
  const [path = ''] = request.url!.split('?')
  const [, , , , part, chatId = '', action] = path.split('/')
  const body = await readBody(request)
  const sent = body.length > 0 ? JSON.parse(body.toString()) : {}
  if (action === 'query') {
    const id = newId()
    await store.addMessage([id, chatId, sent.query, now()])
    const text = await askModel(sent.query)
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

const server = createServer((request, response) => {
  answer(request, response).catch((error) => {
    console.error(error)
    response.destroy()
  })
})
server.keepAliveTimeout = 120_000
server.listen(0, '127.0.0.1', 4096)
await once(server, 'listening')
process.on('disconnect', () => process.exit())
process.on('SIGTERM', () => process.exit())
process.send?.(`http://127.0.0.1:${(server.address() as AddressInfo).port}`)
