import { type CompiledQuery, sql } from 'kysely'
import { expect, test } from 'vitest'
import { countTokens } from '../../../src/chats/chat/chat-counts.store.ts'
import { countMessageOfChat } from '../../../src/chats/chat/chat-places.store.ts'
import { listChats } from '../../../src/chats/chat/chats.store.ts'
import { findOldestRunning, runningOfChat } from '../../../src/chats/memory/turns.store.ts'
import { listBefore, listChatsInProgress, listLeftBehind } from '../../../src/chats/runs/directory/holders.store.ts'
import type { Db } from '../../../src/db.ts'
import { acrossOrganizations } from '../../../src/platform/database/statements/across-organizations.ts'
import { OLDER, olderChat, olderDatabase, olderMessage } from '../../support/database/older-database.ts'
import { query } from '../../support/database/postgres-server.ts'

const { organizationId, workspaceId, agentId } = OLDER
const at = (minute: number) => `2026-01-01T00:${minute}:00.000Z`

test.each(['embedded', 'postgres'] as const)(
  'chats from before are listed in every order, and counted on by servers of both versions: %s',
  async (kind) => {
    const { old, oldDb, migrated } = await olderDatabase(kind, '0019-hot-chats')
    await old
      .insertInto('chat')
      .values([
        olderChat('1', { last_message_at: at(11), total_tokens: 300, message_count: 1, last_place: 1 }),
        olderChat('2', { last_message_at: at(13), total_tokens: 100, message_count: 1, last_place: 1 }),
      ])
      .execute()
    await old.insertInto('chat').values(olderChat('3')).execute()
    const db = await migrated()
    const order = async (sort: 'last_message_at' | 'total_tokens' | 'created_at', direction: 'asc' | 'desc') => {
      const page = { sort, order: direction, limit: 10, offset: 0, seen: { ofKeys: true } }
      const { chats } = await listChats(db, organizationId, { workspaceId, agentId }, page)
      return chats.map(({ id }) => id[0]).join('')
    }
    expect(await order('last_message_at', 'desc')).toBe('213')
    expect(await order('last_message_at', 'asc')).toBe('312')
    expect(await order('total_tokens', 'desc')).toBe('123')
    const id = olderChat('3').id
    const server = kind === 'postgres' ? oldDb : db
    await server.transaction().execute(async (tx) => {
      await countMessageOfChat(tx, organizationId, id, at(15))
      await countTokens(tx, organizationId, id, 200)
    })
    expect(await order('last_message_at', 'desc')).toBe('321')
    expect(await order('total_tokens', 'desc')).toBe('132')
    expect(await order('created_at', 'desc')).toBe('321')
  },
)

test('on PostgreSQL no index of chats holds what a message changes in them, for the sake of updates in place', async () => {
  const { url, migrated } = await olderDatabase('postgres', '0019-hot-chats')
  await migrated()
  const held = await query<{ name: string }>(
    url!,
    `select attname as name from pg_index join pg_attribute on attrelid = indrelid and attnum = any(indkey)
      where indrelid = 'chat'::regclass
        and attname in ('last_place', 'last_message_at', 'message_count', 'total_tokens')`,
  )
  expect(held).toEqual([])
})

test('on PostgreSQL a query locks no row of the organization, and an organization with rows stays', async () => {
  const { url, old, migrated } = await olderDatabase('postgres', '0020-owners-once')
  await old.insertInto('chat').values(olderChat('1')).execute()
  await old.insertInto('message').values(olderMessage('1', '1')).execute()
  const db = acrossOrganizations(await migrated())
  await db.transaction().execute(async (tx) => {
    await tx
      .insertInto('chat')
      .values(olderChat('2') as never)
      .execute()
    await tx
      .insertInto('message')
      .values(olderMessage('2', '2') as never)
      .execute()
    // Another transaction's statement, which would wait for this one's lock.
    await query(url!, `set lock_timeout = '1s'; select from organization for update`)
  })
  const gone = db.deleteFrom('organization').where('id', '=', organizationId).execute()
  await expect(gone).rejects.toThrow(/foreign key/)
  const homeless = { ...olderMessage('3', '2'), chat_id: 'f'.repeat(24) } as never
  await expect(db.insertInto('message').values(homeless).execute()).rejects.toThrow(/foreign key/)
  expect(await db.selectFrom('message').select('id').execute()).toHaveLength(2)
})

test.each(['embedded', 'postgres'] as const)(
  'what was in progress before is found by servers of both versions, without a look at what is completed: %s',
  async (kind) => {
    const { old, oldDb, migrated } = await olderDatabase(kind, '0021-one-open-index')
    await old.insertInto('chat').values(olderChat('1')).execute()
    const open = { status: 'in_progress', model: null }
    await old
      .insertInto('message')
      .values([
        olderMessage('1', '1', { place: 0 }),
        olderMessage('2', '1', { ...open, process_id: 'gone', place: 1 }),
        olderMessage('3', '1', { ...open, mode: 'async', process_id: '', place: 2 }),
        olderMessage('4', '1', { status: 'waiting', place: 0 }),
      ])
      .execute()
    const db = await migrated()
    for (const each of kind === 'postgres' ? [db, oldDb] : [db]) {
      expect(idsOf(await listLeftBehind(each, 'here'))).toBe('2')
      expect(idsOf(await listBefore(each, organizationId, { agentId, chatId: olderChat('1').id, place: 2 }))).toBe('2')
      expect(await listChatsInProgress(each)).toEqual([olderChat('1').id])
    }
    const plan = await planOf(kind, db, (to) => listLeftBehind(to, 'here'))
    expect(plan).toMatch(/message_not_completed/)
    const chat = { chatId: olderChat('1').id, agentId }
    expect((await findOldestRunning(db, organizationId, chat))?.id).toBe(olderMessage('2', '1').id)
    // On the embedded database: an index of all messages would have it read the whole chat.
    const found = await planOfStatement(kind, db, runningOfChat.bind(db, { organizationId, ...chat }))
    if (kind === 'embedded') expect(found).toMatch(/message_not_completed/)
  },
)

const idsOf = (rows: { id: string }[]) => rows.map(({ id }) => id[0]).join('')

/** How a database finds the rows of a statement. */
async function planOf(kind: string, db: Db, read: (db: Db) => Promise<unknown>): Promise<string> {
  const statements: CompiledQuery[] = []
  const watched = db.withPlugin({
    transformQuery: ({ node, queryId }) => {
      statements.push(db.getExecutor().compileQuery(node, queryId))
      return node
    },
    transformResult: async ({ result }) => result,
  })
  await read(watched)
  return planOfStatement(kind, db, statements[0]!)
}

async function planOfStatement(kind: string, db: Db, statement: CompiledQuery): Promise<string> {
  const plan = await db.transaction().execute(async (tx) => {
    // The tables of a test are so small that reading all of them is as good.
    if (kind === 'postgres') await sql`set local enable_seqscan = off`.execute(tx)
    const explain = kind === 'postgres' ? 'explain ' : 'explain query plan '
    return tx.executeQuery({ ...statement, sql: explain + statement.sql })
  })
  return JSON.stringify(plan.rows)
}
