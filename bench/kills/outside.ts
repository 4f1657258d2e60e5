import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { text } from 'node:stream/consumers'
import { setTimeout as delay } from 'node:timers/promises'

/** Text of the bench's queries: their chat, and their number in it. */
export const queryOf = (chat: number, number: number): string => `chat ${chat} query ${number}`
const answerTo = (query: string): string => query.replace('query', 'answer')

/** A call of the model, in the order in which they came. */
export interface ModelCall {
  query: string
  /** All that was said before it in the chat. */
  history: string[]
}

export interface Delivery {
  webhookId: string
  messageId: string
  status: string
  response: string
  /** Reason that there is no answer. */
  error: string | null
}

/** The model and the receiver of webhooks, which outlive every server and note what it does. */
export async function startOutside() {
  const calls: ModelCall[] = []
  const deliveries: Delivery[] = []

  const model = createServer(async (request, response) => {
    // Servers ask `/models` what the model can do.
    if (request.method !== 'POST') {
      response.writeHead(404).end()
      return
    }
    const { messages } = JSON.parse(await text(request))
    const said: string[] = messages.map(({ content }: { content: string }) => content)
    const query = said.at(-1)!
    calls.push({ query, history: said.slice(0, -1) })
    await delay(5 + Math.random() * 60)
    response.writeHead(200, { 'content-type': 'text/event-stream' })
    const chunk = (delta: object, finish: string | null) =>
      `data: ${JSON.stringify({ id: 'x', object: 'chat.completion.chunk', created: 1, model: 'x', choices: [{ index: 0, delta, finish_reason: finish }] })}\n\n`
    response.end(`${chunk({ role: 'assistant', content: answerTo(query) }, null)}${chunk({}, 'stop')}data: [DONE]\n\n`)
  })

  const receiver = createServer(async (request, response) => {
    const { status, error_message: error, data } = JSON.parse(await text(request))
    const webhookId = request.headers['webhook-id'] as string
    deliveries.push({ webhookId, messageId: data.id, status, response: data.response, error })
    response.end()
  })

  const modelUrl = await listen(model)
  const receiverUrl = await listen(receiver)
  return {
    calls,
    deliveries,
    modelUrl,
    receiverUrl,
    close() {
      for (const server of [model, receiver]) {
        server.closeAllConnections()
        server.close()
      }
    },
  }
}

async function listen(server: Server): Promise<string> {
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`
}
