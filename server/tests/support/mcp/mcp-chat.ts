import { startTestChat } from '../chats/chat.ts'
import { answer, inOrder, type Step } from '../models/model-server.ts'

export const ALLOWED = { DOCENT_OUTBOUND_ALLOW: '127.0.0.1/32' }

export const callOf = (name: string, given: Record<string, unknown> = {}): Step => ({
  toolCall: { name, arguments: given },
})

/** An agent with these servers, whose model makes these calls, one a turn, and then says so. */
export async function startWithServers(servers: object[], calls: Step[], settings: Record<string, string> = ALLOWED) {
  const chat = await startTestChat({
    script: inOrder(...calls.map((call) => answer(call)), answer('Done')),
    settings,
  })
  await chat.succeed('PATCH', `/agents/${chat.agentId}`, { mcp_servers: servers })
  return {
    ...chat,
    /** Asks once. @returns what the model was offered, the results that it read, and what a stream shows. */
    async run() {
      const events = await (await chat.stream('Go')).rest()
      const { requests } = chat.model
      const offered = ((requests[0]!.body.tools ?? []) as any[]).map(({ function: tool }) => tool)
      const results = (requests.at(-1)!.body.messages as any[])
        .filter(({ role }) => role === 'tool')
        .map(({ content }) => content as string)
      const previews = events
        .filter(({ subtype }) => subtype === 'tool_call_result')
        .map(({ data }) => (data as any).preview)
      return { offered, results, previews, system: requests[0]!.body.messages[0].content as string, events }
    },
  }
}
