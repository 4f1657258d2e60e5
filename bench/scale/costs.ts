import type { Api } from '../http/client/api.ts'
import { FILES, ingestFiles } from '../http/ingest-files.ts'
import { inParallel } from '../http/load.ts'
import { startByteCounter } from './byte-counter.ts'
import { adminOf, type Counted, counted, countStatements, type TableSize, tableSizes } from './database.ts'
import { type Ground, startShared } from './installation.ts'
import { createConversation, QUERIES_PER_CHAT, QUERY } from './loads.ts'

const CHATS = 1_000
/** Volume that docs/scaling.md counts with. */
const CHATS_A_DAY = 1_000_000
const AT_ONCE = 8
const PAGES = 500

type Row = (string | number)[]

/**
 * With one process: statements, bytes and log of each query, page and file; then rows and bytes that chats and files
 * left in each table.
 */
export async function measureCosts(ground: Ground): Promise<Row[][]> {
  let counter: Awaited<ReturnType<typeof startByteCounter>> | undefined
  const installation = await startShared(ground, 1, async (url) => {
    counter = await startByteCounter(url)
    return counter.url
  })
  const { api, databaseUrl } = installation
  const admin = adminOf(ground.postgres.adminUrl, databaseUrl!)
  await countStatements(admin)
  const agentId = await api.createAgent()

  async function costOf(
    times: number,
    act: () => Promise<unknown>,
  ): Promise<Counted & { sent: number; received: number }> {
    const before = { ...(await counted(admin)), ...counter!.bytes() }
    await act()
    const after = { ...(await counted(admin)), ...counter!.bytes() }
    const each = (name: keyof typeof before) => (after[name] - before[name]) / times
    return {
      statements: each('statements'),
      transactions: each('transactions'),
      walBytes: each('walBytes'),
      sent: each('sent'),
      received: each('received'),
    }
  }

  console.error('counting what a query, a page and a file cost')
  // Work that is done once, or that a process does by itself, belongs to none of them.
  await chats(api, agentId, AT_ONCE)
  const idle = await costOf(5, () => new Promise((resolve) => setTimeout(resolve, 5_000)))
  const query = await costOf(CHATS * QUERIES_PER_CHAT, () => chats(api, agentId, CHATS))
  const [chat] = await api.createChats(agentId, 1)
  for (let sent = 0; sent < QUERIES_PER_CHAT; sent++) await api.ask(chat!, QUERY)
  const page = await costOf(PAGES, () => inParallel(PAGES, AT_ONCE, async () => void (await api.history(chat!, 1, 50))))
  const ofChats = await tableSizes(admin)
  const file = await costOf(FILES, async () => {
    await (await ingestFiles({ name: 'docent', server: installation.processes[0]!, api, agentId, chats: [] }))()
  })
  const ofFiles = await tableSizes(admin)
  await installation.end()
  counter!.close()
  const columns = { query, 'page of history': page, 'file of 20 KB': file, 'second without requests': idle }
  return [
    [
      ['a', 'statements', 'begin, commit, ...', 'bytes to PostgreSQL', 'bytes from it', 'bytes of WAL'],
      ...Object.entries(columns).map(([name, cost]) => [
        name,
        cost.statements,
        cost.transactions,
        cost.sent,
        cost.received,
        cost.walBytes,
      ]),
    ],
    growth(ofChats, CHATS + AT_ONCE, `chat of ${QUERIES_PER_CHAT} queries`, CHATS_A_DAY),
    growth(since(ofChats, ofFiles), FILES, 'file'),
  ]
}

async function chats(api: Api, agentId: string, count: number): Promise<void> {
  await inParallel(count, AT_ONCE, async () => {
    const ask = createConversation(api, agentId)
    for (let asked = 0; asked < QUERIES_PER_CHAT; asked++) await ask()
  })
}

function since(before: TableSize[], after: TableSize[]): TableSize[] {
  return after
    .map((table) => {
      const old = before.find(({ name }) => name === table.name)
      if (!old) return table
      const grown = (key: Exclude<keyof TableSize, 'name'>) => table[key] - old[key]
      return {
        name: table.name,
        rows: grown('rows'),
        heapBytes: grown('heapBytes'),
        indexBytes: grown('indexBytes'),
        inserted: grown('inserted'),
        updated: grown('updated'),
        deleted: grown('deleted'),
      }
    })
    .filter(({ inserted, updated, deleted }) => inserted + updated + deleted > 0)
}

/** Growth of each table by one of this many operations, and by `aDay` of them. */
function growth(tables: TableSize[], times: number, what: string, aDay = 0): Row[] {
  return [
    [
      `table, for each ${what}`,
      'inserts',
      'updates',
      'deletes',
      'rows that stay',
      'bytes a row',
      'of its indexes',
      ...(aDay ? [`GB of ${aDay.toLocaleString('en-US')}`] : []),
    ],
    ...tables.map(({ name, rows, heapBytes, indexBytes, inserted, updated, deleted }) => [
      name,
      inserted / times,
      updated / times,
      deleted / times,
      rows / times,
      heapBytes / rows,
      indexBytes / rows,
      // A handful of rows takes the pages that a table has at least.
      ...(aDay ? [rows < times / 100 ? '' : ((heapBytes + indexBytes) / times / 1e9) * aDay] : []),
    ]),
  ]
}
