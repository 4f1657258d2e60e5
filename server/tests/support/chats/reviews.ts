import { expect } from 'vitest'
import { answer, type Script } from '../models/model-server.ts'
import { startTestChat } from './chat.ts'

export const CREATE = { toolCall: { name: 'create_file', arguments: { name: 'letter.md', content: '# Dear all' } } }
/** An agent that has to ask before it makes files. */
export const AGENT = { tools: ['create_file', 'ask_person'], tools_needing_approval: ['create_file'] }

/** Answers of the tools, as the model reads them. */
export const results = (body: any): string[] =>
  body.messages.filter(({ role }: any) => role === 'tool').map(({ content }: any) => content)

/** Calls a tool first; then says what the tools answered. */
export const callThenTell =
  (call: object): Script =>
  ({ body }) =>
    results(body).length === 0 ? answer('One moment. ', call as never) : answer(`Done: ${results(body).at(-1)}`)

type Options = Parameters<typeof startTestChat>[0] & { agent?: object }

/** A chat with an agent that makes this call for each question. */
export async function startReviews(call: object, { agent = AGENT, ...options }: Options = {}) {
  const app = await startTestChat({ script: callThenTell(call), ...options })
  const path = await app.newChat({}, await app.newAgent({ ...agent }))
  return {
    ...app,
    path,
    completed: async (id: string) => {
      const message = () => app.message(id, path)
      await expect.poll(async () => (await message()).ai_resolution_status).toBe('completed')
      return message()
    },
  }
}
