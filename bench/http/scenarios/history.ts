import type { Chat } from '../client/api.ts'
import { closedLoop } from '../load.ts'
import type { Scenario, Side, SideName } from '../scenario.ts'
import { askFor } from '../words.ts'

const MESSAGES = 1_000
const PAGE_SIZE = 50
const PAGES = MESSAGES / PAGE_SIZE

/** Chats with all their messages. */
const filled = new Map<SideName, Chat>()

function load(side: Side, seconds: number) {
  let next = 0
  return closedLoop({ clients: 16, seconds, pid: side.server.pid }, async () => {
    const page = (next++ % PAGES) + 1
    const { count, ms } = await side.api.history(filled.get(side.name)!, page, PAGE_SIZE)
    if (count !== PAGE_SIZE) throw new Error(`${count} messages on page ${page}`)
    return { ms }
  })
}

export const history: Scenario = {
  name: 'history',
  figures: [
    { metric: 'rate', label: 'page of 50 of 1,000 messages, 16 clients, requests/s' },
    { metric: 'cpu', label: 'page of 50 of 1,000 messages, CPU ms a request', goal: { maxRatio: 1.7 } },
  ],

  async prepare(side) {
    const [chat] = await side.api.createChats(side.agentId, 1)
    for (let sent = 0; sent < MESSAGES; sent++) await side.api.ask(chat!, askFor(20))
    filled.set(side.name, chat!)
    await load(side, 1)
  },

  async measure(side, { seconds }) {
    const { perSecond, cpuMsEach } = await load(side, seconds)
    return { rate: perSecond, cpu: cpuMsEach }
  },
}
