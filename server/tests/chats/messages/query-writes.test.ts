import { sql } from 'kysely'
import { describe, expect, test } from 'vitest'
import type { PlainEnd } from '../../../src/chats/messages/message-life.batches.store.ts'
import { completeMessage, insertMessage } from '../../../src/chats/messages/message-life.store.ts'
import { findMessage } from '../../../src/chats/messages/messages.store.ts'
import { createQueryWrites } from '../../../src/chats/queries/query-writes.ts'
import type { Tx } from '../../../src/db.ts'
import { acrossOrganizations } from '../../../src/platform/database/statements/across-organizations.ts'
import { createWebhookService } from '../../../src/webhooks/webhooks.service.ts'
import { startTestChat } from '../../support/chats/chat.ts'
import { insertPlainChat } from '../../support/chats/chat-rows.ts'
import { isOnPostgres } from '../../support/database/database.ts'
import { shareTestApps } from '../../support/test-app.ts'

shareTestApps()

const AT = '2026-01-01T00:00:00.000Z'
const USAGE = { inputTokens: 10, cachedInputTokens: 2, outputTokens: 3, reasoningTokens: 1 }

async function start() {
  const chat = await startTestChat()
  const { services, owner, agentId } = chat
  const { db, writes, newId } = services
  const { organizationId, workspaceId } = owner
  const webhooks = createWebhookService({ ...services, outbound: {} as never })
  const commit = <R>(write: (tx: Tx) => Promise<R>): Promise<R> => writes.commit(write)

  /** A message that this process runs, in a chat of its own, with the end that it is about to have. */
  async function running(response = 'Hello'): Promise<PlainEnd> {
    const messageId = newId()
    const chatId = await commit(async (tx) => {
      const chatId = await insertPlainChat(tx, chat)
      const message = { id: messageId, chatId, agentId, processId: 'here', query: 'Hi', isPinned: false }
      const asked = { mode: 'blocking' as const, jobId: null, knowledgeBaseIds: null, quickActionId: null }
      const by = {
        virtualUserId: null,
        rightsHolderId: null,
        apiKeyId: 'k',
        quickActionFields: [],
        fingerprint: 'f',
        createdAt: AT,
      }
      await insertMessage(tx, organizationId, { ...message, ...asked, ...by })
      return chatId
    })
    const said = { response, reasoning: 'so', errorMessage: null, citations: [], log: [], outputCount: 0 }
    return {
      fence: { organizationId, messageId, attempt: 1, chatId },
      result: { ...said, model: 'a/b', usage: USAGE, costMicros: null, at: AT },
      used: { workspaceId, agentId, model: 'a/b', keyId: 'k', day: '2026-01-01' },
      isDelivered: false,
    }
  }

  const rowOf = async ({ fence }: PlainEnd) => (await findMessage(db, organizationId, fence.messageId))!
  const statusOf = async (end: PlainEnd) => (await rowOf(end))?.status
  const tokensOf = async ({ fence }: PlainEnd) =>
    (
      await db
        .selectFrom('chat')
        .select('total_tokens')
        .where('organization_id', '=', organizationId)
        .where('id', '=', fence.chatId)
        .executeTakeFirstOrThrow()
    ).total_tokens
  const delivery = ({ fence }: PlainEnd) =>
    db
      .selectFrom('webhook_delivery')
      .select(['status', 'turn', 'attempts'])
      .where('organization_id', '=', organizationId)
      .where('message_id', '=', fence.messageId)
      .executeTakeFirstOrThrow()
  const sums = () =>
    db
      .selectFrom('usage_sum')
      .select(['messages', 'input_tokens', 'output_tokens', 'cost_micros', 'unpriced_tokens'])
      .where('organization_id', '=', organizationId)
      .where('period', '=', '2026-01-01')
      .execute()
  /** Keeps a message from being written until it is let go of. */
  async function hold({ fence }: PlainEnd) {
    const [isHeld, mayEnd] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()]
    const holding = commit(async (tx) => {
      await tx
        .selectFrom('message')
        .select('id')
        .where('organization_id', '=', organizationId)
        .where('id', '=', fence.messageId)
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
  return {
    db,
    commit,
    organizationId,
    webhooks,
    delivery,
    running,
    rowOf,
    statusOf,
    tokensOf,
    sums,
    hold,
    writes: createQueryWrites({ db, webhooks, queue: services.queue }),
  }
}

describe.runIf(isOnPostgres)('ends that are stored together', () => {
  test('are what each would be alone, with tokens and sums counted once', async () => {
    const { writes, organizationId, running, rowOf, tokensOf, sums, commit } = await start()
    const ends = await Promise.all(['one', '"two"\\', 'a\0b'].map((response) => running(response)))
    const priced = { ...ends[0]!, result: { ...ends[0]!.result, costMicros: 7, errorMessage: 'no' } }
    const all = [priced, ends[1]!, ends[2]!]
    const stored = await Promise.all(all.map((end) => writes.end(organizationId, end)))
    expect(stored).toEqual([true, true, true])
    const alone = await running('a\0b')
    expect(await commit((tx) => completeMessage(tx, alone.fence, alone.result))).toBe(true)
    const own = { id: '', chatId: '' }
    expect({ ...(await rowOf(ends[2]!)), ...own }).toEqual({ ...(await rowOf(alone)), ...own })
    expect(await rowOf(priced)).toMatchObject({ costMicros: 7, errorMessage: 'no', response: 'one' })
    for (const end of all) expect(await tokensOf(end)).toBe(13)
    const once = { messages: 3, input_tokens: 30, output_tokens: 9, cost_micros: 7, unpriced_tokens: 26 }
    expect(await sums()).toEqual([once])
    expect(await Promise.all(all.map((end) => writes.end(organizationId, end)))).toEqual([false, false, false])
    expect(await sums()).toEqual([once])
  })

  test('leave out what another attempt has, what ended before and what is gone', async () => {
    const { writes, organizationId, running, statusOf, sums } = await start()
    const [taken, gone, good] = [await running(), await running(), await running()]
    const ends = [
      { ...taken, fence: { ...taken.fence, attempt: 2 } },
      { ...gone, fence: { ...gone.fence, messageId: '0123456789abcdef000000ff' } },
      good,
    ]
    expect(await Promise.all(ends.map((end) => writes.end(organizationId, end)))).toEqual([false, false, true])
    expect([await statusOf(taken), await statusOf(good)]).toEqual(['in_progress', 'completed'])
    expect(await sums()).toMatchObject([{ messages: 1 }])
  })

  test('all stay what they were when one of them cannot be stored', async () => {
    const { writes, organizationId, running, statusOf, sums } = await start()
    const [bad, good] = [await running(), await running()]
    bad.result.outputCount = Number.NaN
    expect(await Promise.all([bad, good].map((end) => writes.end(organizationId, end)))).toEqual([false, false])
    expect([await statusOf(bad), await statusOf(good)]).toEqual(['in_progress', 'in_progress'])
    expect(await sums()).toEqual([])
    expect(await writes.end(organizationId, good)).toBe(true)
  })

  test('do not wait for long for one that is locked', async () => {
    const { writes, organizationId, running, statusOf, hold } = await start()
    const [held, free] = [await running(), await running()]
    const letGo = await hold(held)
    expect(await Promise.all([held, free].map((end) => writes.end(organizationId, end)))).toEqual([false, false])
    await letGo()
    expect([await statusOf(held), await statusOf(free)]).toEqual(['in_progress', 'in_progress'])
  })

  test('are stored or not, and never twice, when the connection is lost meanwhile', async () => {
    const { db, writes, organizationId, running, statusOf, hold, sums } = await start()
    const [held, free] = [await running(), await running()]
    const letGo = await hold(held)
    const endBoth = () => Promise.all([held, free].map((end) => writes.end(organizationId, end)))
    const cut = sql`select pg_terminate_backend(pid) from pg_stat_activity
      where wait_event_type = 'Lock' and datname = current_database()`
    // They wait for half a second only, in which a busy machine may not come to cut them off.
    for (let cuts = 0; cuts === 0; ) {
      let isOver = false
      const ending = endBoth().finally(() => {
        isOver = true
      })
      while (cuts === 0 && !isOver) cuts += (await cut.execute(db)).rows.length
      expect(await ending).toEqual([false, false])
    }
    await letGo()
    expect([await statusOf(held), await statusOf(free)]).toEqual(['in_progress', 'in_progress'])
    expect(await endBoth()).toEqual([true, true])
    expect(await sums()).toMatchObject([{ messages: 2 }])
  })

  test('make the deliveries due of those that were asked in the background', async () => {
    const { writes, commit, organizationId, running, webhooks, delivery } = await start()
    const [told, gone, untold] = [await running(), await running(), await running()]
    const { workspaceId } = told.used
    for (const { fence } of [told, gone]) {
      const url = 'http://127.0.0.1:1/hook'
      const messages = [{ workspaceId, messageId: fence.messageId, url }]
      await commit((tx) => webhooks.openDeliveries(tx, organizationId, messages))
    }
    const ends = [
      { ...told, isDelivered: true },
      { ...gone, isDelivered: true, fence: { ...gone.fence, attempt: 2 } },
      untold,
    ]
    expect(await Promise.all(ends.map((end) => writes.end(organizationId, end)))).toEqual([true, false, true])
    expect(await delivery(told)).toMatchObject({ turn: 1 })
    expect(await delivery(gone)).toMatchObject({ turn: 0, status: 'waiting' })
    // Nobody listens there: the task that sends it has tried it.
    await expect.poll(async () => (await delivery(told)).attempts).toBeGreaterThan(0)
  })

  test('are of one organization, and write nothing of another', async () => {
    const { db, writes, organizationId, running, statusOf } = await start()
    const other = '0123456789abcdef0000000e'
    await acrossOrganizations(db)
      .insertInto('organization')
      .values({ id: other, name: 'Other', created_at: AT })
      .execute()
    const [own, foreign] = [await running(), await running()]
    expect(await Promise.all([writes.end(organizationId, own), writes.end(other, foreign)])).toEqual([true, false])
    expect([await statusOf(own), await statusOf(foreign)]).toEqual(['completed', 'in_progress'])
  })
})
