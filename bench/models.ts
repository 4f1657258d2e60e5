import { type ChildProcess, fork } from 'node:child_process'
import { once } from 'node:events'
import { parseArgs } from 'node:util'
import type { ClientName, Load, Measured } from './models/client.ts'

const CLIENTS: ClientName[] = ['floor', 'docent', 'anthropic', 'google', 'openai']

/**
 * Cost of a streamed token to the process that receives it, per client: bare `node:http` with the least code that
 * understands chat completions (the floor), Docent's own client with its limits around it, and the vendors' through
 * their AI SDK providers. The model server and each client are processes of their own; rounds alternate.
 *
 *     npm run bench -- models [--streams 50] [--seconds 5] [--rounds 3]
 */
export async function run(args: string[]): Promise<void> {
  const { values } = parseArgs({
    args,
    options: {
      streams: { type: 'string', default: '50' },
      seconds: { type: 'string', default: '5' },
      rounds: { type: 'string', default: '3' },
    },
  })
  const seconds = Number(values.seconds)
  const loads: Load[] = [
    { name: 'paced', streams: Number(values.streams), tokens: 100, tokenDelayMs: 20, seconds },
    { name: 'burst', streams: 8, tokens: 500, seconds },
  ]
  const server = fork(new URL('./models/server.ts', import.meta.url))
  try {
    const [url] = (await once(server, 'message')) as [string]
    for (const load of loads) {
      const results = new Map<ClientName, Measured[]>(CLIENTS.map((client) => [client, []]))
      for (let round = 0; round < Number(values.rounds); round++) {
        for (const client of round % 2 ? CLIENTS.toReversed() : CLIENTS) {
          results.get(client)?.push(await measure(url, client, load))
        }
      }
      print(load, results)
    }
  } finally {
    server.kill()
  }
}

async function measure(url: string, client: ClientName, load: Load): Promise<Measured> {
  const child: ChildProcess = fork(new URL('./models/client.ts', import.meta.url))
  child.send({ url, client, load })
  const [measured] = await Promise.race([
    once(child, 'message') as Promise<[Measured]>,
    once(child, 'exit').then(([code]) => Promise.reject(new Error(`the client ${client} ended with ${code}`))),
  ])
  child.kill()
  return measured
}

function print({ name, streams, tokenDelayMs }: Load, results: Map<ClientName, Measured[]>): void {
  const pace = tokenDelayMs ? `a token each ${tokenDelayMs} ms` : 'as fast as it goes'
  console.log(`\n${name}: ${streams} streams, ${pace}`)
  console.log('client      CPU us/token   x floor   tokens/s   x floor   deltas/batch')
  const floors = results.get('floor') ?? []
  for (const [client, rounds] of results) {
    const cells = [
      median(rounds.map((round) => round.cpuMicros))
        .toFixed(2)
        .padStart(12),
      median(rounds.map((round, at) => round.cpuMicros / (floors[at]?.cpuMicros ?? 1)))
        .toFixed(2)
        .padStart(10),
      median(rounds.map((round) => round.perSecond))
        .toFixed(0)
        .padStart(11),
      median(rounds.map((round, at) => round.perSecond / (floors[at]?.perSecond ?? 1)))
        .toFixed(2)
        .padStart(10),
      median(rounds.map((round) => round.perBatch))
        .toFixed(1)
        .padStart(15),
    ]
    console.log(client.padEnd(12) + cells.join(''))
  }
}

function median(values: number[]): number {
  const sorted = values.toSorted((a, b) => a - b)
  return sorted[sorted.length >> 1] ?? Number.NaN
}
