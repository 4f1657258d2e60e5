import { setTimeout as delay } from 'node:timers/promises'
import type { Api } from '../http/client/api.ts'
import { usageOf } from '../http/process-usage.ts'
import { askFor } from '../http/words.ts'

/** A running server with an agent that has the tool `list_files` and no files. */
export interface Stage {
  api: Api
  agentId: string
  pid: number
  modelUrl: string
}

export interface Measured {
  /** Name of the figure, with its unit. */
  what: string
  value: number
}

const STEPS = 15
const RUNS = 20
const CLIENTS = 8

const withCalls = (steps: number) => `call list_files ${steps} times, then ${askFor(1)}`

/** Runs of many steps beside runs of none, one after the other: what lies between them are the steps. */
export async function measureSteps({ api, agentId, pid, modelUrl }: Stage): Promise<Measured[]> {
  const many = await repeat(withCalls(STEPS))
  const none = await repeat(askFor(1))
  const steps = STEPS * RUNS
  return [
    { what: `a step of a run, 1 client, ms`, value: (many.ms - none.ms) / steps },
    { what: 'of it, the model server, ms', value: await modelMs(modelUrl) },
    { what: 'CPU of a step, ms', value: (many.cpuMs - none.cpuMs) / steps },
  ]

  async function repeat(query: string) {
    const [chat] = await api.createChats(agentId, 1)
    const cpuMs = usageOf(pid).cpuMs
    let ms = 0
    for (let i = 0; i < RUNS; i++) ms += (await api.ask(chat!, query)).ms
    return { ms, cpuMs: usageOf(pid).cpuMs - cpuMs }
  }
}

/** A turn of the model by itself. */
async function modelMs(modelUrl: string): Promise<number> {
  const body = JSON.stringify({ stream: true, messages: [{ role: 'user', content: withCalls(1) }] })
  const startedAt = performance.now()
  for (let i = 0; i < RUNS; i++) {
    const headers = { 'content-type': 'application/json' }
    await (await fetch(`${modelUrl}/v1/chat/completions`, { method: 'POST', headers, body })).text()
  }
  return (performance.now() - startedAt) / RUNS
}

/** Streams that come as fast as they can. */
export async function measureTokens({ api, agentId, pid }: Stage): Promise<Measured[]> {
  const tokens = 500
  const { ms, cpuMs } = await sideBySide({ api, agentId, pid }, askFor(tokens), () => {})
  const count = CLIENTS * RUNS * tokens
  return [
    { what: `streamed tokens, ${CLIENTS} clients, tokens/s`, value: count / (ms / 1000) },
    { what: 'CPU of a token, us', value: (cpuMs * 1000) / count },
  ]
}

/** Streams of runs that do nothing but call tools. */
export async function measureEvents({ api, agentId, pid }: Stage): Promise<Measured[]> {
  const { ms, cpuMs } = await sideBySide({ api, agentId, pid }, withCalls(STEPS), () => {})
  // A start and a result for each call; the few others are left out.
  const count = CLIENTS * RUNS * STEPS * 2
  return [
    { what: `live updates, ${CLIENTS} clients, events/s`, value: count / (ms / 1000) },
    { what: 'CPU of a live update, tool and stored state included, us', value: (cpuMs * 1000) / count },
  ]
}

async function sideBySide({ api, agentId, pid }: Omit<Stage, 'modelUrl'>, query: string, onText: () => void) {
  const chats = await api.createChats(agentId, CLIENTS)
  await api.connect(CLIENTS)
  const cpuMs = usageOf(pid).cpuMs
  const startedAt = performance.now()
  await Promise.all(
    chats.map(async (chat) => {
      for (let i = 0; i < RUNS; i++) await api.stream(chat, query, onText)
    }),
  )
  return { ms: performance.now() - startedAt, cpuMs: usageOf(pid).cpuMs - cpuMs }
}

/** Runs that are all in the middle of a slow answer, each with a reader. */
export async function measureMemory({ api, agentId, pid }: Stage, runs: number): Promise<Measured[]> {
  const chats = await api.createChats(agentId, runs)
  await api.connect(runs)
  await delay(1_000)
  const before = usageOf(pid).rssMb
  const words = 20
  let heard = 0
  const all = chats.map((chat) => api.stream(chat, askFor(words, 500), () => void heard++))
  while (heard < runs * 6) await delay(50)
  const during = usageOf(pid).rssMb
  await Promise.all(all)
  return [
    {
      what: `memory of a running agent with its stream, ${runs} at once, KiB`,
      value: ((during - before) * 1024) / runs,
    },
  ]
}
