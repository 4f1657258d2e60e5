import { setTimeout as delay } from 'node:timers/promises'
import { seededRandom } from '../../server/tests/support/seeded-random.ts'
import type { Api, Chat } from '../http/client/api.ts'
import { askFor, markerOf, textOf } from '../http/words.ts'

const CHATS = 200
/** Chats that nobody asks in any more and that are still there, so that none is deleted in the middle of an answer. */
const RETIRED = 20
const FILES = 100
const PEOPLE = 500
const FILE_CHARACTERS = 20_000
/** Upper limit: if it is reached, the server cannot keep up with the rate. */
const CALLS_AT_ONCE = 100

/**
 * Calls of many kinds at an even rate. It keeps as many chats and files as it began with: for each new one the oldest
 * goes. The first call that fails ends it.
 */
export async function createLoad(api: Api, webhookUrl: string, rate: number) {
  const random = seededRandom(1)
  const pick = <T>(from: T[]): T => from[Math.floor(random() * from.length)]!
  const scripted = await api.createAgent({ tools: ['list_files'] })
  const folder = await api.createFolder('Soak')
  const quoting = await api.createAgent({ model: 'builtin/extractive', knowledge_base_ids: [folder] })
  const chats = await api.createChats(scripted, CHATS)
  const retired: Chat[] = []
  const quotingChats = await api.createChats(quoting, 20)
  let lastFile = 0
  for (let file = 0; file < FILES; file++) await addFile()

  async function addFile(): Promise<void> {
    const seed = ++lastFile
    await api.addFile(folder, `${seed}.txt`, textOf(seed, FILE_CHARACTERS))
  }

  const filesOf = async (order: string) =>
    (await api.get<{ data_sources: { id: string }[] }>(`/knowledge-bases/${folder}/data-sources?${order}`)).data
      .data_sources
  const pathOf = ({ agentId, id }: Chat) => `/agents/${agentId}/chats/${id}`
  const someone = () => ({ virtual_user_email: `person${Math.floor(random() * PEOPLE)}@example.com` })

  /** Mix of calls: how many of each among a hundred. */
  const calls: [weight: number, call: () => Promise<unknown>][] = [
    [30, () => api.ask(pick(chats), askFor(100))],
    [8, () => api.stream(pick(chats), askFor(100), () => {})],
    [3, () => api.stream(pick(chats), askFor(50, 20), () => {})],
    [4, () => api.ask(pick(chats), `call list_files 2 times, ${askFor(20)}`)],
    [5, () => api.ask(pick(quotingChats), `What is ${markerOf(lastFile - 5)}?`)],
    [
      8,
      () => {
        const body = { query: askFor(50), webhook_url: webhookUrl, ...someone() }
        return api.json('POST', `${pathOf(pick(chats))}/async_query`, body)
      },
    ],
    [10, () => api.history(pick(chats), 1, 50)],
    [10, () => api.search(folder, markerOf(lastFile - Math.floor(random() * FILES)))],
    [6, () => api.get(`/agents/${scripted}/chats?page_size=50`)],
    [4, () => filesOf('page_size=50')],
    [
      4,
      async () => {
        chats.push(...(await api.createChats(scripted, 1)))
        retired.push(chats.shift()!)
        if (retired.length > RETIRED) await api.json('DELETE', pathOf(retired.shift()!))
      },
    ],
    [
      4,
      async () => {
        await addFile()
        const [oldest] = await filesOf(`page_size=1&page=${FILES}`)
        if (oldest) await api.json('DELETE', `/knowledge-bases/${folder}/data-sources?data_source_id=${oldest.id}`)
      },
    ],
    [
      1,
      async () => {
        const ids = (await filesOf('page_size=20')).map(({ id }) => id)
        await api.drain(`/knowledge-bases/${folder}/data-sources/actions/download?data_source_id=${ids.join(',')}`)
      },
    ],
    [3, () => api.get('/me')],
  ]
  const sum = calls.reduce((total, [weight]) => total + weight, 0)

  function next(): () => Promise<unknown> {
    let left = random() * sum
    return calls.find(([weight]) => (left -= weight) < 0)![1]
  }

  let done = 0
  let underWay = 0
  let failure: Error | undefined
  let stopped = false

  async function one(): Promise<void> {
    underWay++
    try {
      await next()()
      done++
    } catch (error) {
      // A chat or a file may have gone between its choice and the call.
      if (!/: 404 /.test(String(error))) failure ??= error as Error
    } finally {
      underWay--
    }
  }

  async function keepCalling(): Promise<void> {
    const startedAt = performance.now()
    for (let call = 0; !stopped && !failure; call++) {
      await delay(Math.max(0, startedAt + (call * 1000) / rate - performance.now()))
      if (underWay < CALLS_AT_ONCE) void one()
    }
  }
  const calling = keepCalling()

  return {
    counts: () => ({ calls: done }),
    failure: () => failure,
    async stop(): Promise<void> {
      stopped = true
      await calling
      while (underWay > 0) await delay(50)
    },
  }
}
