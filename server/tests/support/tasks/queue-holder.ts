// A process with a worker that never finishes a task, for tests of its end: node queue-holder.ts QUEUE PLACE

import type { Tables } from '../../../src/db.ts'
import { migrations } from '../../../src/migrations/index.ts'
import { systemClock } from '../../../src/platform/clock.ts'
import { createLocalMembership } from '../../../src/platform/cluster/membership/membership.ts'
import { createLocalPubSub } from '../../../src/platform/cluster/pubsub/pubsub.ts'
import { openEmbedded } from '../../../src/platform/database/open.ts'
import { createIds } from '../../../src/platform/ids.ts'
import { catalog } from '../../../src/queue/catalog.ts'
import { openQueue } from '../../../src/queue/open-queue.ts'
import type { GivenUpHandlers } from '../../../src/queue/troubles/given-up.ts'
import { createSuspects } from '../../../src/queue/troubles/suspects.ts'
import { type TaskHandlers, Worker } from '../../../src/queue/worker.ts'
import { joinPgBoss, queueLogger } from './join-pg-boss.ts'

const [name, place] = process.argv.slice(2) as [string, string]
const { queue, db, writes } = name === 'pg-boss' ? await joinPgBoss(place) : await openTable()

async function openTable() {
  const database = await openEmbedded<Tables>(place, migrations)
  const queue = await openQueue({
    database,
    newId: createIds(),
    clock: systemClock,
    pubsub: createLocalPubSub(),
    logger: queueLogger,
  })
  // Nobody else can enqueue while this process has the database.
  const organization = { id: '0123456789abcdef00000001', name: 'Test', created_at: '2026-01-01T00:00:00.000Z' }
  await database.db.insertInto('organization').values(organization).execute()
  await database.writes.commit((tx) =>
    queue.enqueue(tx, organization.id, 'retrieval.index', { dataSourceId: 'x', generation: 1 }),
  )
  return { queue, ...database }
}

const handlers = Object.fromEntries(
  Object.keys(catalog).map((kind) => [kind, async () => {}]),
) as unknown as TaskHandlers & GivenUpHandlers
handlers['retrieval.index'] = async (_payload, { attempt }) => {
  console.log(`holds ${attempt}`)
  await new Promise(() => {})
}
// So that a task which comes quickly was heard of, and not found.
queue.longestSleepMs = 60_000
const worker = new Worker({
  queue,
  handlers,
  givenUp: handlers,
  suspects: createSuspects({
    db,
    writes,
    membership: createLocalMembership(createIds()),
    clock: systemClock,
    logger: queueLogger,
  }),
  clock: systemClock,
  logger: queueLogger,
})
worker.start()
console.log('ready')
// The timer alone keeps this process alive.
setInterval(() => {}, 60_000)
