import { connect, createServer, type Socket } from 'node:net'
import { Kysely, PostgresDialect, sql } from 'kysely'
import pg from 'pg'
import { pino } from 'pino'
import { expect, onTestFinished, test } from 'vitest'
import { postgresAdminUrl } from '../../../../tests/support/database/postgres.ts'
import { createDatabase, dropDatabase, query } from '../../../../tests/support/database/postgres-server.ts'
import { createSeparateCommits } from '../../database/postgres/separate-commits.ts'
import { createIds } from '../../ids.ts'
import { createPostgresPubSub } from './postgres-pubsub.ts'

const newId = createIds()

async function start() {
  const adminUrl = await postgresAdminUrl()
  const url = await createDatabase(adminUrl)
  onTestFinished(async () => void (await dropDatabase(adminUrl, url)))
  /** One process. */
  async function join({ listenUrl = url, secret = 'Te-st_', echoEveryMs = 60_000 } = {}) {
    const lines: { level: number; msg: string }[] = []
    const logger = pino({ level: 'info' }, { write: (line) => void lines.push(JSON.parse(line)) })
    const pool = new pg.Pool({ connectionString: url })
    // The database goes while connections are still ending.
    pool.on('connect', (client) => client.on('error', () => {})).on('error', () => {})
    const db = new Kysely<object>({ dialect: new PostgresDialect({ pool }) })
    const signals = await createPostgresPubSub({ db, listenUrl, secret, newId, logger, echoEveryMs })
    onTestFinished(async () => {
      await signals.close()
      await db.destroy()
    })
    const heard: string[] = []
    signals.subscribe('words', (payload) => heard.push(payload))
    return { db, signals, heard, lines }
  }
  const cut = () =>
    query(
      adminUrl,
      `select pg_terminate_backend(pid) from pg_stat_activity where application_name = $1 and datname = $2`,
      ['docent signals', new URL(url).pathname.slice(1)],
    )
  return { url, join, cut }
}

test('every process hears a signal once, the one that sent it, too', async () => {
  const { join } = await start()
  const [a, b] = [await join(), await join()]
  a.signals.subscribe('others', () => expect.unreachable())
  a.signals.publish('words', 'one two  three')
  b.signals.publish('words', '')
  await expect.poll(() => [...b.heard].sort()).toEqual(['', 'one two  three'])
  await expect.poll(() => [...a.heard].sort()).toEqual(['', 'one two  three'])
})

test('many signals keep their order, whatever they hold', async () => {
  const { join } = await start()
  const [a, b] = [await join(), await join()]
  const words = Array.from({ length: 1_000 }, (_, i) => `${i} {"a": 'é \\ "' , \n}`)
  for (const word of words) a.signals.publish('words', word)
  a.signals.publish('words', 'x'.repeat(7_000))
  await expect.poll(() => b.heard.length).toBe(1_001)
  expect(b.heard.slice(0, 1_000)).toEqual(words)
  expect(b.heard.at(-1)).toHaveLength(7_000)
})

test('what is too long is not sent, is reported in the log, and takes nothing else away', async () => {
  const { join } = await start()
  const [a, b] = [await join(), await join()]
  a.signals.publish('words', 'é'.repeat(3_501))
  a.signals.publish('words', 'a\0b')
  await expect.poll(() => b.heard).toEqual(['a\ufffdb'])
  expect(a.lines.map(({ msg }) => msg)).toEqual(['a notification is too long and was not sent'])
})

test('words that make no sense are left out, and end nothing', async () => {
  const { join } = await start()
  const [a, b] = [await join(), await join()]
  b.signals.subscribe('json', (payload) => void JSON.parse(payload))
  await sql`select pg_notify('docent_Te-st_', words) from unnest(array['', 'x', 'x json {']) words`.execute(a.db)
  a.signals.publish('words', 'sense')
  await expect.poll(() => b.heard).toEqual(['sense'])
  expect(b.lines.map(({ msg }) => msg)).toEqual(['a notification makes no sense and is left out'])
})

test('who does not know the secret hears nothing and is not heard', async () => {
  const { join } = await start()
  const [a, b, stranger] = [await join(), await join(), await join({ secret: 'other' })]
  stranger.signals.publish('words', 'said by a stranger')
  a.signals.publish('words', 'among us')
  await expect.poll(() => b.heard).toEqual(['among us'])
  expect(stranger.heard).toEqual(['said by a stranger'])
})

test('a signal of a transaction comes with its commit, and never without', async () => {
  const { join } = await start()
  const [a, b] = [await join(), await join()]
  await a.db.transaction().execute(async (tx) => {
    await a.signals.publishIn(tx, 'words', 'committed')
    expect([a.heard, b.heard]).toEqual([[], []])
  })
  await expect
    .soft(
      a.db.transaction().execute(async (tx) => {
        await a.signals.publishIn(tx, 'words', 'undone')
        throw new Error('no')
      }),
    )
    .rejects.toThrow('no')
  a.signals.publish('words', 'last')
  await expect.poll(() => b.heard).toEqual(['committed', 'last'])
  await expect.poll(() => [...a.heard].sort()).toEqual(['committed', 'last'])
})

test('a signal of a write goes out after its commit, and never without', async () => {
  const { join } = await start()
  const [a, b] = [await join(), await join()]
  const writes = createSeparateCommits(a.db)
  await Promise.all(
    ['one', 'two'].map((word) =>
      writes.commit(async (tx) => {
        await a.signals.publishIn(tx, 'words', word)
      }),
    ),
  )
  const failing = writes.commit(async (tx) => {
    await a.signals.publishIn(tx, 'words', 'undone')
    throw new Error('no')
  })
  await expect(failing).rejects.toThrow('no')
  a.signals.publish('words', 'last')
  await expect.poll(() => [...b.heard].sort()).toEqual(['last', 'one', 'two'])
  await expect.poll(() => [...a.heard].sort()).toEqual(['last', 'one', 'two'])
})

test('after its connection was cut a process listens again, and is told that it may have missed something', async () => {
  const { join, cut } = await start()
  const [a, b] = [await join(), await join()]
  let gaps = 0
  const gap = new Promise<void>((resolve) => b.signals.onGap(() => resolve(void gaps++)))
  await cut()
  await gap
  await expect.poll(() => a.lines.at(-1)?.msg).toBe('listening for notifications of other processes again')
  a.signals.publish('words', 'again')
  await expect.poll(() => b.heard).toEqual(['again'])
  expect(gaps).toBe(1)
})

test('its own listeners hear a process that cannot listen at the time', async () => {
  const { join, cut } = await start()
  const a = await join()
  await cut()
  a.signals.publish('words', 'to myself')
  await expect.poll(() => a.heard).toEqual(['to myself'])
})

test('a connection that only looks alive is replaced', async () => {
  const { url, join } = await start()
  const way = await startWay(Number(new URL(url).port))
  const listenUrl = new URL(url)
  listenUrl.port = String(way.port)
  const [a, b] = [await join(), await join({ listenUrl: listenUrl.href, echoEveryMs: 200 })]
  const gap = new Promise<void>((resolve) => b.signals.onGap(resolve))
  way.swallow()
  a.signals.publish('words', 'swallowed')
  await gap
  a.signals.publish('words', 'heard')
  await expect.poll(() => b.heard).toEqual(['heard'])
  expect(b.lines[0]).toMatchObject({ level: 40, reason: expect.stringContaining('DATABASE_LISTEN_URL') })
})

test('a database that cannot be listened to is reported at once', async () => {
  const { url, join } = await start()
  const listenUrl = new URL(url)
  listenUrl.password = 'wrong'
  await expect(join({ listenUrl: listenUrl.href })).rejects.toThrow(/DATABASE_LISTEN_URL/)
})

/** Passes bytes on to a port of this machine, until those of the open connections are swallowed. */
async function startWay(to: number) {
  const sockets = new Set<Socket>()
  const deaf = new Set<Socket>()
  const server = createServer((near) => {
    const far = connect(to, '127.0.0.1')
    sockets.add(near).add(far)
    far.on('data', (bytes) => void (deaf.has(near) || near.write(bytes)))
    near.on('data', (bytes) => far.write(bytes))
    for (const socket of [near, far]) socket.on('error', () => {})
    near.on('close', () => far.destroy())
    far.on('close', () => void (deaf.has(near) || near.destroy()))
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  onTestFinished(() => {
    server.close()
    for (const socket of sockets) socket.destroy()
  })
  return {
    port: (server.address() as { port: number }).port,
    swallow() {
      for (const socket of sockets) deaf.add(socket)
    },
  }
}
