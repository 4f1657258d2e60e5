import { closedLoop } from '../load.ts'
import { usageOf } from '../process-usage.ts'
import type { Scenario, Setting, Side } from '../scenario.ts'
import { askFor, wordsOf } from '../words.ts'

const WORDS = 20
const QUERY = askFor(WORDS)
const ANSWER = wordsOf(WORDS)

const load = (side: Side, seconds: number, clients: number) =>
  closedLoop({ clients, seconds, pid: side.server.pid }, async (client) => {
    const { text, ms } = await side.api.ask(side.chats[client]!, QUERY)
    if (text !== ANSWER) throw new Error(`not the answer: ${text}`)
    return { ms }
  })

/** Blocking queries in chats that are full: the agent's memory goes to the model with each. */
export const query: Scenario = {
  name: 'query',
  figures: [
    { metric: 'rate16', label: 'blocking query, 16 clients, requests/s', goal: { minRatio: 0.45 } },
    { metric: 'rate64', label: 'blocking query, 64 clients, requests/s', goal: { minRatio: 0.45 } },
    { metric: 'cpu16', label: 'blocking query, 16 clients, CPU ms a request', goal: { maxRatio: 2.4 } },
    { metric: 'cpu64', label: 'blocking query, 64 clients, CPU ms a request', goal: { maxRatio: 2.4 } },
    { metric: 'alone', label: 'blocking query, 1 client, p50 ms', goal: { maxRatio: 2 } },
    { metric: 'rss', label: 'memory after it, MB', goal: { max: 220 } },
  ],

  async prepare(side) {
    for (const clients of [64, 16, 1]) await load(side, 1, clients)
  },

  async measure(side, { seconds }: Setting) {
    const one = await load(side, seconds, 1)
    const some = await load(side, seconds, 16)
    const many = await load(side, seconds, 64)
    return {
      rate16: some.perSecond,
      rate64: many.perSecond,
      cpu16: some.cpuMsEach,
      cpu64: many.cpuMsEach,
      alone: one.p50Ms,
      rss: usageOf(side.server.pid).rssMb,
    }
  },
}
