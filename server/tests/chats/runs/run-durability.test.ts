import { describe, expect, test } from 'vitest'
import { startReceiver } from '../../support/http/receiver.ts'
import { answer, type Script } from '../../support/models/model-server.ts'
import { startRestartable } from '../../support/processes/restartable.ts'
import { expectEnded, STACKS } from '../../support/processes/stacks.ts'

const results = (body: any): string[] =>
  body.messages.filter(({ role }: any) => role === 'tool').map(({ content }: any) => content)
const file = (name: string) => ({ toolCall: { name: 'create_file', arguments: { name, content: `# ${name}` } } })
const AGENT = { tools: ['create_file'] }

/** Makes two files, one after the other, and hangs before the answer until `isFree`. */
function twoFiles() {
  const state = { isFree: false, steps: [] as number[] }
  const script: Script = ({ body }) => {
    const done = results(body).length
    state.steps.push(done)
    if (done === 0) return answer('First one. ', file('one.md'))
    if (done === 1) return answer('Then two. ', file('two.md'))
    return state.isFree ? answer('Both are there.') : answer('Bo', { hang: true })
  }
  return { state, script }
}

describe.each(STACKS)('on %s', (stack) => {
  test('an asynchronous run goes on after a kill where it was: what was done is not done again', async () => {
    const { state, script } = twoFiles()
    const receiver = await startReceiver()
    const { first, again, path } = await startRestartable(script, {
      stack,
      agent: AGENT,
      settings: { DOCENT_OUTBOUND_ALLOW: '127.0.0.0/8' },
    })
    const asked = await first.call('POST', `${path}/async_query`, { query: 'Go', webhook_url: receiver.url })
    const { message_id } = asked.body.data
    await expect.poll(() => state.steps).toEqual([0, 1, 2])
    // The text after the second file is about to be stored.
    const said = async () => (await first.call('GET', `${path}/message/${message_id}`)).body.data.response
    await expect.poll(said).toContain('Then two.')
    await first.end('SIGKILL')
    state.isFree = true

    const second = await again()
    const { data, status } = JSON.parse((await receiver.next()).body)
    expect({ status, response: data.response }).toEqual({
      status: 'success',
      response: 'First one. \n\nThen two. \n\nBoth are there.',
    })
    expect(state.steps).toEqual([0, 1, 2, 2])
    expect(Object.keys(data.downloadable_output)).toEqual(['file_1', 'file_2'])
    const events = await (await second.send('GET', `${path}/message/${message_id}/events`)).text()
    expect(events.match(/"subtype":"tool_call_result"/g)).toHaveLength(2)
    const texts = [...events.matchAll(/"type":"response","subtype":null,"text":"((?:[^"\\]|\\.)*)"/g)]
    expect(texts.map(([, text]) => JSON.parse(`"${text}"`)).join('')).toBe(data.response)
    const numbers = [...events.matchAll(/"sequence_number":(\d+)/g)].map(([, number]) => Number(number))
    expect(numbers).toEqual([...new Set(numbers)].sort((a, b) => a - b))
    await second.end('SIGTERM')
  })

  test('a stream that a kill cuts off after tools keeps what they showed', async () => {
    const { state, script } = twoFiles()
    const { first, again, path } = await startRestartable(script, { stack, agent: AGENT })
    const message_id = 'a'.repeat(24)
    const reader = await first.stream(path, { query: 'Go', message_id })
    await expect.poll(() => state.steps.length).toBe(3)
    await reader.until('live_update')
    const said = async () => (await first.call('GET', `${path}/message/${message_id}`)).body.data.response
    await expect.poll(said).toContain('Then two.')
    await first.end('SIGKILL')
    const second = await again()
    const message = async () =>
      (await second.call('GET', `${path}/message/${message_id}?downloadable_output=true`)).body.data
    const status = async () => (await message()).ai_resolution_status
    await expectEnded(stack, status)
    const stored = await message()
    expect(stored).toMatchObject({
      ai_resolution_status: 'completed',
      error_message: expect.stringContaining('interrupted'),
      response: expect.stringContaining('First one. \n\nThen two. '),
    })
    expect(Object.keys(stored.downloadable_output)).toEqual(['file_1', 'file_2'])
    const events = await (await second.send('GET', `${path}/message/${message_id}/events`)).text()
    expect(events.match(/"subtype":"tool_call_result"/g)).toHaveLength(2)
    expect(events).toContain('"type":"error"')
    await second.end('SIGTERM')
  })

  test('a run that a stop interrupts after a review goes on with the next start', async () => {
    const state = { isFree: false }
    const script: Script = ({ body }) => {
      if (results(body).length === 0) return answer(file('one.md'))
      return state.isFree ? answer('It is there.') : { silence: true }
    }
    const { first, again, path, model } = await startRestartable(script, {
      stack,
      agent: { ...AGENT, tools_needing_approval: ['create_file'] },
    })
    const { message_id } = (await first.call('POST', `${path}/query`, { query: 'Go' })).body.data
    await first.call('POST', `${path}/message/${message_id}/review`, { decision: 'approve' })
    await expect.poll(() => model.requests.length).toBe(2)
    expect(await first.end('SIGTERM')).toBe(0)
    state.isFree = true
    const second = await again()
    const message = async () => (await second.call('GET', `${path}/message/${message_id}`)).body.data
    await expect.poll(async () => (await message()).ai_resolution_status).toBe('completed')
    expect(await message()).toMatchObject({ response: 'It is there.', error_message: null })
    expect(model.requests).toHaveLength(3)
    await second.end('SIGTERM')
  })
})
