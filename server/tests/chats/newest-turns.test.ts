import { DatabaseSync } from 'node:sqlite'
import { sql } from 'kysely'
import { expect, test } from 'vitest'
import { KeptTurns, type NewestKnown, ReadTurns } from '../../src/chats/memory/newest-turns.ts'
import type { Db, Tx } from '../../src/db.ts'
import { acrossOrganizations } from '../../src/platform/database/statements/across-organizations.ts'
import { OLDER, olderChat, olderDatabase, olderMessage } from '../support/database/older-database.ts'

const { organizationId } = OLDER
const CHATS = ['1', '2', '3']
const LAST = '2026-02-01T00:00:00.000Z'
const idOf = (name: string) => olderChat(name).id
const timeOf = (second: number) => new Date(Date.UTC(2026, 0, 1, 0, 0, second)).toISOString()

async function start() {
  const { oldDb: db } = await olderDatabase('embedded', '0021-one-open-index')
  const all = acrossOrganizations(db)
  for (const chat of CHATS)
    await all
      .insertInto('chat')
      .values(olderChat(chat) as never)
      .execute()
  const { rows } = await sql<{ file: string }>`pragma database_list`.execute(db)
  return { db, all, path: rows[0]!.file, kept: new KeptTurns(db), read: new ReadTurns(db) }
}

/** Result without what a row holds beside its turn. */
const plain = ({ turns, coversId }: NewestKnown) => ({
  coversId,
  turns: turns.map(({ id, createdAt, query, response }) => ({ id, createdAt, query, response })),
})

let made = 0
const messageOf = (chat: string, more: object = {}) => {
  const name = `${chat}${String(++made).padStart(8, '0')}`
  return { ...olderMessage(name, chat, { query: `q${made}`, created_at: timeOf(made) }), ...more } as never
}

/** One of the ways in which what is remembered of a chat changes. @param random from 0 to below 1 */
type Change = (db: Db | Tx, chat: string, random: number) => Promise<unknown>

const answered = (db: Db | Tx) => acrossOrganizations(db as Db)

const changes: Record<string, Change> = {
  async answer(db, chat, random) {
    const message = messageOf(chat, { status: 'in_progress', response: '' })
    await answered(db).insertInto('message').values(message).execute()
    const response = random < 0.2 ? '' : `r${made}`
    const id = (message as { id: string }).id
    await answered(db).updateTable('message').set({ response: 'part' }).where('id', '=', id).execute()
    await answered(db).updateTable('message').set({ response, status: 'completed' }).where('id', '=', id).execute()
  },
  lateAnswer: (db, chat) =>
    answered(db)
      .insertInto('message')
      .values(messageOf(chat, { created_at: timeOf(1) }))
      .execute(),
  edit: (db, chat) =>
    answered(db)
      .updateTable('message')
      .set({ response: `edited ${++made}` })
      .where('chat_id', '=', idOf(chat))
      .execute(),
  move: (db, chat, random) =>
    answered(db)
      .updateTable('message')
      .set({ chat_id: idOf(CHATS[Math.floor(random * CHATS.length)]!) })
      .where('chat_id', '=', idOf(chat))
      .execute(),
  remove: (db, chat, random) =>
    answered(db)
      .deleteFrom('message')
      .where('chat_id', '=', idOf(chat))
      .where('created_at', '>', timeOf(Math.floor(made * (0.5 + random / 2))))
      .execute(),
  async sumUp(db, chat) {
    const turn = await answered(db)
      .selectFrom('message')
      .selectAll()
      .where('chat_id', '=', idOf(chat))
      .where('status', '=', 'completed')
      .orderBy('created_at')
      .offset(2)
      .limit(1)
      .executeTakeFirst()
    if (!turn) return
    const covers = { covers_created_at: turn.created_at, covers_id: turn.id }
    const row = { chat_id: idOf(chat), organization_id: organizationId, version: 1, turns: 1, updated_at: timeOf(0) }
    const memory = answered(db).insertInto('chat_memory')
    await memory
      .values({ ...row, ...covers })
      .onConflict((conflict) => conflict.column('chat_id').doUpdateSet(covers))
      .execute()
  },
  forgetSummary: (db, chat) => answered(db).deleteFrom('chat_memory').where('chat_id', '=', idOf(chat)).execute(),
  async removeChat(db, chat) {
    await answered(db).deleteFrom('message').where('chat_id', '=', idOf(chat)).execute()
    // Takes its summary with it.
    await answered(db).deleteFrom('chat').where('id', '=', idOf(chat)).execute()
    await answered(db)
      .insertInto('chat')
      .values(olderChat(chat) as never)
      .execute()
  },
}

test('what is kept of a chat is what a look would find, whatever changes it, committed or undone', async () => {
  const { db, kept, read } = await start()
  let state = 20_261_123
  const random = () => {
    state = (state * 1_103_515_245 + 12_345) % 2_147_483_648
    return state / 2_147_483_648
  }
  const names = [...Object.keys(changes), 'answer', 'answer', 'answer', 'answer']
  const compare = async (why: string) => {
    for (const chat of CHATS) {
      const at = random() < 0.2 ? timeOf(Math.floor(random() * made)) : LAST
      const found = await read.of(organizationId, idOf(chat), at)
      const known = await kept.of(organizationId, idOf(chat), at)
      expect(plain(known), `${why}, of ${chat} at ${at}`).toEqual(plain(found))
    }
  }
  for (let step = 0; step < 600; step++) {
    const name = names[Math.floor(random() * names.length)]!
    const chat = CHATS[Math.floor(random() * CHATS.length)]!
    const change = (tx: Db | Tx) => changes[name]!(tx, chat, random())
    if (random() < 0.3) {
      const undone = db.transaction().execute(async (tx) => {
        await change(tx)
        if (random() < 0.5) await kept.of(organizationId, idOf(chat), LAST)
        throw new Error('undone')
      })
      await expect(undone).rejects.toThrow('undone')
      await compare(`step ${step}, ${name} undone`)
    } else {
      // A look that began before the change must not be kept after it.
      const looks = CHATS.map((one) => kept.of(organizationId, idOf(one), LAST))
      await change(db)
      await Promise.all(looks)
      await compare(`step ${step}, ${name}`)
    }
  }
})

test('an answer is added to what is kept, a statement that fails and another process make it read again', async () => {
  const { db, all, path, kept, read } = await start()
  await changes.answer!(db, '1', 1)
  const look = () => kept.of(organizationId, idOf('1'), LAST)
  const first = await look()
  expect(await look()).toBe(first)
  await changes.answer!(db, '1', 1)
  const second = await look()
  // It was not read: the turn of before is the same object.
  expect(second.turns[1]).toBe(first.turns[0])

  // The first row is written, and undone with the second one.
  const twin = messageOf('1')
  await expect(all.insertInto('message').values([twin, twin]).execute()).rejects.toThrow(/UNIQUE/)
  expect(plain(await look())).toEqual(plain(second))

  const other = new DatabaseSync(path)
  other.exec(`delete from message where id = '${second.turns[0]!.id}'`)
  other.close()
  expect(plain(await look())).toEqual(plain(first))
  expect(await look()).toEqual(await read.of(organizationId, idOf('1'), LAST))
})

test('only as many characters are kept as there is room for', async () => {
  const { db, all, kept, read } = await start()
  const response = 'x'.repeat(5_000_000)
  for (const chat of CHATS) await all.insertInto('message').values(messageOf(chat, { response })).execute()
  const look = (chat: string) => kept.of(organizationId, idOf(chat), LAST)
  const first = await look('1')
  expect(await look('1')).toBe(first)
  const second = await look('2')
  expect(await look('2')).toBe(second)
  expect(await look('1')).not.toBe(first)
  for (const chat of CHATS) await changes.answer!(db, chat, 1)
  for (const chat of CHATS)
    expect(plain(await look(chat))).toEqual(plain(await read.of(organizationId, idOf(chat), LAST)))
})
