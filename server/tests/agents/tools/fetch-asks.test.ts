import { expect, test } from 'vitest'
import { startTestChat } from '../../support/chats/chat.ts'
import { driveOf } from '../../support/drive/drive.ts'
import { startReceiver } from '../../support/http/receiver.ts'
import { answer, type Script } from '../../support/models/model-server.ts'
import { shareTestApps } from '../../support/test-app.ts'

shareTestApps()

const results = (body: any): string[] =>
  body.messages.filter(({ role }: any) => role === 'tool').map(({ content }: any) => content)
const subAgentIn = (body: any): string =>
  /- ([0-9a-f]{24}):/.exec(body.tools.find(({ function: f }: any) => f.name === 'call_agent').function.description)![1]!

/** A site that nobody named, and agents whose models open it: `WORKER` and `READER` are what instructions begin with. */
async function start({ settings = {}, calls = 1 }: { settings?: Record<string, string>; calls?: number } = {}) {
  const text = 'word '.repeat(4000)
  const site = await startReceiver((_, response) => response.setHeader('content-type', 'text/plain').end(text))
  const host = new URL(site.url).host
  const url = `${site.url}/?q=secret`
  const script: Script = ({ body }) => {
    const [{ content: instructions }] = body.messages
    const done = results(body)
    if (instructions.startsWith('READER')) return answer('It holds a secret.')
    if (instructions.startsWith('BOSS') && done.length === 0)
      return answer({
        toolCall: { name: 'call_agent', arguments: { agent_id: subAgentIn(body), query: `Open ${url}` } },
      })
    if (
      instructions.startsWith('BOSS THAT OPENS')
        ? done.length === 1
        : !instructions.startsWith('BOSS') && done.length < calls
    )
      return answer({ toolCall: { name: 'fetch_page', arguments: { url, ...(done.length > 0 && { start: 1000 }) } } })
    return answer(`Done: ${done.at(-1)!.slice(0, 200)}`)
  }
  const app = await startTestChat({
    script,
    settings: { DOCENT_OUTBOUND_ALLOW: host, DOCENT_PUBLIC_URL: 'https://docent.example', ...settings },
  })
  const folder = await driveOf(app).newFolder('Confidential')
  const withFolder = { knowledge_base_ids: [folder] }

  /** Asks a new agent. */
  async function ask(fields: Record<string, unknown>, query = 'Go') {
    const path = await app.newChat({}, await app.newAgent({ tools: ['fetch_page'], ...fields }))
    const { data } = (await app.ask(query, {}, path)).body
    return {
      ...data,
      async decide(decision: string) {
        await app.succeed('POST', `${path}/message/${data.message_id}/review`, { decision })
        await expect
          .poll(async () => (await app.message(data.message_id, path)).ai_resolution_status, { timeout: 60_000 })
          .not.toBe('in_progress')
        return app.message(data.message_id, path)
      },
    }
  }
  return { ...app, site, url, withFolder, ask }
}

test('an agent that has folders asks a person before it opens a host that nobody named, and reads on without', async () => {
  const { site, url, withFolder, ask } = await start({ calls: 2 })
  const asked = await ask(withFolder)
  expect(asked).toMatchObject({
    ai_resolution_status: 'waiting',
    review: {
      kind: 'approval',
      tool_name: 'fetch_page',
      text: 'May Guide open a page of 127.0.0.1? Nobody named this host, and the address may carry what was read in folders.',
      arguments: { url },
    },
  })
  expect(site.received).toEqual([])
  const message = await asked.decide('approve')
  expect(message).toMatchObject({ ai_resolution_status: 'completed', error_message: null })
  expect(message.response).toContain('word word')
  expect(site.received).toHaveLength(1)
})

test('a person who rejects it keeps the address from being asked', async () => {
  const { site, withFolder, ask } = await start()
  const asked = await ask(withFolder)
  const message = await asked.decide('reject')
  expect(message.response).toMatch(/rejected it/)
  expect(site.received).toEqual([])
})

test.each<[string, Record<string, unknown>, string, Record<string, string>]>([
  ['the question names', { folders: true }, 'Open http://127.0.0.1/ and tell me', {}],
  ['the instructions name', { folders: true, instructions: 'Read 127.0.0.1 first.' }, 'Go', {}],
  ['the setting of hosts names', { folders: true }, 'Go', { DOCENT_FETCH_HOSTS: '127.0.0.1' }],
  ['an agent without folders opens', {}, 'Go', {}],
  ['is open to all by a setting', { folders: true }, 'Go', { DOCENT_FETCH_ASKS: 'false' }],
])('nobody is asked for a host that %s', async (_name, { folders, ...fields }, query, settings) => {
  const { site, withFolder, ask } = await start({ settings })
  const { text } = await ask({ ...fields, ...(folders ? withFolder : {}) }, query)
  expect(text).toContain('word word')
  expect(site.received).toHaveLength(1)
})

test('a sub-agent without folders asks, too, when its caller has some; what the caller names does not count', async () => {
  const { site, withFolder, newAgent, ask } = await start()
  const worker = await newAgent({ name: 'Worker', instructions: 'WORKER', tools: ['fetch_page'] })
  const asked = await ask({ instructions: 'BOSS', tools: [], sub_agent_ids: [worker], ...withFolder })
  expect(asked.review).toMatchObject({ tool_name: 'fetch_page', text: expect.stringContaining('May Worker open') })
  expect(site.received).toEqual([])
  expect((await asked.decide('approve')).response).toContain('word')
  expect(site.received).toHaveLength(1)
})

test('an agent without folders asks after a sub-agent with some has answered', async () => {
  const { site, withFolder, newAgent, ask } = await start()
  const reader = await newAgent({ name: 'Reader', instructions: 'READER', ...withFolder })
  const asked = await ask({ instructions: 'BOSS THAT OPENS', sub_agent_ids: [reader] })
  expect(asked.review).toMatchObject({ tool_name: 'fetch_page' })
  expect(site.received).toEqual([])
})
