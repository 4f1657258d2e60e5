import { expect, test } from 'vitest'
import { startReceiver } from '../../support/http/receiver.ts'
import { answer, type Script } from '../../support/models/model-server.ts'
import { startRestartable } from '../../support/processes/restartable.ts'
import { STACKS } from '../../support/processes/stacks.ts'

/** Number of rounds; on PostgreSQL each takes as long as a dead process goes unnoticed. */
const ROUNDS = { embedded: 6, 'PostgreSQL and S3': 2 }

test.each(STACKS)(
  'on %s what waited when the server was killed is answered before what is asked of the next one at once',
  async (stack) => {
    const state = { isFree: false }
    const script: Script = () => (state.isFree ? answer('Here I am.') : { silence: true })
    const receiver = await startReceiver()
    const { first, again, agentId, model } = await startRestartable(script, {
      stack,
      settings: { DOCENT_OUTBOUND_ALLOW: '127.0.0.0/8' },
    })
    let server = first
    for (let round = 0; round < ROUNDS[stack]; round++) {
      state.isFree = false
      const chat = (await server.call('POST', `/agents/${agentId}/chats`, {})).body.data.chat.id
      const path = `/agents/${agentId}/chats/${chat}`
      const ask = (query: string) => ({ query, webhook_url: receiver.url })
      const before = model.requests.length
      await server.call('POST', `${path}/async_query`, ask('A'))
      await server.call('POST', `${path}/async_query`, ask('B'))
      await expect.poll(() => model.requests.length).toBe(before + 1)
      await server.end('SIGKILL')
      state.isFree = true
      server = await again()
      expect((await fetch(`${server.url}/readyz`)).status).toBe(200)
      // A query that waits for its answer, and one that does not.
      if (round % 2 === 0) await server.call('POST', `${path}/query`, { query: 'C' })
      else await server.call('POST', `${path}/async_query`, ask('C'))
      await expect.poll(() => model.requests.length, { timeout: 60_000 }).toBe(before + 4)
      const asked = model.requests.slice(before).map(({ body }) => body.messages.at(-1).content)
      expect(asked).toEqual(['A', 'A', 'B', 'C'])
      const told = model.requests
        .at(-1)!
        .body.messages.slice(1)
        .map(({ content }: any) => content)
      expect(told).toEqual(['A', 'Here I am.', 'B', 'Here I am.', 'C'])
    }
    await server.end('SIGTERM')
  },
)
