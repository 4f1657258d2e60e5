import { expect, vi } from 'vitest'
import { answer, type Reply } from '../models/model-server.ts'
import { tasksOf } from '../tasks/tasks.ts'
import { startTestChat } from './chat.ts'

/** Room for about eight of the turns below; from six on the older ones are summed up. */
export const HISTORY_TOKENS = 800

export const FILLER = 'and some more words that make it a little longer than it need be, line after line, '.repeat(3)

export interface Prompt {
  messages: { role: string; content: string }[]
}

export const isSummaryRequest = ({ messages }: Prompt) => messages[0]!.content.startsWith('You keep the record')
export const textOf = ({ messages }: Prompt) => messages.map(({ content }) => content).join('\n')

/** Numbers of the questions that a prompt holds. */
export const turnsIn = (prompt: Prompt) => [...textOf(prompt).matchAll(/question (\d+)\b/g)].map(([, n]) => Number(n))

/** A chat whose model answers questions by their number, and sums up by naming the numbers that it read. */
export async function startTalk({
  summarize = (prompt) => answer(`Record of ${turnsIn(prompt).join(', ')}. ${pastOf(prompt)}`),
  reply = () => answer(`answer ${FILLER}`),
  settings = {},
}: {
  summarize?: (prompt: Prompt, index: number) => Reply | Promise<Reply>
  reply?: (prompt: Prompt) => Reply
  settings?: Record<string, string>
} = {}) {
  const summaryRequests: Prompt[] = []
  const prompts: Prompt[] = []
  const chat = await startTestChat({
    settings: { DOCENT_HISTORY_TOKENS: String(HISTORY_TOKENS), ...settings },
    script: ({ body }) => {
      if (!isSummaryRequest(body)) {
        prompts.push(body)
        return reply(body)
      }
      summaryRequests.push(body)
      return summarize(body, summaryRequests.length - 1)
    },
  })
  let asked = 0

  async function ask(path = chat.path, fields: Record<string, unknown> = {}): Promise<string> {
    const { body, status } = await chat.ask(`question ${++asked} ${FILLER}`, fields, path)
    expect(status, JSON.stringify(body)).toBe(200)
    return body.data.message_id
  }

  const summaries = async () => {
    const rows = await chat.services.db.selectFrom('chat_memory').selectAll().execute()
    return rows.flatMap(({ summary }) => summary ?? [])
  }

  return {
    ...chat,
    ask,
    prompts,
    summaryRequests,
    summaries,
    /** Asks until the older turns are summed up. @returns ids of the messages. */
    async askUntilSummary(fields: Record<string, unknown> = {}): Promise<string[]> {
      const ids: string[] = []
      while ((await summaries()).length === 0) {
        ids.push(await ask(chat.path, fields))
        expect(ids.length).toBeLessThan(20)
        if (summaryRequests.length > 0) await vi.waitFor(async () => expect(await summaries()).toHaveLength(1), 30_000)
        else await settled()
      }
      return ids
    },
    settled,
  }

  /** Waits until nothing is left to do in the background. */
  async function settled() {
    await vi.waitFor(
      async () => {
        const tasks = await tasksOf(chat.services.db, 'chats.summarize')
        expect(tasks.filter(({ state }) => state === 'waiting')).toEqual([])
      },
      { timeout: 30_000, interval: 10 },
    )
  }
}

/** The record that a request to sum up begins with. */
export const pastOf = (prompt: Prompt) =>
  /<summary>\n([\s\S]*)\n<\/summary>/.exec(prompt.messages[1]!.content)?.[1] ?? ''

/** History of a prompt, without system prompt and question. */
export const historyOf = (prompt: Prompt) => prompt.messages.slice(1, -1)
