import { startByteCounter } from './byte-counter.ts'
import { type Ground, type Installation, startFloor, startShared } from './installation.ts'
import { QUERIES_PER_CHAT, QUERY } from './loads.ts'

const CHATS = 25

/**
 * How often one client waits for PostgreSQL, one time after another, while a chat is made, a query or a page answered.
 * Work that a process does by itself meanwhile is counted with it, which is little.
 */
export async function measureTrips(ground: Ground): Promise<(string | number)[][]> {
  console.error('counting round trips')
  const rows = [
    await trips('Docent', (through) => startShared(ground, 1, through)),
    await trips('floor', (through) => startFloor(ground, 'single', through)),
  ]
  return [['trips to PostgreSQL one after another, 1 client', 'a chat', 'a query', 'a page of history'], ...rows]
}

async function trips(
  label: string,
  start: (through: (url: string) => Promise<string>) => Promise<Installation>,
): Promise<(string | number)[]> {
  let counter!: Awaited<ReturnType<typeof startByteCounter>>
  const { api, end } = await start(async (url) => {
    counter = await startByteCounter(url)
    return counter.url
  })
  const agentId = await api.createAgent()
  let isCounted = false
  const counts: number[][] = [[], [], []]
  async function during<R>(kind: 0 | 1 | 2, act: () => Promise<R>): Promise<R> {
    const before = counter.trips()
    const result = await act()
    if (isCounted) counts[kind]!.push(counter.trips() - before)
    return result
  }
  for (let made = 0; made < CHATS; made++) {
    // Statements are prepared and code is warm from the first few on.
    isCounted = made >= 5
    const [chat] = await during(0, () => api.createChats(agentId, 1))
    for (let sent = 0; sent < QUERIES_PER_CHAT; sent++) await during(1, () => api.ask(chat!, QUERY))
    await during(2, () => api.history(chat!, 1, 50))
  }
  await end()
  counter.close()
  return [label, ...counts.map((of) => of.reduce((sum, count) => sum + count, 0) / of.length)]
}
