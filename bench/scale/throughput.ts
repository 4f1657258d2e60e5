import { adminOf, type Connections, mostConnections } from './database.ts'
import { type Ground, type Installation, startEmbedded, startShared } from './installation.ts'
import { type Cost, historyLoad, ingestLoad, type Load, queryLoad } from './loads.ts'

interface Measured {
  label: string
  query: Load
  history: Load
  ingest: Load
  connections?: Connections
}

/** @returns a table with a column for each installation. */
export async function measureThroughput(
  ground: Ground,
  counts: number[],
  seconds: number,
): Promise<(string | number)[][]> {
  const columns: Measured[] = []
  console.error('measuring one process with its own database')
  columns.push(await measure(ground, await startEmbedded(ground), 'embedded, 1 process', seconds))
  for (const count of counts) {
    console.error(`measuring ${count} on PostgreSQL and S3`)
    columns.push(await measure(ground, await startShared(ground, count), `PostgreSQL + S3, ${count}`, seconds))
  }
  const row = (label: string, read: (column: Measured) => number) => [label, ...columns.map(read)]
  const costs = (what: string, load: (column: Measured) => Load) => [
    ...PARTS.map(([part, name]) => row(`CPU ms a ${what}: ${name}`, (column) => load(column).cost[part])),
    row(`processors busy with it, of all parts`, (column) => busy(load(column))),
  ]
  return [
    ['', ...columns.map(({ label }) => label)],
    row('queries/s, 16 clients', ({ query }) => query.perSecond),
    row('p50 / ms', ({ query }) => query.p50Ms),
    row('p99 / ms', ({ query }) => query.p99Ms),
    ...costs('query', ({ query }) => query),
    row('history pages/s, 16 clients', ({ history }) => history.perSecond),
    row('p99 / ms', ({ history }) => history.p99Ms),
    ...costs('page', ({ history }) => history),
    row('files of 20 KB indexed/s, 8 at once', ({ ingest }) => ingest.perSecond),
    ...costs('file', ({ ingest }) => ingest),
    row('connections to PostgreSQL, most', ({ connections }) => connections?.open ?? Number.NaN),
    row('of them busy at once, most', ({ connections }) => connections?.busy ?? Number.NaN),
  ]
}

const PARTS = [
  ['docent', 'Docent'],
  ['postgres', 'PostgreSQL'],
  ['s3', 'the S3 server'],
  ['model', 'the model server'],
  ['bench', 'the bench itself'],
] as const satisfies [keyof Cost, string][]

const busy = ({ cost, perSecond }: Load): number =>
  (Object.values(cost).reduce((sum, each) => sum + each, 0) * perSecond) / 1000

async function measure(ground: Ground, installation: Installation, label: string, seconds: number): Promise<Measured> {
  const { api, databaseUrl } = installation
  const agentId = await api.createAgent()
  await queryLoad(ground, installation, agentId, 2)
  const asking = queryLoad(ground, installation, agentId, seconds)
  const connections = databaseUrl && (await mostConnections(adminOf(ground.postgres.adminUrl, databaseUrl), asking))
  const query = await asking
  const history = await historyLoad(ground, installation, agentId, seconds)
  await ingestLoad(ground, installation)
  const ingest = await ingestLoad(ground, installation)
  await installation.end()
  return { label, query, history, ingest, ...(connections && { connections }) }
}
