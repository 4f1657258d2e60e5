import type { Kysely } from 'kysely'
import { describe, expect, onTestFinished, test } from 'vitest'
import { startLoad, startThinkingModel } from '../support/chats/outage-load.ts'
import { createNotes, type NoteTables, openNotes } from '../support/database/notes.ts'
import { pgBouncerVersion, startPgBouncer } from '../support/database/pgbouncer.ts'
import { freshDatabase, postgresAdminUrl } from '../support/database/postgres.ts'
import { startCluster } from '../support/processes/cluster.ts'
import { KEY } from '../support/processes/restartable.ts'

type Call = ReturnType<typeof caller>
const caller =
  (url: string) =>
  async (method: string, path: string, { key = KEY, body }: { key?: string; body?: object } = {}) => {
    const reply = await fetch(`${url}/v1${path}`, {
      method,
      headers: { 'x-api-key': key, ...(body && { 'content-type': 'application/json' }) },
      body: body ? JSON.stringify(body) : null,
    })
    return { status: reply.status, body: (await reply.json()) as any }
  }

const version = await pgBouncerVersion()
const SOON = { timeout: 120_000, interval: 100 }
const LONG = 400_000

// Only where PgBouncer is installed; the version is in the name, because older ones know nothing of prepared statements.
describe.skipIf(version === undefined)(`behind PgBouncer ${version}`, () => {
  test('a statement never runs in place of another, although connections of the server change between transactions', async () => {
    const direct = await freshDatabase()
    const { db } = await openNotes(direct)
    await db.insertInto('note').values({ id: 1, text: 'one' }).execute()
    const url = await startPgBouncer({ to: direct, mode: 'transaction', connections: 2 })
    const clients = [await openNotes(url, undefined, 1), await openNotes(url, undefined, 1)] as const
    // Alike but for what they ask, so that both are the first, second and third statement of their client.
    const asks = [
      (db: Kysely<NoteTables>) => db.selectFrom('note').select('text').where('id', '=', 1).execute(),
      (db: Kysely<NoteTables>) => db.selectFrom('note').select('id').where('id', '=', 1).execute(),
    ] as const
    const answers = [[{ text: 'one' }], [{ id: 1 }]]
    // Each has a connection of the server for itself, and has its statement kept there.
    const begun = [Promise.withResolvers<void>(), Promise.withResolvers<void>()]
    const ends = [Promise.withResolvers<void>(), Promise.withResolvers<void>()]
    const ended = clients.map(({ db }, index) =>
      db.transaction().execute(async (tx) => {
        for (let use = 0; use < 3; use++) expect(await asks[index]!(tx)).toEqual(answers[index])
        begun[index]!.resolve()
        await ends[index]!.promise
      }),
    )
    await Promise.all(begun.map(({ promise }) => promise))
    for (const index of [0, 1]) {
      ends[index]!.resolve()
      await ended[index]
    }
    // PgBouncer gives out first what came back last: the first client gets the connection of the second one.
    for (let use = 0; use < 3; use++)
      for (const index of [0, 1]) expect(await asks[index]!(clients[index]!.db)).toEqual(answers[index])
  })

  test('a schema is migrated over a connection of the server on which others keep statements', async () => {
    const url = await startPgBouncer({ to: await freshDatabase(), mode: 'transaction', connections: 1 })
    await openNotes(url, { '1': createNotes }, 1)
    const later = { up: (db: Kysely<any>) => db.schema.createTable('later').addColumn('id', 'integer').execute() }
    const { db } = await openNotes(url, { '1': createNotes, '2': later }, 1)
    expect((await db.introspection.getTables()).map(({ name }) => name)).toContain('later')
  })

  test.for([
    { mode: 'transaction', connections: 6 },
    { mode: 'session', connections: 60 },
  ] as const)(
    'several processes serve, tell each other things and take over from one that dies, in $mode mode',
    { timeout: LONG },
    async ({ mode, connections }) => {
      const direct = await freshDatabase()
      const model = await startThinkingModel()
      onTestFinished(() => model.close())
      const cluster = await startCluster({
        adminUrl: await postgresAdminUrl(),
        settings: {
          ...model.settings,
          DATABASE_URL: await startPgBouncer({ to: direct, mode, connections }),
          ...(mode === 'transaction' && { DATABASE_LISTEN_URL: direct }),
        },
      })
      onTestFinished(() => cluster.close())
      const load = await startLoad({ url: cluster.url, chats: 16 })
      await expect.poll(() => load.accepted.length, SOON).toBeGreaterThan(40)
      await cluster.workers[0]!.end('SIGKILL')
      const before = load.accepted.length
      await expect.poll(() => load.accepted.length, SOON).toBeGreaterThan(before + 40)
      await load.stop()
      await expect.poll(load.missing, SOON).toEqual([])
      expect({ failed: load.failed(), refused: load.refusals }).toEqual({ failed: [], refused: [] })
      for (const results of load.delivered().values()) expect(results).toHaveLength(1)
      for (const order of model.orders()) expect(order).toEqual(order.toSorted((a, b) => a - b))

      // A key that one process has remembered, and that is revoked at the other.
      const [first, second] = cluster.apis.map((api) => caller(api.url)) as [Call, Call]
      const { workspace } = (await first('GET', '/me')).body.data
      const keys = `/workspaces/${workspace.id}/api-keys`
      const { id, key } = (await first('POST', keys, { body: { name: 'One', role: 'admin' } })).body.data
      const status = async () => (await second('GET', '/agents', { key })).status
      expect(await status()).toBe(200)
      expect((await first('DELETE', `${keys}/${id}`)).status).toBe(200)
      await expect.poll(status, SOON).toBe(401)
    },
  )
})
