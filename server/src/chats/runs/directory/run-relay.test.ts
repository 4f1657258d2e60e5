import { expect, onTestFinished, test, vi } from 'vitest'
import { createLocalPubSub } from '../../../platform/cluster/pubsub/pubsub.ts'
import { createIds } from '../../../platform/ids.ts'
import type { EventBatch } from '../../events/event-batch.ts'
import { Run } from '../run.ts'
import { lastSeqOf } from '../run-log.ts'
import { RemoteRuns } from './remote-runs.ts'
import { RunRelay } from './run-relay.ts'
import { decode, encode, type Question, type Reply, RUNS_CHANNEL } from './run-talk.ts'

const ID = { organizationId: 'o', chatId: 'c', messageId: '0123456789abcdef01234567' }
const THERE = { processId: 'there', organizationId: 'o', messageId: ID.messageId }

/** A run of the process `there`, and the process `here`, which hears of it through pubsub. */
function startTwo() {
  const pubsub = createLocalPubSub()
  const run = new Run(ID)
  const relay = new RunRelay({ registry: { find: () => run }, pubsub, membership: { id: 'there' } })
  const remote = new RemoteRuns({ pubsub, newId: createIds(), membership: { id: 'here' } })
  const leave = new AbortController()
  onTestFinished(async () => {
    leave.abort()
    relay.close()
    remote.close()
    await pubsub.close()
  })
  return { pubsub, run, remote, signal: leave.signal }
}

/** Says all that a wire has trouble with, pieces of it too long for one signal. */
function speak(run: Run): void {
  run.events.reasoning('Hm "so"\u2028')
  run.events.endReasoning()
  run.events.response(['a\n\ndata: [DONE]\n\n', 'ü', '\ud83d', '\udc4b', '👋🏽', ''])
  run.events.toolCallStart({ id: 'c', toolName: 't' }, { query: '日本語' })
  run.events.response(['läng '.repeat(9_000), '日本'.repeat(4_000)])
}

test('what another process shows has the same bytes here, live and replayed', async () => {
  const { run, remote, signal } = startTwo()
  let there = ''
  run.read({ write: ({ sse }) => (there += sse), end() {} })
  const here: EventBatch[] = []
  const numbers: number[] = []
  const ended = remote.follow(
    THERE,
    -1,
    (batch, seq) => {
      here.push(batch)
      numbers.push(seq)
    },
    signal,
  )
  await vi.waitFor(() => expect(numbers).toEqual([0]))
  speak(run)
  await vi.waitFor(() => expect(numbers.at(-1)).toBe(run.lastSeq))
  run.events.response(['more'])
  await vi.waitFor(() => expect(numbers.at(-1)).toBe(run.lastSeq))
  expect(here.map(({ sse }) => sse).join('')).toBe(there)

  let replayed = ''
  run.read({ write: ({ sse }) => (replayed += sse), end() {} }, 1)
  const later: EventBatch[] = []
  const left = new AbortController()
  const leaving = remote.follow(THERE, 1, (batch) => later.push(batch), left.signal)
  await vi.waitFor(() => expect(later).toHaveLength(1))
  expect(later[0]!.sse).toBe(replayed)
  left.abort()
  expect(await leaving).toBe('left')

  run.seal(null, [])
  run.finish()
  // The end is told from the database.
  expect(await ended).toBe('over')
  expect(here.flatMap(({ events }) => events).filter(({ type }) => type === 'end_response')).toEqual([])
  expect(numbers.at(-1)).toBe(lastSeqOf(run.log) - 1)
})

test('a process of an earlier version that asks is sent text for a socket', async () => {
  const { pubsub, run } = startTwo()
  let there = ''
  run.read({ write: ({ sse }) => (there += sse), end() {} })
  speak(run)
  let heard = ''
  pubsub.subscribe(RUNS_CHANNEL, (payload) => {
    const said = decode('old', payload)
    if (said && 'say' in said.head && said.head.say === 'piece') heard += said.body
  })
  const question: Question = {
    ask: 'follow',
    organizationId: 'o',
    messageId: ID.messageId,
    from: 'old',
    session: 's',
    after: 3,
  }
  let expected = ''
  run.read({ write: ({ sse }) => (expected += sse), end() {} }, 3)
  pubsub.publish(RUNS_CHANNEL, encode('there', question))
  await vi.waitFor(() => expect(heard).toBe(expected))
})

test('text for a socket, from a process of an earlier version, is left to the database', async () => {
  const { pubsub, remote, signal } = startTwo()
  pubsub.subscribe(RUNS_CHANNEL, (payload) => {
    const said = decode('old', payload)
    if (!said || !('ask' in said.head) || said.head.ask !== 'follow') return
    const reply: Reply = { say: 'piece', session: said.head.session, number: 0, seq: 0 }
    pubsub.publish(RUNS_CHANNEL, encode('here', reply, 'data: {"type":"metadata"}\n\n'))
  })
  const written: EventBatch[] = []
  const outcome = await remote.follow({ ...THERE, processId: 'old' }, -1, (batch) => written.push(batch), signal)
  expect([outcome, written]).toEqual(['silence', []])
})
