import { describe, expect, test } from 'vitest'
import { startReceiver } from '../../support/http/receiver.ts'
import { answer, type Script } from '../../support/models/model-server.ts'
import { startRestartable } from '../../support/processes/restartable.ts'
import type { Stack } from '../../support/processes/stacks.ts'

const GIVEN_UP = 'The answer was given up: the server ended every time it worked on it'
const DEATHS = 8
/**
 * Stacks to test; on PostgreSQL a lease expires between two deaths, which takes long: `worker.test.ts` covers it there.
 */
const STACKS: Stack[] = ['embedded']

describe.each(STACKS)('on %s', { timeout: 400_000 }, (stack) => {
  test('a message that takes its process down every time fails after eight, and those beside it do not', async () => {
    const asked: string[] = []
    let deaths = 0
    const script: Script = ({ body }) => {
      const query: string = body.messages.at(-1).content
      asked.push(query)
      return query === 'innocent' && deaths >= 3 ? answer('Here I am.') : { silence: true }
    }
    const receiver = await startReceiver()
    const started = await startRestartable(script, { stack, settings: { DOCENT_OUTBOUND_ALLOW: '127.0.0.0/8' } })
    const { again, path, agentId } = started
    const other = (await started.first.call('POST', `/agents/${agentId}/chats`, {})).body.data.chat.id
    const ask = async (query: string, at: string): Promise<string> =>
      (await started.first.call('POST', `${at}/async_query`, { query, webhook_url: receiver.url })).body.data.message_id
    const poison = await ask('poison', path)
    const innocent = await ask('innocent', `/agents/${agentId}/chats/${other}`)

    let server = started.first
    const isAtWork = () => asked.includes('poison') && (deaths >= 3 || asked.includes('innocent'))
    while (deaths < DEATHS) {
      await expect.poll(isAtWork, { timeout: 60_000 }).toBe(true)
      await server.end('SIGKILL')
      deaths++
      asked.length = 0
      server = await again()
    }
    const results = new Map<string, any>()
    // A kill may come between a delivery and its record: then the receiver gets it again.
    while (results.size < 2) {
      const result = JSON.parse((await receiver.next()).body)
      results.set(result.data.id, result)
    }
    expect(results.get(poison)).toMatchObject({ status: 'error', error_message: GIVEN_UP })
    expect(results.get(innocent)).toMatchObject({ status: 'success', data: { response: 'Here I am.' } })
    expect(asked).not.toContain('poison')
    // It is at its end: to cancel it changes nothing, and it is answered no more.
    const cancelled = await server.call('POST', `${path}/message/${poison}/cancel`)
    expect(cancelled).toMatchObject({
      status: 200,
      body: { data: { ai_resolution_status: 'completed', error_message: GIVEN_UP } },
    })
    await server.end('SIGTERM')
  })
})
