import { adminOf, type Connections, type Counted, countStatements, mostConnections } from './database.ts'
import { type Ground, type Installation, startEmbedded, startFloor, startShared } from './installation.ts'
import { type Cost, historyLoad, ingestLoad, type Load, queryLoad } from './loads.ts'

export const LOADS = ['query', 'history', 'files'] as const
type LoadName = (typeof LOADS)[number]

interface Measured extends Partial<Record<LoadName, Load>> {
  label: string
  connections?: Connections
}

interface Wanted {
  /** Numbers of processes to measure with. */
  counts: number[]
  loads: LoadName[]
  seconds: number
}

/** @returns a table with a column for each installation, and ratios to the floor of single writes. */
export async function measureThroughput(ground: Ground, wanted: Wanted): Promise<(string | number)[][]> {
  const columns: Measured[] = []
  const add = async (label: string, installation: Promise<Installation>, loads = wanted.loads) => {
    console.error(`measuring ${label}`)
    columns.push(await measure(ground, await installation, label, { ...wanted, loads }))
  }
  await add('embedded, 1 process', startEmbedded(ground))
  for (const count of wanted.counts) await add(`PostgreSQL + S3, ${count}`, startShared(ground, count))
  const ofFloor = wanted.loads.filter((load) => load !== 'files')
  await add('floor on PostgreSQL', startFloor(ground, 'single'), ofFloor)
  const floor = columns.at(-1)!
  await add('the same, batched', startFloor(ground, 'batched'), ofFloor)

  const row = (label: string, read: (column: Measured) => number | undefined) => [
    label,
    ...columns.map((column) => read(column) ?? Number.NaN),
  ]
  const rowsOf = (name: LoadName) => {
    const [what, plural] = NAMES[name]
    const to = (read: (load: Load) => number | undefined) => (column: Measured) => column[name] && read(column[name])
    return [
      row(
        `${plural}/s, ${name === 'files' ? '8 at once' : '16 clients'}`,
        to(({ perSecond }) => perSecond),
      ),
      ...(name === 'files' ? [] : ratios(name, plural)),
      row(
        'p50 / ms',
        to(({ p50Ms }) => p50Ms),
      ),
      row(
        'p99 / ms',
        to(({ p99Ms }) => p99Ms),
      ),
      ...PARTS.map(([part, called]) =>
        row(
          `CPU ms a ${what}: ${called}`,
          to(({ cost }) => cost[part]),
        ),
      ),
      ...COUNTS.map(([key, called]) =>
        row(
          `${called} a ${what}`,
          to(({ counted }) => counted?.[key]),
        ),
      ),
      row('processors busy with it, of all parts', to(busy)),
    ]
  }
  const ratios = (name: LoadName, plural: string) => [
    row(
      `${plural}/s to those of the floor`,
      (column) => column[name] && column[name].perSecond / floor[name]!.perSecond,
    ),
    row(
      'CPU of server and PostgreSQL to that of the floor',
      (column) => column[name] && paid(column[name]) / paid(floor[name]!),
    ),
  ]
  return [
    ['', ...columns.map(({ label }) => label)],
    ...wanted.loads.flatMap((name) => rowsOf(name)),
    row('connections to PostgreSQL, most', ({ connections }) => connections?.open),
    row('of them busy at once, most', ({ connections }) => connections?.busy),
  ]
}

const NAMES: Record<LoadName, [one: string, many: string]> = {
  query: ['query', 'queries'],
  history: ['history page', 'history pages'],
  files: ['file of 20 KB', 'files of 20 KB indexed'],
}

const PARTS = [
  ['server', 'the server'],
  ['postgres', 'PostgreSQL'],
  ['s3', 'the S3 server'],
  ['model', 'the model server'],
  ['bench', 'the bench itself'],
] as const satisfies [keyof Cost, string][]

const COUNTS = [
  ['statements', 'statements'],
  ['transactions', 'begin, commit, ...'],
  ['walBytes', 'bytes of WAL'],
] as const satisfies [keyof Counted, string][]

const busy = ({ cost, perSecond }: Load): number =>
  (Object.values(cost).reduce((sum, each) => sum + each, 0) * perSecond) / 1000

const paid = ({ cost }: Load): number => cost.server + cost.postgres

async function measure(
  ground: Ground,
  installation: Installation,
  label: string,
  { loads, seconds }: Wanted,
): Promise<Measured> {
  const { api, databaseUrl } = installation
  const admin = databaseUrl && adminOf(ground.postgres.adminUrl, databaseUrl)
  if (admin) await countStatements(admin)
  const agentId = await api.createAgent()
  const measured: Measured = { label }
  if (loads.includes('query')) {
    // Warm code and plans.
    await queryLoad(ground, installation, agentId, 2)
    const asking = queryLoad(ground, installation, agentId, seconds)
    if (admin) measured.connections = await mostConnections(admin, asking)
    measured.query = await asking
  }
  if (loads.includes('history')) measured.history = await historyLoad(ground, installation, agentId, seconds)
  if (loads.includes('files')) {
    await ingestLoad(ground, installation)
    measured.files = await ingestLoad(ground, installation)
  }
  await installation.end()
  return measured
}
