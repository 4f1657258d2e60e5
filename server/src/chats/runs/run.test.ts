import { describe, expect, test } from 'vitest'
import { seededIntegers } from '../../../tests/support/seeded-random.ts'
import type { ToolPreview } from '../../agents/tools/tool.ts'
import { EventBatch, type EventReader } from '../events/event-batch.ts'
import type { MessageRecord } from '../messages/messages.store.ts'
import { Run } from './run.ts'
import { type LogEntry, replay } from './run-log.ts'
import { storedEvents } from './stored/stored-events.ts'

const ID = { organizationId: 'o', chatId: 'c', messageId: '0123456789abcdef01234567' }

interface WireEvent {
  type: string
  subtype: string | null
  text: string
  sequence_number: number
  data: unknown
}

/** Reads what a run writes; `isOver` once it was told that nothing more comes, after which nothing may come. */
function listener() {
  const batches: EventBatch[] = []
  const reader: EventReader & { isOver: boolean } = {
    isOver: false,
    write(batch) {
      expect(reader.isOver).toBe(false)
      batches.push(batch)
    },
    end() {
      reader.isOver = true
    },
  }
  const wire = () => batches.map(({ sse }) => sse).join('')
  return { reader, batches, events: () => parse(wire()), wire }
}

const parse = (wire: string): WireEvent[] =>
  wire
    .split('\n\n')
    .filter((frame) => frame !== '')
    .map((frame) => JSON.parse(frame.slice('data: '.length)))

const textOf = (events: WireEvent[], type: string) =>
  events
    .filter((event) => event.type === type)
    .map(({ text }) => text)
    .join('')

const others = (events: WireEvent[]) =>
  events.filter(({ type }) => type !== 'response' && type !== 'reasoning' && type !== 'ping')

const SEARCH = { id: 'call_1', toolName: 'search_knowledge' }
const preview: ToolPreview = { title: 'Found', content: 'a "b"\n', content_type: 'markdown', status: 'completed' }

const WORDS = ['a', 'ü', '👋🏽', '\ud83d', '\udc4b', 'word ', '\n\n', '"', '\\', 'data: [DONE]', '日本語', ' ']

function happen(run: Run, random: (below: number) => number, nowMs: () => number): void {
  const words = () => Array.from({ length: 1 + random(4) }, () => WORDS[random(WORDS.length)]!)
  const things = [
    () => run.events.response(words()),
    () => run.events.response(words()),
    () => run.events.reasoning(words().join('')),
    () => run.events.endReasoning(),
    () => run.events.toolCallStart(SEARCH, { query: 'x' }),
    () => run.events.toolCallResult(SEARCH, preview),
    () => run.pingIfSilent(nowMs()),
  ]
  things[random(things.length)]!()
}

/** Expects the rest of a stream to continue what was read: nothing twice, nothing missing. */
function expectContinuation(whole: WireEvent[], rest: WireEvent[], after: number) {
  const known = whole.filter((event) => event.sequence_number <= after)
  for (const type of ['response', 'reasoning']) {
    expect(textOf(known, type) + textOf(rest, type)).toBe(textOf(whole, type))
  }
  expect(others(rest)).toEqual(others(whole.filter((event) => event.sequence_number > after)))
  const numbers = rest.map((event) => event.sequence_number)
  expect(numbers.every((number, index) => number > (numbers[index - 1] ?? after))).toBe(true)
}

describe('resuming', () => {
  test.each(Array.from({ length: 40 }, (_, seed) => seed))(
    'from any event of story %i goes on exactly there',
    (seed) => {
      const random = seededIntegers(seed)
      const run = new Run(ID)
      const first = listener()
      run.read(first.reader)
      let nowMs = performance.now()
      const late: [number, ReturnType<typeof listener>][] = []
      const length = 5 + random(40)
      for (let i = 0; i < length; i++) {
        nowMs += random(3) * 6_000
        happen(run, random, () => nowMs)
        // Somebody comes in the middle, who has read as far as some earlier event.
        const latecomer = listener()
        const after = random(run.lastSeq + 2) - 1
        run.read(latecomer.reader, after)
        late.push([after, latecomer])
      }
      const log = run.seal(seed % 3 === 0 ? 'it failed' : null, [])
      run.finish()

      const whole = first.events()
      expect(whole.map((event) => event.sequence_number)).toEqual(whole.map((_, index) => index))
      expect(textOf(whole, 'response')).toBe(run.response)
      expect(textOf(whole, 'reasoning')).toBe(run.reasoning)
      for (const [after, { events, reader }] of late) {
        expectContinuation(whole, events(), after)
        expect(reader.isOver).toBe(true)
      }
      const stored: LogEntry[] = JSON.parse(JSON.stringify(log))
      const texts = { messageId: ID.messageId, response: run.response, reasoning: run.reasoning }
      for (let after = -1; after <= whole.length; after++) {
        expectContinuation(whole, parse(new EventBatch(replay(stored, texts, after)).sse), after)
        const finished = listener()
        run.read(finished.reader, after)
        expectContinuation(whole, finished.events(), after)
      }
    },
  )

  test('a log holds no texts: it stays small however long the answer', () => {
    const run = new Run(ID)
    for (let i = 0; i < 1_000; i++) run.events.response(['a secret word, said often '])
    const log = JSON.stringify(run.seal(null, []))
    expect(log).not.toContain('secret')
    expect(log.length).toBeLessThan(4_000)
  })
})

describe('readers of one run', () => {
  test('are handed the same batches: what one is sent is encoded for all', () => {
    const run = new Run(ID)
    const [first, second] = [listener(), listener()]
    run.read(first.reader)
    run.read(second.reader)
    run.events.response(['a', 'b'])
    run.events.toolCallStart(SEARCH, { query: 'x' })
    run.seal(null, [])
    run.finish()
    // Each has the beginning for itself.
    const shared = first.batches.slice(1)
    expect(shared).toHaveLength(3)
    for (const [index, batch] of shared.entries()) expect(second.batches[index + 1]).toBe(batch)
  })

  test('get the very same bytes from when they came on, whenever that was', () => {
    const random = seededIntegers(7)
    const run = new Run(ID)
    const first = listener()
    run.read(first.reader)
    const late: { came: number; past: string; latecomer: ReturnType<typeof listener> }[] = []
    let nowMs = performance.now()
    for (let i = 0; i < 30; i++) {
      nowMs += random(3) * 6_000
      happen(run, random, () => nowMs)
      const latecomer = listener()
      run.read(latecomer.reader)
      late.push({ came: first.wire().length, past: latecomer.wire(), latecomer })
    }
    run.seal(null, [])
    run.finish()
    const whole = first.wire()
    for (const { came, past, latecomer } of late) expect(latecomer.wire()).toBe(past + whole.slice(came))
  })
})

describe('a message without a log', () => {
  const row = (fields: Partial<MessageRecord>) =>
    ({
      id: ID.messageId,
      response: '',
      reasoning: '',
      events: '[]',
      status: 'completed',
      errorMessage: 'interrupted',
      ...fields,
    }) as MessageRecord

  const read = (fields: Partial<MessageRecord>, after?: number) => {
    const { reader, events } = listener()
    storedEvents(row(fields)).read(reader, after)
    return events()
  }

  test('is reported from its texts', () => {
    const events = read({ response: 'Half', reasoning: 'Hm' })
    expect(events.map(({ type, text }) => [type, text])).toEqual([
      ['metadata', ''],
      ['reasoning', 'Hm'],
      ['end_reasoning', ''],
      ['response', 'Half'],
      ['error', 'interrupted'],
    ])
    expect(read({ response: 'Half', reasoning: 'Hm' }, 2)).toEqual(events.slice(3))
    expect(read({}).map(({ type }) => type)).toEqual(['metadata', 'error'])
  })
})

describe('pings', () => {
  /** A run with a reader; `look` asks it whether it is silent at a time in milliseconds from its beginning. */
  function start() {
    const run = new Run(ID)
    const begun = performance.now()
    const { reader, events } = listener()
    run.read(reader)
    return { run, look: (ms: number) => run.pingIfSilent(begun + ms), types: () => events().map(({ type }) => type) }
  }

  test('one after the first second, then one in every five', () => {
    const { look, types } = start()
    look(990)
    expect(types()).toEqual(['metadata'])
    look(1_010)
    expect(types()).toEqual(['metadata', 'ping'])
    look(5_900)
    look(6_011)
    look(11_000)
    look(11_012)
    expect(types()).toEqual(['metadata', 'ping', 'ping', 'ping'])
  })

  test('five seconds after any event, not one', () => {
    const { run, look, types } = start()
    run.events.response(['a'])
    look(4_900)
    expect(types()).toEqual(['metadata', 'response'])
    look(5_100)
    expect(types()).toEqual(['metadata', 'response', 'ping'])
  })

  test('none where nobody listens, and none after the end', () => {
    const run = new Run(ID)
    run.pingIfSilent(performance.now() + 60_000)
    expect(run.lastSeq).toBe(0)
    const { look, run: ended, types } = start()
    ended.seal(null, [])
    look(60_000)
    expect(types()).toEqual(['metadata'])
  })
})

describe('the end', () => {
  test('is heard once it is stored, by those who wait and those who read', async () => {
    const run = new Run(ID)
    const { reader, events } = listener()
    run.read(reader)
    run.events.response(['Hi'])
    let end: unknown
    const ended = run.done.then((value) => {
      end = value
    })
    run.seal(null, [])
    await Promise.resolve()
    expect([reader.isOver, end]).toEqual([false, undefined])
    run.finish()
    await ended
    expect(end).toEqual({ text: 'Hi', errorMessage: null })
    expect(events().at(-1)).toMatchObject({ type: 'end_response', data: { message_id: ID.messageId, citations: [] } })
    expect(reader.isOver).toBe(true)
  })

  test('is an error where it could not be stored', async () => {
    const run = new Run(ID)
    const { reader, events } = listener()
    run.read(reader)
    run.events.response(['Hi'])
    run.seal(null, [])
    run.finish('it could not be stored')
    expect(await run.done).toEqual({ text: 'Hi', errorMessage: 'it could not be stored' })
    expect(events().map(({ type }) => type)).toEqual(['metadata', 'response', 'error'])
  })

  test('a reader that left hears nothing more', () => {
    const run = new Run(ID)
    const { reader, events } = listener()
    const leave = run.read(reader)
    run.events.response(['a'])
    leave()
    run.events.response(['b'])
    run.seal(null, [])
    run.finish()
    expect(textOf(events(), 'response')).toBe('a')
    expect(reader.isOver).toBe(false)
  })
})
