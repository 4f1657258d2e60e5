// A model provider with an OpenAI-compatible API, cheap enough to measure others with: runs as a process of its own,
// tells its parent the URL, and ends with it. The last thing that the user said is the script:
//   "say 20 words"                 " w0 w1 w2 ...", at once
//   "say 20 words every 5 ms"      one at a time; each word is the time at which it left, in microseconds of the
//                                  machine's monotonic clock, so that a reader sees how long it was on its way
//   "call list_files 9 times, ..."  first this many calls of the tool, one a turn, each with other arguments
import { once } from 'node:events'
import { createServer, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'

const CALLS = /call (\w+) (\d+) times/
const RESULT = /"role": ?"tool"/g
const SCRIPT = /say (\d+) words(?: every (\d+) ms)?/y

const HEAD =
  'data: {"id":"scripted","object":"chat.completion.chunk","created":1,"model":"scripted","choices":[{"index":0,'
const OPENING = `${HEAD}"delta":{"role":"assistant","content":""},"finish_reason":null}]}\n\n`
const chunkOf = (word: string) => `${HEAD}"delta":{"content":" ${word}"},"finish_reason":null}]}\n\n`
const closing = (words: number) =>
  `${HEAD}"delta":{},"finish_reason":"stop"}]}\n\n` +
  `data: {"id":"scripted","object":"chat.completion.chunk","created":1,"model":"scripted","choices":[],"usage":${usageOf(words)}}\n\n` +
  'data: [DONE]\n\n'
const usageOf = (words: number) => `{"prompt_tokens":1,"completion_tokens":${words},"total_tokens":${words + 1}}`

const textOf = (words: number) => Array.from({ length: words }, (_, index) => ` w${index}`).join('')

/** Whole answers, by their number of words: only a few numbers are ever asked for. */
const rendered = { stream: new Map<number, string>(), json: new Map<number, string>() }

function streamOf(words: number): string {
  const known = rendered.stream.get(words)
  if (known) return known
  const chunks = Array.from({ length: words }, (_, index) => chunkOf(`w${index}`))
  const text = OPENING + chunks.join('') + closing(words)
  rendered.stream.set(words, text)
  return text
}

function jsonOf(words: number): string {
  const known = rendered.json.get(words)
  if (known) return known
  const text =
    `{"id":"scripted","object":"chat.completion","created":1,"model":"scripted","choices":[{"index":0,"message":` +
    `{"role":"assistant","content":"${textOf(words)}"},"finish_reason":"stop"}],"usage":${usageOf(words)}}`
  rendered.json.set(words, text)
  return text
}

interface Paced {
  response: ServerResponse
  words: number
  said: number
  everyUs: number
  startedAtUs: number
}

const paced = new Set<Paced>()
let ticker: NodeJS.Timeout | undefined

const nowUs = () => Number(process.hrtime.bigint() / 1000n)

/** Sends every word that is due. Each stream keeps to the times it was given, however late a tick comes. */
function tick(): void {
  for (const stream of paced) {
    const due = Math.min(stream.words, Math.floor((nowUs() - stream.startedAtUs) / stream.everyUs) + 1)
    let chunk = ''
    for (; stream.said < due; stream.said++) chunk += chunkOf(String(nowUs()))
    if (stream.said < stream.words) {
      if (chunk) stream.response.write(chunk)
      continue
    }
    paced.delete(stream)
    stream.response.end(chunk + closing(stream.words))
  }
  if (paced.size > 0) return
  clearInterval(ticker)
  ticker = undefined
}

/** A turn that calls a tool, which is too short to be streamed in pieces. */
function callTurn(tool: string, turn: number, isStream: boolean): string {
  const call = {
    id: `call_${turn}`,
    type: 'function',
    function: { name: tool, arguments: JSON.stringify({ name_contains: `name ${turn}` }) },
  }
  const usage = { prompt_tokens: 1, completion_tokens: 1, total_tokens: 2 }
  const head = { id: 'scripted', created: 1, model: 'scripted' }
  if (isStream) {
    const delta = { role: 'assistant', content: null, tool_calls: [{ index: 0, ...call }] }
    const chunk = (choices: unknown[], more = {}) =>
      `data: ${JSON.stringify({ ...head, object: 'chat.completion.chunk', choices, ...more })}\n\n`
    const choice = { index: 0, delta, finish_reason: null }
    return (
      chunk([choice]) +
      chunk([{ index: 0, delta: {}, finish_reason: 'tool_calls' }]) +
      chunk([], { usage }) +
      'data: [DONE]\n\n'
    )
  }
  const message = { role: 'assistant', content: null, tool_calls: [call] }
  const choices = [{ index: 0, message, finish_reason: 'tool_calls' }]
  return JSON.stringify({ ...head, object: 'chat.completion', choices, usage })
}

function answer(request: string, response: ServerResponse): void {
  const isStream = /"stream": ?true/.test(request)
  const [, tool, times] = CALLS.exec(request) ?? []
  const turn = tool ? (request.match(RESULT) ?? []).length : 0
  if (tool && turn < Number(times)) {
    response.writeHead(200, { 'content-type': isStream ? 'text/event-stream' : 'application/json' })
    return void response.end(callTurn(tool, turn, isStream))
  }
  SCRIPT.lastIndex = Math.max(0, request.lastIndexOf('say '))
  const [, words, everyMs] = SCRIPT.exec(request) ?? []
  if (!words) {
    response.writeHead(400, { 'content-type': 'application/json' }).end('{"error":{"message":"there is no script"}}')
  } else if (!isStream) {
    const body = jsonOf(Number(words))
    response.writeHead(200, { 'content-type': 'application/json', 'content-length': body.length }).end(body)
  } else {
    response.writeHead(200, { 'content-type': 'text/event-stream' })
    if (!everyMs) return void response.end(streamOf(Number(words)))
    response.write(OPENING)
    const stream = { response, words: Number(words), said: 0, everyUs: Number(everyMs) * 1000, startedAtUs: nowUs() }
    paced.add(stream)
    response.on('close', () => paced.delete(stream))
    ticker ??= setInterval(tick, 1)
  }
}

const server = createServer((request, response) => {
  const parts: Buffer[] = []
  request.on('data', (part: Buffer) => parts.push(part))
  request.on('end', () => answer(Buffer.concat(parts).toString('latin1'), response))
})
server.keepAliveTimeout = 120_000
server.listen(0, '127.0.0.1', 4096)
await once(server, 'listening')
process.on('disconnect', () => process.exit())
process.send?.(`http://127.0.0.1:${(server.address() as AddressInfo).port}`)
