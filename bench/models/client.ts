import http from 'node:http'
import type { ModelDelta } from '../../server/src/platform/models/model.ts'
import { createModels } from '../../server/src/platform/models/models.ts'

export type ClientName = 'floor' | 'docent' | 'anthropic' | 'google' | 'openai'

export interface Load {
  name: string
  streams: number
  tokens: number
  tokenDelayMs?: number
  seconds: number
}

export interface Measured {
  cpuMicros: number
  perSecond: number
  perBatch: number
}

/** Streams one answer and resolves with the number of its tokens. */
type Ask = (text: string, onBatch: (deltas: ModelDelta[]) => void) => Promise<void>

const agent = new http.Agent({ keepAlive: true })

function askFloor(url: string): Ask {
  return (text, onBatch) =>
    new Promise((resolve, reject) => {
      const body = JSON.stringify({ model: 'm', stream: true, messages: [{ role: 'user', content: text }] })
      const headers = { 'content-type': 'application/json', 'content-length': Buffer.byteLength(body) }
      const request = http.request(`${url}/v1/chat/completions`, { agent, method: 'POST', headers }, (response) => {
        let rest = ''
        response.setEncoding('utf8')
        response.on('data', (chunk: string) => {
          const lines = (rest + chunk).split('\n')
          rest = lines.pop() ?? ''
          const deltas: ModelDelta[] = []
          for (const line of lines) {
            if (!line.startsWith('data: {')) continue
            const content = JSON.parse(line.slice(6)).choices[0]?.delta.content
            if (content) deltas.push({ type: 'text', text: content })
          }
          if (deltas.length > 0) onBatch(deltas)
        })
        response.on('end', resolve)
      })
      request.on('error', reject)
      request.end(body)
    })
}

function askDocent(url: string, id: string): Ask {
  const models = createModels(
    {
      openaiCompatible: { baseUrl: `${url}/v1` },
      openai: { baseUrl: `${url}/v1`, apiKey: 'k', api: 'responses' },
      anthropic: { baseUrl: `${url}/v1`, apiKey: 'k' },
      google: { baseUrl: `${url}/v1beta`, apiKey: 'k' },
      timeouts: { firstTokenMs: 60_000, idleMs: 30_000, totalMs: 600_000 },
    },
    { builtin: {} },
  )
  const model = models.resolve(id)
  return async (text, onDeltas) => {
    const { signal } = new AbortController()
    await model.generate({ messages: [{ role: 'user', content: text }], tools: [] }, { onDeltas, signal })
  }
}

const clients: Record<ClientName, (url: string) => Ask> = {
  floor: askFloor,
  docent: (url) => askDocent(url, 'openai-compatible/m'),
  anthropic: (url) => askDocent(url, 'anthropic/claude-sonnet-5-5'),
  google: (url) => askDocent(url, 'google/gemini-3.8-flash'),
  openai: (url) => askDocent(url, 'openai/gpt-6-sol'),
}

async function measure(ask: Ask, { streams, tokens, tokenDelayMs, seconds }: Load): Promise<Measured> {
  const text = `[${tokens},${tokenDelayMs ?? ''}]`
  let received = 0
  let batches = 0
  const one = async () => {
    const before = received
    let own = 0
    await ask(text, (deltas) => {
      own += deltas.length
      received += deltas.length
      batches++
    })
    if (own !== tokens) throw new Error(`${own} of ${tokens} tokens after ${before}`)
  }
  // The first hundreds of thousands of tokens load and compile code, which is not what is measured.
  for (let warm = 0; warm < 4; warm++) await Promise.all(Array.from({ length: 50 }, () => ask('[1000,]', () => {})))
  received = 0
  batches = 0
  const cpu = process.cpuUsage()
  const from = performance.now()
  const until = from + seconds * 1000
  await Promise.all(
    Array.from({ length: streams }, async () => {
      while (performance.now() < until) await one()
    }),
  )
  const { user, system } = process.cpuUsage(cpu)
  const passed = (performance.now() - from) / 1000
  return { cpuMicros: (user + system) / received, perSecond: received / passed, perBatch: received / batches }
}

process.on('message', async ({ url, client, load }: { url: string; client: ClientName; load: Load }) => {
  process.send?.(await measure(clients[client](url), load))
})
process.on('disconnect', () => process.exit())
