import { once } from 'node:events'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { setTimeout as delay } from 'node:timers/promises'
import { type Step, stepsOf } from './model-script.ts'

interface ChatRequest {
  messages: { role: string; content: unknown }[]
  tools?: { function: { name: string } }[]
}

/** A chat completions server whose answers are scripted by the questions: see model-script.ts. */
export async function startModelServer(port = 0): Promise<{ url: string; close(): void }> {
  const server = createServer((request, response) => {
    answer(request, response).catch(() => response.destroy())
  })
  server.listen(port, '127.0.0.1')
  await once(server, 'listening')
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1`,
    close() {
      server.closeAllConnections()
      server.close()
    },
  }
}

async function answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
  const asked = JSON.parse(await textOf(request)) as ChatRequest
  const lastQuestion = asked.messages.findLastIndex(({ role }) => role === 'user')
  const turn = asked.messages.slice(lastQuestion).filter(({ role }) => role === 'assistant').length
  const steps = stepsOf(plain(asked.messages[lastQuestion]?.content), turn)
  if (steps[0]?.do === 'fail')
    return void response
      .writeHead(400, { 'content-type': 'application/json' })
      .end('{"error":{"message":"scripted to fail"}}')
  response.writeHead(200, { 'content-type': 'text/event-stream' }).flushHeaders()
  for (const [index, step] of steps.entries()) {
    if (step.do === 'fail') return void response.destroy()
    if (step.do === 'hang') return void (await once(response, 'close'))
    if (step.do === 'wait') await delay(step.ms)
    else for (const delta of deltasOf(step, asked, `${turn}-${index}`)) response.write(chunk(delta, null))
  }
  const called = steps.some((step) => step.do === 'call')
  response.end(`${chunk({}, called ? 'tool_calls' : 'stop')}data: [DONE]\n\n`)
}

function deltasOf(step: Step, { messages, tools = [] }: ChatRequest, id: string): object[] {
  if (step.do === 'say') return words(step.text).map((content) => ({ content }))
  if (step.do === 'think') return words(step.text).map((reasoning_content) => ({ reasoning_content }))
  if (step.do === 'echo')
    return [{ content: JSON.stringify({ messages, tools: tools.map((tool) => tool.function.name) }) }]
  if (step.do !== 'call') return []
  const call = { name: step.tool, arguments: step.args }
  return [{ tool_calls: [{ index: 0, id: `call-${id}`, type: 'function', function: call }] }]
}

/** Tokens: each word with the space before it. */
const words = (text: string): string[] => text.match(/\s*\S+/g) ?? []

const chunk = (delta: object, finish_reason: string | null): string =>
  `data: ${JSON.stringify({ id: 'scripted', object: 'chat.completion.chunk', created: 1, model: 'scripted', choices: [{ index: 0, delta, finish_reason }] })}\n\n`

const plain = (content: unknown): string =>
  typeof content === 'string'
    ? content
    : Array.isArray(content)
      ? content.map((part: { text?: string }) => part.text ?? '').join('\n')
      : ''

async function textOf(request: IncomingMessage): Promise<string> {
  const parts: Buffer[] = []
  for await (const part of request) parts.push(part as Buffer)
  return Buffer.concat(parts).toString()
}
