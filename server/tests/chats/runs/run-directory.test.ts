import { expect, test } from 'vitest'
import {
  claimMessage,
  completeMessage,
  type Fence,
  insertMessage,
  releaseMessage,
  suspendMessage,
  wakeMessage,
} from '../../../src/chats/messages/message-life.store.ts'
import { findMessage } from '../../../src/chats/messages/messages.store.ts'
import { Run } from '../../../src/chats/runs/run.ts'
import type { Tx } from '../../../src/db.ts'
import { startTestChat } from '../../support/chats/chat.ts'
import { insertPlainChat } from '../../support/chats/chat-rows.ts'
import { answer } from '../../support/models/model-server.ts'
import { shareTestApps } from '../../support/test-app.ts'

shareTestApps()

const AT = '2026-01-01T00:00:00.000Z'
const RESULT = {
  response: 'Hello',
  reasoning: '',
  errorMessage: null,
  citations: [],
  log: [],
  outputCount: 0,
  model: 'test/x',
  usage: { inputTokens: 3, cachedInputTokens: 1, outputTokens: 2, reasoningTokens: 0 },
  costMicros: null,
  at: AT,
}

/** A chat and messages of it, as the directory of a server sees them: alone, or on PostgreSQL among others. */
async function start() {
  const chat = await startTestChat({ script: () => answer('Hello') })
  const { services, owner, agentId, ask } = chat
  const { db, writes, newId, registry, directory } = services
  const { organizationId } = owner
  const asked = (await ask('Who are you?')).body.data.message_id
  const { processId: ours } = (await findMessage(db, organizationId, asked))!

  const commit = <R>(write: (tx: Tx) => Promise<R>): Promise<R> => writes.commit(write)
  const chatId = await commit((tx) => insertPlainChat(tx, chat))

  const placeOf = (place: number) => ({ organizationId, agentId, chatId, place })

  /** Accepts a message; called in a transaction. @returns what comes before it, too */
  async function accept(tx: Tx, mode: 'async' | 'blocking', processId = ours) {
    const id = newId()
    const { place } = await insertMessage(tx, organizationId, {
      id,
      chatId,
      agentId,
      processId,
      query: 'Hi',
      isPinned: false,
      virtualUserId: null,
      apiKeyId: 'k',
      rightsHolderId: null,
      mode,
      jobId: null,
      knowledgeBaseIds: null,
      quickActionId: null,
      quickActionFields: [],
      fingerprint: 'f',
      createdAt: AT,
    })
    const before = await directory.before(tx, placeOf(place))
    const fence: Fence & { chatId: string } = { organizationId, messageId: id, attempt: 1, chatId }
    return { fence, place, before }
  }

  function addRun({ messageId }: Fence): Run {
    const run = new Run({ organizationId, chatId, messageId })
    registry.add(run)
    return run
  }
  const untilFirst = (place: number) => directory.untilFirst(placeOf(place), new AbortController().signal)
  return { directory, registry, commit, accept, addRun, untilFirst, ours, chatId }
}

test('what a worker has claimed and does not run yet comes first, however long that takes', async () => {
  const { directory, registry, commit, accept, untilFirst, ours, chatId } = await start()
  const left = await commit((tx) => accept(tx, 'async', 'gone'))
  directory.expect(chatId)
  const next = await commit((tx) => accept(tx, 'blocking'))
  expect(next.before).toEqual({ count: 1, hasOthers: true })
  const happened: string[] = []
  const begins = untilFirst(next.place).then(() => happened.push('the next one begins'))

  const giveUp = registry.announce(left.fence.organizationId, left.fence.messageId)!
  expect(registry.announce(left.fence.organizationId, left.fence.messageId)).toBeUndefined()
  expect(await commit((tx) => claimMessage(tx, left.fence, ours))).toBe(true)
  const later = await commit((tx) => accept(tx, 'blocking'))
  expect(later.before).toEqual({ count: 2, hasOthers: true })
  await commit((tx) => completeMessage(tx, { ...left.fence, attempt: 2 }, RESULT).then(() => happened.push('it ends')))
  giveUp()
  await begins
  expect(happened).toEqual(['it ends', 'the next one begins'])
})

test('a query that is accepted together with the wake of an earlier message comes after it', async () => {
  const { directory, commit, accept, chatId } = await start()
  const waiting = await commit((tx) => accept(tx, 'blocking'))
  await commit((tx) => suspendMessage(tx, waiting.fence, RESULT))
  expect((await commit((tx) => accept(tx, 'blocking'))).before).toEqual({ count: 0, hasOthers: false })
  // On the embedded database these share a transaction, on PostgreSQL they lock the same chat.
  const [, next] = await Promise.all([
    commit(async (tx) => {
      await wakeMessage(tx, waiting.fence, { chatId, mode: 'blocking' }, AT)
      directory.expect(chatId)
    }),
    commit((tx) => accept(tx, 'blocking')),
  ])
  if (next.place < 4) expect(next.before.count).toBe(1)
  else expect(next.before).toEqual({ count: 2, hasOthers: true })
})

test('a message that its run has let go of comes first, even while the run is still here', async () => {
  const { directory, registry, commit, accept, addRun, chatId } = await start()
  const first = await commit((tx) => accept(tx, 'async'))
  const run = addRun(first.fence)
  directory.expect(chatId)
  expect((await commit((tx) => accept(tx, 'async'))).before).toEqual({ count: 1, hasOthers: false })
  await commit(async (tx) => {
    expect(await releaseMessage(tx, first.fence)).toBe(true)
    directory.expect(chatId)
  })
  expect((await commit((tx) => accept(tx, 'async'))).before).toEqual({ count: 2, hasOthers: true })
  registry.remove(run)
})

test('what this process has and does not run holds up a chat only if a task will take it up', async () => {
  const { commit, accept, untilFirst } = await start()
  await commit((tx) => accept(tx, 'blocking'))
  const durable = await commit((tx) => accept(tx, 'async'))
  await untilFirst(durable.place)
  const next = await commit((tx) => accept(tx, 'blocking'))
  const happened: string[] = []
  const begins = untilFirst(next.place).then(() => happened.push('the next one begins'))
  await commit((tx) => completeMessage(tx, durable.fence, RESULT).then(() => happened.push('it ends')))
  await begins
  expect(happened).toEqual(['it ends', 'the next one begins'])
})
