import OpenAI from 'openai'
import type { startTestChat } from './chats/chat.ts'

type Started = Awaited<ReturnType<typeof startTestChat>>

/** The client of OpenAI at a test server. */
export const clientOf = ({ url, owner }: Started, apiKey = owner.apiKey) =>
  new OpenAI({ baseURL: `${url}/openai/v1`, apiKey, maxRetries: 0 })

/** Texts that a request to the model held, without the agent's own instructions. */
export const said = (started: Started, at: number): string[] =>
  started.model.requests[at]!.body.messages.filter(({ role }: { role: string }) => role !== 'system').map(
    ({ content }: { content: unknown }) =>
      typeof content === 'string' ? content : (content as { text?: string }[]).map(({ text }) => text ?? '').join(''),
  )

/** Chats of clients of OpenAI. */
export const chatsOf = async ({ succeed, agentId }: Started) =>
  (await succeed('GET', `/agents/${agentId}/chats?metadata.source=openai`)).data.chats

/** A file inside a request, in the form of a data URL. */
export const dataUrl = (content: string, mediaType = 'text/plain') =>
  `data:${mediaType};base64,${Buffer.from(content).toString('base64')}`
