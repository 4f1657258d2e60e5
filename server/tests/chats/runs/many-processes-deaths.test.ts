import { afterAll, beforeAll, expect, test } from 'vitest'
import { type ReadEvent, shapeOf, textOf, withoutPings } from '../../support/chats/events.ts'
import { startReceiver } from '../../support/http/receiver.ts'
import { answer } from '../../support/models/model-server.ts'
import { gate, runsOf, SLOWLY, startManyProcesses } from '../../support/processes/many-processes.ts'

const INTERRUPTED = 'The answer was interrupted because the server was stopped; send the query again'
/** Time until the others consider a process dead and have ended its work. */
const NOTICED = { timeout: 60_000, interval: 200 }

let many: Awaited<ReturnType<typeof startManyProcesses>>
beforeAll(async () => {
  many = await startManyProcesses({ apis: 3, workers: 2 })
}, SLOWLY)
afterAll(() => many.close(), SLOWLY)

const numbersOf = (events: ReadEvent[]) => events.map(({ sequence_number }) => sequence_number)
const file = (name: string) => ({ toolCall: { name: 'create_file', arguments: { name, content: `# ${name}` } } })

test(
  'an answer whose process is killed ends as interrupted for all who follow it, once, and lets its chat go on',
  async () => {
    const { api, apis, newAgent, newChat } = many
    const path = await newChat(await newAgent({ tools: ['create_file'] }))
    many.answer('Die', answer('First. ', file('one.md')), answer('Half of', { hang: true }))
    many.answer('Next', answer('Here.'))
    const message_id = 'd'.repeat(24)
    const sent = { query: 'Die', message_id }
    const reader = await api(2).stream(path, sent)
    const shown = await reader.until('live_update')
    const follower = await api(0).follow(path, message_id)
    const followed: ReadEvent[] = []
    while (!textOf(followed).endsWith('Half of')) followed.push((await follower.next())!)
    const again = api(1).call('POST', `${path}/query`, sent)
    const next = api(1).call('POST', `${path}/query`, { query: 'Next' })
    const stored = async () => (await api(1).call('GET', `${path}/message/${message_id}`)).body.data
    await expect.poll(async () => (await stored()).response, NOTICED).toContain('Half of')

    await apis[2]!.end('SIGKILL')
    const rest = withoutPings(await follower.rest())
    expect([shapeOf(rest), rest[0]!.text]).toEqual(['error', INTERRUPTED])
    const numbers = numbersOf([...withoutPings(followed), ...rest])
    expect(numbers).toEqual([...new Set(numbers)].sort((a, b) => a - b))
    expect(numbers.slice(0, shown.length)).toEqual(numbersOf(shown))
    expect(await again).toMatchObject({ status: 500, body: { error_code: 'AGENT_FAILED', message: INTERRUPTED } })
    expect((await next).body.data.text).toBe('Here.')
    expect(await stored()).toMatchObject({
      ai_resolution_status: 'completed',
      error_message: INTERRUPTED,
      response: 'First. \n\nHalf of',
    })
    // A client that resumes after the last number it saw gets the end, and no event twice.
    const back = await (await api(1).follow(path, message_id, followed.at(-1)!.sequence_number)).rest()
    expect(back).toEqual(rest)
    const whole = await (await api(0).follow(path, message_id)).rest()
    expect(textOf(whole)).toBe('First. \n\nHalf of')
    const { id: workspace } = (await api(0).call('GET', '/me')).body.data.workspace
    const { usage } = (await api(0).call('GET', `/workspaces/${workspace}/usage?group_by=agent`)).body.data
    expect(usage).toMatchObject([{ agent_id: path.split('/')[2], messages: 2 }])
  },
  SLOWLY,
)

test(
  'an asynchronous answer whose worker is killed is taken up by the other one, where it was, once',
  async () => {
    const { api, workers, newAgent, newChat, asked } = many
    const receiver = await startReceiver()
    const path = await newChat(await newAgent({ tools: ['create_file'] }))
    const open = gate()
    many.answer(
      'Work',
      answer('First. ', file('one.md')),
      answer('Lost', { hang: true }),
      answer({ until: open.isOpen }, 'It is there.'),
    )
    const { message_id } = (
      await api(0).call('POST', `${path}/async_query`, { query: 'Work', webhook_url: receiver.url })
    ).body.data
    const reader = await api(0).follow(path, message_id)
    const followed: ReadEvent[] = []
    while (!textOf(followed).endsWith('Lost')) followed.push((await reader.next())!)
    const said = async () => (await api(1).call('GET', `${path}/message/${message_id}`)).body.data.response
    await expect.poll(said, NOTICED).toContain('First.')

    const runs = await Promise.all(workers.map(runsOf))
    expect([...runs].sort()).toEqual([0, 1])
    await workers[runs.indexOf(1)]!.end('SIGKILL')
    await expect.poll(() => asked.filter((query) => query === 'Work').length, NOTICED).toBe(3)
    open.open()
    const { data, status } = JSON.parse((await receiver.next()).body)
    expect({ status, response: data.response }).toEqual({ status: 'success', response: 'First. \n\nIt is there.' })
    expect(Object.keys(data.downloadable_output)).toEqual(['file_1'])
    const rest = withoutPings(await reader.rest())
    expect(shapeOf(rest)).toBe('response end_response')
    expect(textOf(rest)).toContain('It is there.')
    const numbers = numbersOf([...withoutPings(followed), ...rest])
    expect(numbers).toEqual([...new Set(numbers)].sort((a, b) => a - b))
    expect(receiver.received).toHaveLength(1)
  },
  SLOWLY,
)

test(
  'a worker that is stopped leaves what it runs to the other one',
  async () => {
    const { api, newChat, asked } = many
    const receiver = await startReceiver()
    await many.startWorker()
    const path = await newChat()
    const open = gate()
    many.answer('Stop', answer('Lost', { hang: true }), answer({ until: open.isOpen }, 'Done.'))
    const living = many.workers.filter(({ pid }) => isLiving(pid))
    await api(0).call('POST', `${path}/async_query`, { query: 'Stop', webhook_url: receiver.url })
    await expect.poll(() => asked.filter((query) => query === 'Stop').length, NOTICED).toBe(1)
    const runs = await Promise.all(living.map(runsOf))
    expect(await living[runs.indexOf(1)]!.end('SIGTERM')).toBe(0)
    await expect.poll(() => asked.filter((query) => query === 'Stop').length, NOTICED).toBe(2)
    open.open()
    expect(JSON.parse((await receiver.next()).body).data.response).toBe('Done.')
  },
  SLOWLY,
)

test(
  'an api process that is stopped lets its streams end, and what does not end in time is reported, stored and followed on',
  async () => {
    const { api, apis, newChat } = many
    const open = gate()
    many.answer('Ends', answer('In ', { until: open.isOpen }, 'time.'))
    many.answer('Hangs', answer('Half of', { hang: true }))
    many.answer('After', answer('Here.'))
    const [ending, hanging] = [await newChat(), await newChat()]
    const [endingId, hangingId] = ['e'.repeat(24), 'f'.repeat(24)]
    const first = await api(1).stream(ending, { query: 'Ends', message_id: endingId })
    const second = await api(1).stream(hanging, { query: 'Hangs', message_id: hangingId })
    await first.until('response')
    const shown = await second.until('response')
    const follower = await api(0).follow(hanging, hangingId)
    await follower.until('response')
    const next = api(0).call('POST', `${hanging}/query`, { query: 'After' })

    const ended = apis[1]!.end('SIGTERM')
    const isStopping = () =>
      fetch(`${apis[1]!.url}/v1/me`).then(
        ({ status }) => status,
        () => 503,
      )
    await expect.poll(isStopping, NOTICED).toBe(503)
    open.open()
    expect(shapeOf(withoutPings(await first.rest()))).toBe('response end_response')
    const rest = withoutPings(await second.rest())
    expect([shapeOf(rest), rest[0]!.text]).toEqual(['error', INTERRUPTED])
    expect(withoutPings(await follower.rest())).toEqual(rest)
    expect(await ended).toBe(0)

    expect((await next).body.data.text).toBe('Here.')
    expect(textOf(await (await api(0).follow(ending, endingId)).rest())).toBe('In time.')
    const back = await api(0).follow(hanging, hangingId, shown.at(-1)!.sequence_number)
    expect(withoutPings(await back.rest())).toEqual(rest)
    const stored = (await api(0).call('GET', `${hanging}/message/${hangingId}`)).body.data
    expect(stored).toMatchObject({ response: 'Half of', error_message: INTERRUPTED })
  },
  SLOWLY,
)

function isLiving(pid: number): boolean {
  try {
    return process.kill(pid, 0)
  } catch {
    return false
  }
}
