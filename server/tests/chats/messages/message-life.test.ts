import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import {
  claimMessage,
  completeMessage,
  endMessage,
  endWaitingMessage,
  type Fence,
  insertMessage,
  type MessageState,
  releaseMessage,
  stateOf,
  storeProgress,
  suspendMessage,
  wakeMessage,
} from '../../../src/chats/messages/message-life.store.ts'
import { findMessage } from '../../../src/chats/messages/messages.store.ts'
import { listBefore } from '../../../src/chats/runs/directory/holders.store.ts'
import { CancelledError, InterruptedError } from '../../../src/chats/runs/runs.errors.ts'
import type { Db, Tx } from '../../../src/db.ts'
import { isUniqueViolation } from '../../../src/platform/database/errors.ts'
import { startTestChat } from '../../support/chats/chat.ts'
import { insertPlainChat } from '../../support/chats/chat-rows.ts'
import { shareTestApps } from '../../support/test-app.ts'

shareTestApps()

const SOURCES = join(import.meta.dirname, '../../../src')
const AT = '2026-01-01T00:00:00.000Z'
const PROCESS = 'a'
const USED = { inputTokens: 3, cachedInputTokens: 1, outputTokens: 2, reasoningTokens: 0 }
const RESULT = {
  response: 'Hello',
  reasoning: '',
  citations: [],
  log: [],
  outputCount: 0,
  model: 'test/x',
  usage: USED,
  costMicros: null,
  at: AT,
}

const ERRORS = {
  completed: null,
  failed: 'The model failed',
  cancelled: new CancelledError().message,
  interrupted: new InterruptedError().message,
}

/** States that a message can come to, by where it was and by statement: the table that the module's docstring shows. */
function transitions(): Map<string, Map<MessageState, string[]>> {
  const source = readFileSync(join(SOURCES, 'chats/messages/message-life.store.ts'), 'utf8')
  const lines = [...source.matchAll(/^ \* \|(.*)\|$/gm)].map(([, line]) => line!.split('|').map((cell) => cell.trim()))
  const [head, , ...rows] = lines
  return new Map(
    rows.map(([from, ...cells]) => [
      from!,
      new Map(
        cells.map((cell, index) => [
          head![index + 1] as MessageState,
          cell.split(',').flatMap((name) => name.trim() || []),
        ]),
      ),
    ]),
  )
}

interface At {
  fence: Fence & { chatId: string }
  chat: { chatId: string; mode: 'async' }
}
type Statement = [name: string, run: (tx: Tx, at: At) => Promise<boolean>]

const STATEMENTS: Statement[] = [
  ['claim', (tx, { fence }) => claimMessage(tx, fence, 'b')],
  ['release', (tx, { fence }) => releaseMessage(tx, fence)],
  ['progress', (tx, { fence }) => storeProgress(tx, fence, { response: 'Hel', reasoning: '', events: '[]' })],
  ['suspend', (tx, { fence }) => suspendMessage(tx, fence, RESULT)],
  ['wake', (tx, { fence, chat }) => wakeMessage(tx, fence, chat, AT)],
  ...Object.values(ERRORS).flatMap((errorMessage): Statement[] => [
    ['complete', (tx, { fence }) => completeMessage(tx, fence, { ...RESULT, errorMessage })],
    ...(errorMessage === null
      ? []
      : [
          ['endWaiting', (tx, { fence }) => endWaitingMessage(tx, fence, { ...RESULT, errorMessage })] as Statement,
          ['end', (tx, { fence }) => endMessage(tx, fence, { errorMessage, log: [], at: AT })] as Statement,
        ]),
  ]),
]

async function start() {
  const chat = await startTestChat()
  const { services, owner, agentId } = chat
  const { db, newId } = services
  const { organizationId } = owner

  const commit = <R>(write: (tx: Tx) => Promise<R>): Promise<R> => services.writes.commit(write)
  const newChat = () => commit((tx) => insertPlainChat(tx, chat))

  async function accept(chatId: string, processId: string, id = newId()): Promise<At> {
    const message = { id, chatId, agentId, processId, query: 'Hi', isPinned: false, virtualUserId: null, apiKeyId: 'k' }
    const asked = { mode: 'async' as const, jobId: null, knowledgeBaseIds: null, quickActionId: null }
    await commit((tx) =>
      insertMessage(tx, organizationId, {
        ...message,
        ...asked,
        rightsHolderId: null,
        quickActionFields: [],
        fingerprint: 'f',
        createdAt: AT,
      }),
    )
    const fence = { organizationId, messageId: id, attempt: processId === '' ? 0 : 1, chatId }
    return { fence, chat: { chatId, mode: 'async' } }
  }

  /** A message that is in this state, in a chat of its own. */
  const inState: Record<string, () => Promise<At>> = {
    '(none)': async () => {
      const chatId = await newChat()
      const fence = { organizationId, messageId: newId(), attempt: 0, chatId }
      return { fence, chat: { chatId: chatId, mode: 'async' } }
    },
    accepted: async () => accept(await newChat(), ''),
    async 'in line'() {
      const chatId = await newChat()
      await accept(chatId, PROCESS)
      return accept(chatId, PROCESS)
    },
    running: async () => accept(await newChat(), PROCESS),
    async waiting() {
      const at = await accept(await newChat(), PROCESS)
      expect(await commit((tx) => suspendMessage(tx, at.fence, RESULT))).toBe(true)
      return at
    },
    ...Object.fromEntries(
      Object.entries(ERRORS).map(([state, errorMessage]) => [
        state,
        async () => {
          const at = await accept(await newChat(), PROCESS)
          expect(await commit((tx) => completeMessage(tx, at.fence, { ...RESULT, errorMessage }))).toBe(true)
          return at
        },
      ]),
    ),
  }

  const rowOf = (db: Db, { fence }: At) => findMessage(db, organizationId, fence.messageId)
  const chatOf = ({ fence }: At) =>
    db
      .selectFrom('chat')
      .selectAll()
      .where('organization_id', '=', organizationId)
      .where('id', '=', fence.chatId)
      .executeTakeFirst()

  /** All that is stored of it. */
  const stored = async (at: At) => ({ row: await rowOf(db, at), chat: await chatOf(at) })

  async function stateIn(at: At): Promise<MessageState | '(none)'> {
    const row = await rowOf(db, at)
    if (!row) return '(none)'
    const before = await listBefore(db, organizationId, { agentId, chatId: row.chatId, place: row.place })
    return stateOf(row, before.length > 0)
  }

  return { commit, accept, newChat, inState, stored, stateIn }
}

test('a message comes from one state to another as the table of its life says, and in no other way', async () => {
  const { commit, accept, newChat, inState, stored, stateIn } = await start()
  const table = transitions()
  expect([...table.keys()].sort()).toEqual(Object.keys(inState).sort())

  /** Statements of the table that were seen to do what it says. */
  const seen = new Map([...table].map(([from, to]) => [from, new Map([...to.keys()].map((key) => [key, new Set()]))]))
  const isAllowed = (from: string, name: string) => [...table.get(from)!.values()].some((names) => names.includes(name))

  for (const from of table.keys()) {
    for (const [name, run] of STATEMENTS) {
      const at = await inState[from]!()
      expect(await stateIn(at)).toBe(from)
      const before = await stored(at)
      const applied = await commit((tx) => run(tx, at))
      expect(applied, `${from}: ${name}`).toBe(isAllowed(from, name))
      if (applied)
        seen
          .get(from)!
          .get((await stateIn(at)) as MessageState)!
          .add(name)
      else expect(await stored(at), `${from}: ${name}`).toEqual(before)
    }
  }

  // A claimed message comes behind any that has a lower place.
  const chat = await newChat()
  await accept(chat, PROCESS)
  const later = await accept(chat, '')
  await commit((tx) => claimMessage(tx, later.fence, PROCESS))
  seen
    .get('accepted')!
    .get((await stateIn(later)) as MessageState)!
    .add('claim')

  const first = await newChat()
  const [running, inLine] = [await accept(first, PROCESS), await accept(first, PROCESS)]
  await commit((tx) => completeMessage(tx, running.fence, { ...RESULT, errorMessage: null }))
  expect(await stateIn(running)).toBe('completed')
  seen
    .get('in line')!
    .get((await stateIn(inLine)) as MessageState)!
    .add('(its turn)')

  for (const state of ['accepted', 'in line', 'running'] as const)
    seen
      .get('(none)')!
      .get((await stateIn(await inState[state]!())) as MessageState)!
      .add('accept')

  const sorted = (names: Iterable<unknown>) => [...names].sort()
  for (const [from, to] of table)
    for (const [state, names] of to)
      expect(sorted(seen.get(from)!.get(state)!), `${from} to ${state}`).toEqual(sorted(names))
})

test('an id is accepted once, whatever became of it', async () => {
  const { accept, inState, stored } = await start()
  for (const [state, make] of Object.entries(inState)) {
    if (state === '(none)') continue
    const at = await make()
    const before = await stored(at)
    const again = accept(at.fence.chatId, PROCESS, at.fence.messageId)
    expect(isUniqueViolation(await again.catch((error) => error)), state).toBe(true)
    expect(await stored(at), state).toEqual(before)
  }
})

test('whoever has another attempt than the message writes nothing, in any state', async () => {
  const { commit, inState, stored } = await start()
  for (const [state, make] of Object.entries(inState)) {
    const at = await make()
    const before = await stored(at)
    for (const step of [-1, 1]) {
      const stale = { ...at, fence: { ...at.fence, attempt: at.fence.attempt + step } }
      for (const [name, run] of STATEMENTS)
        expect(await commit((tx) => run(tx, stale)), `${state}: ${name}`).toBe(false)
    }
    expect(await stored(at), state).toEqual(before)
  }
})

test('no other module writes what a message is', () => {
  const files = globSync('**/*.ts', { cwd: SOURCES, exclude: ['migrations/**', '**/*.test.ts'] })
  const writes = /(insertInto|updateTable)\(\s*['"`]message['"`]|\b(update|insert\s+into)\s+"?message"?\s/i
  const writing = files.filter((file) => writes.test(readFileSync(join(SOURCES, file), 'utf8')))
  const names = ['batches.', 'inserts.', ''].map((many) => `chats/messages/message-life.${many}store.ts`)
  // It writes which message one follows, and whether it is shown.
  const branches = 'chats/branches/branches.store.ts'
  expect(writing.sort()).toEqual([branches, ...names])
})
