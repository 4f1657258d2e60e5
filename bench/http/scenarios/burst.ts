import { closedLoop } from '../load.ts'
import type { Scenario, Side } from '../scenario.ts'
import { askFor, wordsOf } from '../words.ts'

const WORDS = 200
const QUERY = askFor(WORDS)
const ANSWER = wordsOf(WORDS)

const load = (side: Side, seconds: number) =>
  closedLoop({ clients: 8, seconds, pid: side.server.pid }, async (client) => {
    let answer = ''
    const response = await side.api.stream(side.chats[client]!, QUERY, (text) => {
      answer += text
    })
    if (answer !== ANSWER) throw new Error(`not the answer: ${answer}`)
    return response
  })

/** Streams whose words come all at once: what parsing and writing events costs, apart from the network. */
export const burst: Scenario = {
  name: 'burst',
  figures: [
    { metric: 'tokens', label: 'burst streams, 8 clients, tokens/s', goal: { minRatio: 0.4 } },
    { metric: 'cpu', label: 'burst streams, CPU ms per 1,000 tokens' },
  ],

  async prepare(side) {
    await load(side, 2)
  },

  async measure(side, { seconds }) {
    const { perSecond, cpuMsEach } = await load(side, seconds)
    return { tokens: perSecond * WORDS, cpu: (cpuMsEach / WORDS) * 1000 }
  },
}
