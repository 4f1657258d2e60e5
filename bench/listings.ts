import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { type Children, createChildren } from './http/children.ts'
import { createApi } from './http/client/api.ts'
import { startDocent, startModel } from './http/servers.ts'
import { type Figure, isReached, tableOf } from './listings/figure.ts'
import { listingsOf } from './listings/listings.ts'
import { measureFirstQueries, measureListing, spreadOf } from './listings/measure.ts'
import type { Plan } from './listings/plan.ts'
import { type Owner, seed } from './listings/seed.ts'

const STARTS = 5
const START_GOAL_MS = 2_000
const LOOP_WATCH = new URL('./http/loop-watch.ts', import.meta.url).href

/**
 * Every list of the API on a database of a million messages: how long a client that is alone waits for it, and for how
 * long the event loop is held up by it; how long a start on that database takes, and the first query in a chat.
 *
 *     npm run bench -- listings [--messages 1000000] [--chats 10000] [--only TEXT] [--data FOLDER]
 *
 * `--only` measures the lists with this text in their name. `--data` keeps the database in a folder, or takes what an
 * earlier run with the same numbers left there. Prints a Markdown table. The exit code is 1 when a goal is missed or an
 * answer is wrong.
 */
export async function run(args: string[]): Promise<void> {
  const { values } = parseArgs({
    args,
    options: {
      messages: { type: 'string', default: '1000000' },
      chats: { type: 'string', default: '10000' },
      only: { type: 'string', default: '' },
      data: { type: 'string' },
    },
  })
  const plan: Plan = { messages: Number(values.messages), chats: Number(values.chats) }
  const workDir = await mkdtemp(join(tmpdir(), 'docent-bench-listings-'))
  const cleanUp = () => rm(workDir, { recursive: true, force: true })
  const children = createChildren(cleanUp)
  try {
    const { url: modelUrl } = await startModel(children)
    const place: Place = { dataDir: values.data ?? join(workDir, 'data'), modelUrl }
    const owner = await prepare(children, place, plan)
    const figures = [await measureStart(children, place), ...(await measure(children, place, owner, plan, values.only))]
    console.log(tableOf(figures))
    if (!figures.every(isReached)) process.exitCode = 1
  } finally {
    await children.endAll()
    await cleanUp()
  }
}

interface Place {
  dataDir: string
  modelUrl: string
}

interface Identity {
  organization: { id: string }
  workspace: { id: string }
}

/** Has a server make the database, and fills it unless it is full. */
async function prepare(children: Children, place: Place, plan: Plan): Promise<Owner> {
  const server = await startDocent(children, place)
  const api = createApi(server.url)
  const { organization, workspace } = (await api.get<Identity>('/me')).data
  const isFull = (await api.get<{ total: number }>('/agents')).data.total > 0
  api.close()
  await children.end(server.child)
  const owner = { organizationId: organization.id, workspaceId: workspace.id }
  if (isFull) return owner
  const startedAt = performance.now()
  seed(place.dataDir, owner, plan)
  console.error(`filled in ${((performance.now() - startedAt) / 1000).toFixed(0)} s`)
  return owner
}

async function measureStart(children: Children, place: Place): Promise<Figure> {
  const times: number[] = []
  for (let round = 0; round < STARTS; round++) {
    const startedAt = performance.now()
    const server = await startDocent(children, place)
    times.push(performance.now() - startedAt)
    await children.end(server.child)
  }
  const { p50 } = spreadOf(times)
  return { label: 'start until the server listens, the middle of 5', p50, p99: p50, goal: { ms: START_GOAL_MS } }
}

async function measure(children: Children, place: Place, owner: Owner, plan: Plan, only: string): Promise<Figure[]> {
  const server = await startDocent(children, { ...place, nodeOptions: ['--import', LOOP_WATCH] })
  const api = createApi(server.url)
  const figures: Figure[] = []
  for (const listing of listingsOf(owner.workspaceId, plan)) {
    if (listing.label.includes(only)) figures.push(await measureListing(api, server, listing))
  }
  if (!only) figures.push(await measureFirstQueries(api, plan.chats))
  api.close()
  await children.end(server.child)
  return figures
}
