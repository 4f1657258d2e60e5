import { setTimeout as delay } from 'node:timers/promises'
import { expect, onTestFinished, test } from 'vitest'
import { startLoad, startThinkingModel } from '../support/chats/outage-load.ts'
import { startDatabaseWay } from '../support/database/database-way.ts'
import { createDatabase, startPostgres } from '../support/database/postgres-server.ts'
import { startCluster } from '../support/processes/cluster.ts'

// Four outages of ten seconds: DOCENT_OUTAGES=4x10 npm test -- server/tests/database/database-outages
const [outages = 2, seconds = 3] = (process.env.DOCENT_OUTAGES ?? '').split('x').filter(Boolean).map(Number)
// More than a process has connections to the database.
const CHATS = process.env.DOCENT_OUTAGES ? 40 : 24
const BETWEEN_MS = 4_000
const LONG = 240_000 + outages * (Math.max(seconds, 20) + 60) * 1000
const SOON = { timeout: 120_000, interval: 200 }

/** Two api and two worker processes on a PostgreSQL server of their own, over a way that can be blocked, under load. */
async function startUnderLoad({ chats }: { chats: number }) {
  const postgres = await startPostgres(['fsync=off'])
  onTestFinished(() => postgres.stop())
  const way = await startDatabaseWay(await createDatabase(postgres.adminUrl))
  onTestFinished(() => way.close())
  const model = await startThinkingModel()
  onTestFinished(() => model.close())
  const cluster = await startCluster({
    adminUrl: postgres.adminUrl,
    settings: { ...model.settings, DATABASE_URL: way.url, LOG_LEVEL: process.env.DOCENT_OUTAGE_LOG ?? 'silent' },
  })
  onTestFinished(() => cluster.close())
  const load = await startLoad({ url: cluster.url, chats })
  const processes = [...cluster.apis, ...cluster.workers]
  return {
    postgres,
    way,
    model,
    load,
    dead: () => processes.filter(({ pid }) => !isLiving(pid)).length,
    isReady: async () =>
      (await Promise.all(processes.map(async ({ url }) => (await fetch(`${url}/readyz`)).status))).every(
        (status) => status === 200,
      ),
  }
}

type UnderLoad = Awaited<ReturnType<typeof startUnderLoad>>

/** Checks that what was accepted is answered and delivered, in its order, and the rest was refused soon, in words. */
async function expectNothingLost({ load, model, dead }: UnderLoad): Promise<void> {
  await load.stop()
  await expect.poll(load.missing, SOON).toEqual([])
  const unkind = load.refusals.filter(
    ({ status, retryAfter }) => !((status === 503 && retryAfter === '5') || status === 429),
  )
  const counts = { accepted: load.accepted.length, refused: load.refusals.length, twice: 0 }
  for (const results of load.delivered().values()) if (results.length > 1) counts.twice++
  console.log(counts, 'longest refusal', Math.max(0, ...load.refusals.map(({ tookMs }) => tookMs)), 'ms')
  expect({ dead: dead(), failed: load.failed(), unkind }).toEqual({ dead: 0, failed: [], unkind: [] })
  for (const order of model.orders()) expect(order).toEqual(order.toSorted((a, b) => a - b))
}

/** Outages that break no connection: what is sent meanwhile waits, and nobody answers. */
const SILENCES = [
  {
    how: 'cannot be reached',
    leave: ({ way }: UnderLoad) => way.block(),
    comeBack: ({ way }: UnderLoad) => way.unblock(),
  },
  {
    how: 'is stopped where it is',
    leave: ({ postgres }: UnderLoad) => postgres.freeze(),
    comeBack: ({ postgres }: UnderLoad) => postgres.thaw(),
  },
]

test('while PostgreSQL is away, cannot be reached, or is stopped where it is, again and again, no process ends, callers are told soon, nothing is lost, and nothing fails because of it', {
  timeout: 3 * LONG,
}, async () => {
  const all = await startUnderLoad({ chats: CHATS })
  const { postgres, load, isReady } = all
  const streams: Promise<string>[] = []
  for (let outage = 0; outage < outages; outage++) {
    await delay(BETWEEN_MS)
    // A stream under way when the database goes: its reader hears how it ends.
    const path = await load.newChat()
    const reply = await load.send('POST', `${path}/query`, { query: 'stay', is_stream: true })
    streams.push(reply.text())
    await postgres.crash()
    await delay(seconds * 1000)
    await postgres.start()
    await expect.poll(isReady, SOON).toBe(true)
  }
  for (const stream of await Promise.all(streams)) {
    expect(stream).toContain('"end_response"')
    expect(stream).not.toContain('"type":"error"')
  }
  for (const { how, leave, comeBack } of SILENCES) {
    const path = await load.newChat()
    // First of what is undone at the end: nothing else could end without it.
    onTestFinished(() => comeBack(all))
    for (let outage = 0; outage < Math.min(outages, 2); outage++) {
      await delay(BETWEEN_MS)
      await leave(all)
      const isOver = delay(Math.max(seconds, 10) * 1000 * (outage + 1))
      // They are answered before it comes back.
      const replies = await Promise.all([
        load.send('GET', `${path}/messages`),
        load.send('POST', `${path}/query`, { query: 'stay' }),
        load.send('POST', `${path}/query`, { query: 'stay', is_stream: true }),
        load.send('POST', `${path}/async_query`, { query: 'stay', webhook_url: load.webhookUrl }),
      ])
      for (const { status, headers } of replies)
        expect({ how, status, retryAfter: headers.get('retry-after') }).toEqual({ how, status: 503, retryAfter: '5' })
      await isOver
      await comeBack(all)
      await expect.poll(isReady, SOON).toBe(true)
    }
  }
  await expectNothingLost(all)
})

function isLiving(pid: number): boolean {
  try {
    return process.kill(pid, 0)
  } catch {
    return false
  }
}
