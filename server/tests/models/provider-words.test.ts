import { expect, test, vi } from 'vitest'
import { startTestChat } from '../support/chats/chat.ts'
import { driveOf } from '../support/drive/drive.ts'
import { startReceiver } from '../support/http/receiver.ts'
import { connectMcp, textOf } from '../support/mcp/mcp.ts'
import { answer, type Script } from '../support/models/model-server.ts'

const KEY = 'sk-very-secret-key'
/** Words that a provider may say: its own, where it runs, and pieces of the key. */
const complaint = {
  status: 500,
  body: { error: { message: `boom at 10.9.8.7:/etc/passwd, key ${KEY} (sk-very...cret-key), token=abc123` } },
}
const TOLD = 'The OpenAI-compatible server failed (provider, 500).'
const PROVIDERS_WORDS = /boom|10\.9\.8\.7|etc\/passwd|secret|abc123/

/** A boss that puts its sub-agent to work; whatever else is asked of the provider fails. */
const script: Script = ({ body }) => {
  const [instructions] = body.messages ?? []
  if (!instructions?.content.startsWith('BOSS')) return complaint
  const result = body.messages.find(({ role }: { role: string }) => role === 'tool')
  if (result) return answer(`It says: ${result.content}`)
  const tool = body.tools.find(({ function: f }: any) => f.name === 'call_agent')
  const [, agent_id] = /- ([0-9a-f]{24}):/.exec(tool.function.description)!
  return answer({ toolCall: { name: 'call_agent', arguments: { agent_id, query: 'Work' } } })
}

test('what a provider says of its failure stays in the log, without secrets; callers get our words and a code', async () => {
  const log: string[] = []
  const app = await startTestChat({
    script,
    settings: {
      OPENAI_COMPATIBLE_API_KEY: KEY,
      DOCENT_EMBEDDING_MODEL: 'openai-compatible/embed',
      DOCENT_OUTBOUND_ALLOW: '127.0.0.0/8',
      LOG_LEVEL: 'warn',
    },
    logTo: (line) => log.push(line),
  })
  const { succeed, url, owner, agentId, path, ask, stream } = app
  const told: unknown[] = []
  const drive = driveOf(app)
  const folder = await drive.newFolder('Shelf')
  const fileId = await drive.addFile(folder, { content: 'Some words', index: true })

  const blocking = await ask('Hi')
  expect(blocking).toMatchObject({ status: 500, body: { error_code: 'AGENT_FAILED', message: TOLD } })
  const events = await (await stream('Hi')).rest()
  expect(events.at(-1)).toMatchObject({ type: 'error', text: TOLD })
  const messages = await succeed('GET', `${path}/messages`)
  expect(messages.data.messages[0]).toMatchObject({ error_message: TOLD })
  told.push(blocking.body, events, messages)

  const receiver = await startReceiver()
  await succeed('POST', `${path}/async_query`, { query: 'Hi', webhook_url: receiver.url })
  const { body } = await receiver.next()
  expect(JSON.parse(body)).toMatchObject({ status: 'error', error_message: TOLD })
  const client = await connectMcp(url, owner.apiKey)
  const asked = await client.callTool({ name: 'guide', arguments: { query: 'Hi' } })
  expect(textOf(asked)).toContain(TOLD)
  told.push(body, asked)

  const boss = await app.newAgent({ name: 'Boss', instructions: 'BOSS', sub_agent_ids: [agentId] })
  const bossPath = await app.newChat({}, boss)
  const delegated = await (await stream('Hi', {}, bossPath)).rest()
  expect(JSON.stringify(delegated)).toContain(TOLD)
  told.push(
    delegated,
    app.model.requests.map(({ body }) => body),
  )

  told.push(await succeed('POST', '/models/actions/check', { model: 'openai-compatible/scripted' }))
  told.push(await succeed('GET', `/knowledge-bases/${folder}/search?query=words`))
  await vi.waitFor(
    async () => {
      const { data: file } = await succeed('GET', `/data-sources/${fileId}`)
      expect(file).toMatchObject({ status: 'failed', status_reason: TOLD })
      told.push(file)
    },
    { timeout: 90_000, interval: 500 },
  )

  expect(JSON.stringify(told)).not.toMatch(PROVIDERS_WORDS)
  const failures = log.map((line) => JSON.parse(line)).filter(({ msg }) => msg === 'a model failed')
  const detail = expect.stringContaining('boom at 10.9.8.7:/etc/passwd')
  expect(failures).toContainEqual(
    expect.objectContaining({ model: 'openai-compatible/scripted', reason: 'provider', status: 500, detail }),
  )
  expect(failures).toContainEqual(expect.objectContaining({ model: 'openai-compatible/embed', detail }))
  expect(log.join('\n')).not.toMatch(/secret|sk-very|cret-key|abc123/)
}, 120_000)
