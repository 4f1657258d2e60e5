import { sql } from 'kysely'
import { describe, expect, test } from 'vitest'
import type { PlainMessage } from '../../../src/chats/messages/message-life.inserts.store.ts'
import { insertMessage } from '../../../src/chats/messages/message-life.store.ts'
import { findMessage } from '../../../src/chats/messages/messages.store.ts'
import { createQueryWrites } from '../../../src/chats/queries/query-writes.ts'
import { MOST_WAITING } from '../../../src/chats/runs/runs.errors.ts'
import type { Tx } from '../../../src/db.ts'
import { CommitUnansweredError } from '../../../src/platform/database/away-errors.ts'
import { acrossOrganizations } from '../../../src/platform/database/statements/across-organizations.ts'
import { createWebhookService } from '../../../src/webhooks/webhooks.service.ts'
import { startTestChat } from '../../support/chats/chat.ts'
import { insertPlainChat } from '../../support/chats/chat-rows.ts'
import { isOnPostgres } from '../../support/database/database.ts'
import { shareTestApps } from '../../support/test-app.ts'

shareTestApps()

const AT = '2026-01-01T00:00:00.000Z'
const OTHER = '0123456789abcdef0000000e'

async function start() {
  const chat = await startTestChat()
  const { services, owner, agentId } = chat
  const { newId } = services
  const { organizationId, workspaceId } = owner
  const db = services.db
  const commit = <R>(write: (tx: Tx) => Promise<R>): Promise<R> => services.writes.commit(write)
  const sizes: number[] = []
  const webhooks = createWebhookService({ ...services, outbound: {} as never })
  const newWrites = () =>
    createQueryWrites({ db, webhooks, queue: services.queue, onCommitted: (size) => sizes.push(size) })
  const writes = newWrites()

  const newChat = (fields = {}) => commit((tx) => insertPlainChat(tx, chat, fields))

  const inChat = (chatId: string, changes: Partial<PlainMessage> = {}): PlainMessage => ({
    ...{
      id: newId(),
      chatId,
      agentId,
      processId: 'here',
      query: 'Hi',
      isPinned: false,
      workspaceId,
      visitorId: null,
      virtualUserId: null,
      memberId: null,
    },
    ...{ mode: 'blocking', jobId: null, knowledgeBaseIds: null, quickActionId: null, apiKeyId: 'k' },
    rightsHolderId: null,
    ...{ quickActionFields: [], fingerprint: 'f', createdAt: AT, webhookUrl: null, ...changes },
  })

  const insert = (...messages: PlainMessage[]) =>
    Promise.all(messages.map((message) => writes.insert(organizationId, message)))
  const insertAlone = (message: PlainMessage) =>
    commit((tx) => insertMessage(tx, organizationId, { ...message, virtualUserId: null }))
  const rowOf = ({ id }: PlainMessage) => findMessage(db, organizationId, id)
  const countOf = async (chatId: string) =>
    db
      .selectFrom('chat')
      .select(['message_count', 'last_place', 'last_message_at'])
      .where('organization_id', '=', organizationId)
      .where('id', '=', chatId)
      .executeTakeFirstOrThrow()
  const answer = ({ id }: PlainMessage, response: string) =>
    db
      .updateTable('message')
      .set({ status: 'completed', response })
      .where('organization_id', '=', organizationId)
      .where('id', '=', id)
      .execute()
  const deliveries = () =>
    db
      .selectFrom('webhook_delivery')
      .select(['message_id', 'url', 'origin'])
      .where('organization_id', '=', organizationId)
      .orderBy('url')
      .execute()
  /** Keeps a chat from being written until it is let go of. */
  async function hold(chatId: string) {
    const [isHeld, mayEnd] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()]
    const holding = commit(async (tx) => {
      await tx
        .selectFrom('chat')
        .select('id')
        .where('organization_id', '=', organizationId)
        .where('id', '=', chatId)
        .forUpdate()
        .execute()
      isHeld.resolve()
      await mayEnd.promise
    })
    await isHeld.promise
    return async () => {
      mayEnd.resolve()
      await holding
    }
  }
  /** Lets the first insert of a message fail as if it had lost a deadlock. */
  async function loseOneDeadlock() {
    await sql`create sequence inserted`.execute(db)
    await sql`
      create function lose() returns trigger language plpgsql as $$ begin
        if nextval('inserted') = 1 then raise 'lost' using errcode = '40P01'; end if;
        return new;
      end $$`.execute(db)
    await sql`create trigger lose before insert on message for each row execute function lose()`.execute(db)
  }
  const tools = { newChat, inChat, insert, insertAlone, rowOf, countOf, answer, hold, loseOneDeadlock }
  return { db, commit, organizationId, writes, newWrites, sizes, newId, deliveries, ...tools }
}

describe.runIf(isOnPostgres)('queries that are stored together', () => {
  test('are what each would be alone', async () => {
    const { newChat, inChat, insert, insertAlone, rowOf, countOf, sizes } = await start()
    const changes = {
      ...{ query: '"two"\\ a\0b', isPinned: true, knowledgeBaseIds: ['x', '"'], mode: 'streaming' as const },
      quickActionFields: [{ field_name: 'a', field_value: '\\' }],
    }
    const [one, two, alone] = [
      inChat(await newChat()),
      inChat(await newChat(), changes),
      inChat(await newChat(), changes),
    ]
    const nothing = {
      before: [],
      remembered: { turns: [], coversId: null },
      hasFiles: false,
      leafId: null,
      projectId: null,
    }
    const standing = { place: 1, createdAt: AT, ...nothing }
    expect(await insert(one, two)).toEqual([standing, standing])
    expect(await insertAlone(alone)).toEqual({
      place: 1,
      createdAt: AT,
      hasFiles: false,
      leafId: null,
      projectId: null,
    })
    const own = { id: '', chatId: '' }
    expect({ ...(await rowOf(two)), ...own }).toEqual({ ...(await rowOf(alone)), ...own })
    expect(await countOf(two.chatId)).toEqual(await countOf(alone.chatId))
    expect(sizes).toEqual([2])
  })

  test('of one chat stand in the order in which they came', async () => {
    const { newChat, inChat, insert, organizationId } = await start()
    const chatId = await newChat()
    const messages = [inChat(chatId), inChat(chatId), inChat(await newChat()), inChat(chatId)]
    const inserted = await insert(...messages)
    expect(inserted.map((each) => each?.place)).toEqual([1, 2, 1, 3])
    const held = ({ id }: PlainMessage) => ({ id, organizationId, processId: 'here' })
    expect(inserted[1]!.before).toEqual([held(messages[0]!)])
    expect(new Set(inserted[3]!.before)).toEqual(new Set([held(messages[0]!), held(messages[1]!)]))
  })

  test('are never earlier than what is in the chat', async () => {
    const { newChat, inChat, insert, rowOf, countOf } = await start()
    const chatId = await newChat()
    const later = '2026-03-29T00:59:59.999Z'
    await insert(inChat(chatId, { createdAt: later }))
    const early = inChat(chatId)
    expect(await insert(early)).toMatchObject([{ place: 2, createdAt: '2026-03-29T01:00:00.000Z' }])
    expect(await rowOf(early)).toMatchObject({ createdAt: '2026-03-29T01:00:00.000Z' })
    expect(await countOf(chatId)).toMatchObject({ message_count: 2, last_message_at: '2026-03-29T01:00:00.000Z' })
  })

  test('come with what is remembered of their chats', async () => {
    const { newChat, inChat, insert, answer } = await start()
    const chatId = await newChat()
    for (const response of ['one', 'two', '']) {
      const message = inChat(chatId, { query: `what comes before ${response}` })
      await insert(message)
      await answer(message, response)
    }
    const [known, fresh] = await insert(inChat(chatId), inChat(await newChat()))
    expect(known!.remembered.turns.map(({ query, response }) => [query, response])).toEqual([
      ['what comes before two', 'two'],
      ['what comes before one', 'one'],
    ])
    expect(fresh!.remembered.turns).toEqual([])
  })

  test('leave out those of a full chat, of another owner, and those that are there', async () => {
    const { newChat, inChat, insert, countOf, newId, sizes } = await start()
    const full = await newChat()
    for (let count = 0; count <= MOST_WAITING; count++) expect(await insert(inChat(full))).toMatchObject([{}])
    const own = await newChat()
    const there = inChat(own)
    await insert(there)
    sizes.length = 0
    const left = [
      inChat(full),
      { ...there, chatId: await newChat() },
      inChat(own, { workspaceId: newId() }),
      inChat(await newChat(), { visitorId: newId() }),
      inChat(await newChat({ chatType: 'configuration' })),
      inChat(newId()),
    ]
    const good = inChat(await newChat())
    const inserted = await insert(...left, good)
    expect(inserted.slice(0, -1)).toEqual(left.map(() => undefined))
    expect(inserted.at(-1)).toMatchObject({ place: 1 })
    expect(sizes).toEqual([1])
    expect(await countOf(full)).toMatchObject({ message_count: MOST_WAITING + 1, last_place: MOST_WAITING + 1 })
    expect(await countOf(own)).toMatchObject({ message_count: 1, last_place: 1 })
    for (const { chatId } of left.slice(3, 5)) expect(await countOf(chatId)).toMatchObject({ message_count: 0 })
  })

  test('are stored one by one when one of them cannot be', async () => {
    const { newChat, inChat, insert, rowOf, countOf, sizes } = await start()
    const chatId = await newChat()
    const bad = inChat(await newChat(), { query: null as never })
    const inserted = await insert(inChat(chatId), bad, inChat(await newChat()), inChat(chatId))
    expect(inserted.map((each) => each?.place)).toEqual([1, undefined, 1, 2])
    expect(await rowOf(bad)).toBeUndefined()
    expect(await countOf(bad.chatId)).toMatchObject({ message_count: 0 })
    expect(sizes).toEqual([1, 1, 1])
  })

  test('come with task and delivery when they are asked in the background, and only then', async () => {
    const { newChat, inChat, insert, insertAlone, rowOf, deliveries, sizes } = await start()
    const url = 'http://127.0.0.1:1/hook'
    const there = inChat(await newChat())
    await insertAlone(there)
    const asked = { mode: 'async', processId: '', webhookUrl: url } as const
    const [one, two] = [inChat(await newChat(), asked), inChat(await newChat(), { ...asked, webhookUrl: `${url}/2` })]
    const waited = inChat(await newChat())
    const left = { ...there, ...asked, chatId: await newChat() }
    expect(await insert(one, waited, left, two)).toMatchObject([{ place: 1 }, { place: 1 }, undefined, { place: 1 }])
    expect(sizes).toEqual([3])
    const origin = 'http://127.0.0.1:1'
    expect(await deliveries()).toEqual([
      { message_id: one.id, url, origin },
      { message_id: two.id, url: `${url}/2`, origin },
    ])
    for (const message of [one, two]) await expect.poll(async () => (await rowOf(message))!.status).toBe('completed')
    expect((await rowOf(waited))!.status).toBe('in_progress')
  })

  test('leave neither task nor delivery behind when they cannot be stored', async () => {
    const { newChat, inChat, insert, deliveries } = await start()
    const asked = { mode: 'async', processId: '', webhookUrl: 'http://127.0.0.1:1/hook' } as const
    const bad = inChat(await newChat(), { ...asked, query: null as never })
    const good = inChat(await newChat(), asked)
    expect(await insert(bad, good)).toMatchObject([undefined, { place: 1 }])
    expect(await deliveries()).toMatchObject([{ message_id: good.id }])
  })

  test('are tried again after a deadlock', async () => {
    const { newChat, inChat, insert, loseOneDeadlock, countOf, sizes } = await start()
    await loseOneDeadlock()
    const messages = [inChat(await newChat()), inChat(await newChat())]
    expect(await insert(...messages)).toMatchObject([{ place: 1 }, { place: 1 }])
    expect(sizes).toEqual([2])
    for (const { chatId } of messages) expect(await countOf(chatId)).toMatchObject({ message_count: 1 })
  })

  test('do not wait for long for a chat that is locked', async () => {
    const { newChat, inChat, insert, hold, rowOf } = await start()
    const [held, free] = [inChat(await newChat()), inChat(await newChat())]
    const letGo = await hold(held.chatId)
    expect(await insert(held, free)).toEqual([undefined, undefined])
    await letGo()
    expect([await rowOf(held), await rowOf(free)]).toEqual([undefined, undefined])
    expect(await insert(held, free)).toMatchObject([{ place: 1 }, { place: 1 }])
  })

  test('of two processes in the same chats at once wait for each other in no circle', async () => {
    const { newWrites, newChat, inChat, organizationId, countOf } = await start()
    const chats = await Promise.all(Array.from({ length: 8 }, () => newChat()))
    const [here, there] = [newWrites(), newWrites()]
    // On a busy machine one may wait for the other for too long.
    const insertIn = async (writes: typeof here, chatId: string) => {
      const message = inChat(chatId)
      while (!(await writes.insert(organizationId, message)));
    }
    await Promise.all(
      [0, 1].flatMap(() => [
        ...chats.map((chatId) => insertIn(here, chatId)),
        ...chats.toReversed().map((chatId) => insertIn(there, chatId)),
      ]),
    )
    for (const chatId of chats) expect(await countOf(chatId)).toMatchObject({ message_count: 4, last_place: 4 })
  })

  test('are stored or not, and never twice, when the connection is lost meanwhile', async () => {
    const { db, writes, newChat, inChat, hold, organizationId, rowOf, countOf } = await start()
    const [held, free] = [inChat(await newChat()), inChat(await newChat())]
    const letGo = await hold(held.chatId)
    const insertBoth = () =>
      Promise.allSettled([held, free].map((message) => writes.insert(organizationId, message))).then((all) =>
        all.map((each) => (each.status === 'fulfilled' ? each.value : each.reason)),
      )
    const cut = sql`select pg_terminate_backend(pid) from pg_stat_activity
      where wait_event_type = 'Lock' and datname = current_database()`
    // They wait for half a second only, in which a busy machine may not come to cut them off.
    for (let cuts = 0; cuts === 0; ) {
      let isOver = false
      const inserting = insertBoth().finally(() => {
        isOver = true
      })
      while (cuts === 0 && !isOver) cuts += (await cut.execute(db)).rows.length
      const outcomes = await inserting
      // The server said that it ended the connection, or nobody said anything.
      for (const outcome of outcomes)
        expect(outcome ?? new CommitUnansweredError(0)).toBeInstanceOf(CommitUnansweredError)
    }
    await letGo()
    expect([await rowOf(held), await rowOf(free)]).toEqual([undefined, undefined])
    expect(await insertBoth()).toMatchObject([{ place: 1 }, { place: 1 }])
    expect(await insertBoth()).toEqual([undefined, undefined])
    expect(await countOf(held.chatId)).toMatchObject({ message_count: 1 })
  })

  test('are of one organization, and write nothing of another', async () => {
    const { db, writes, newChat, inChat, organizationId, rowOf, sizes } = await start()
    await acrossOrganizations(db)
      .insertInto('organization')
      .values({ id: OTHER, name: 'Other', created_at: AT })
      .execute()
    const [own, second, foreign] = [inChat(await newChat()), inChat(await newChat()), inChat(await newChat())]
    const inserted = await Promise.all([
      writes.insert(organizationId, own),
      writes.insert(OTHER, foreign),
      writes.insert(organizationId, second),
    ])
    expect(inserted).toMatchObject([{ place: 1 }, undefined, { place: 1 }])
    expect(sizes).toEqual([2])
    expect(await rowOf(foreign)).toBeUndefined()
  })
})
