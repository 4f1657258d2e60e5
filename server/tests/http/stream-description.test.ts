import { Docent, type StreamEvent as Event } from '@docent/sdk'
import { expect, onTestFinished, test } from 'vitest'
import { StreamEvent } from '../../src/chats/events/events.schemas.ts'
import { type Reply, startModelServer } from '../support/models/model-server.ts'
import { startTestApp } from '../support/test-app.ts'

async function eventsOf(replies: Reply[]): Promise<Event[]> {
  const model = await startModelServer({ script: (_request, index) => replies[index] })
  onTestFinished(() => model.close())
  const settings = { OPENAI_COMPATIBLE_BASE_URL: model.openaiUrl, DOCENT_MODEL: 'openai-compatible/scripted' }
  const { url, owner } = await startTestApp(settings)
  const client = new Docent({ baseUrl: url, apiKey: owner.apiKey })
  const folder = await client.knowledgeBases.create({ knowledge_base_name: 'Lamps' })
  const file_id = await client.files.upload(new Blob(['The lamp turns once in twelve seconds.']), { name: 'lamp.txt' })
  await client.dataSources.add(folder.id, { file_id, data_source_title: 'Lamp' })
  await client.knowledgeBases.waitUntilIndexed(folder.id)
  const agent = await client.agents.create({ name: 'Keeper', knowledge_base_ids: [folder.id] })
  const chat = await client.chats.create(agent.id)
  const events: Event[] = []
  for await (const event of client.chats.stream(agent.id, chat.id, { query: 'How often?' })) events.push(event)
  return events
}

test('a stream with reasoning, tools and citations is as described, event by event', async () => {
  const events = await eventsOf([
    {
      steps: [
        { waitMs: 1800 },
        { reasoning: 'Let me look. ' },
        { toolCall: { name: 'search_knowledge', arguments: { query: 'lamp' } } },
      ],
    },
    { steps: ['Once in twelve seconds ', '[1].'] },
  ])
  for (const event of events) expect(StreamEvent.parse(event)).toEqual(event)
  const types = new Set(events.map(({ type, subtype }) => subtype ?? type))
  const expected = ['metadata', 'reasoning', 'end_reasoning', 'tool_call_start', 'tool_call_result', 'response', 'ping']
  for (const type of [...expected, 'end_response']) expect(types).toContain(type)
  expect(events.at(-1)).toMatchObject({ type: 'end_response', data: { citations: [{ index: 1, title: 'Lamp' }] } })
})
