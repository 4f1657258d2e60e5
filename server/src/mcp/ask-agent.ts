import type { CallToolResult, ContentBlock } from '@modelcontextprotocol/server'
import { z } from 'zod'
import { type Caller, ForbiddenError, mayCall } from '../access/access.ts'
import type { AgentOutline, Citation } from '../agents/agents.ts'
import {
  type ChatService,
  type MessageService,
  type OutputService,
  type QueryService,
  SendQuery,
  titleOf,
} from '../chats/chats.ts'
import { DomainError, ValidationError } from '../platform/errors.ts'
import type { Logger } from '../platform/telemetry/logger.ts'
import { formatLocation } from '../retrieval/retrieval.ts'
import { AttributionEmail } from '../users/users.ts'
import { progressReader } from './progress.ts'

/** The arguments of a call, as clients see them; null counts as absent. */
export const AskWith = z.object({
  query: z.string().min(1).max(200_000).describe('What to ask or to do, complete: the agent knows nothing else'),
  chat_id: z
    .string()
    .optional()
    .describe('Goes on with an earlier conversation: the chat_id that its answer had. Absent: a new one'),
  virtual_user_email: AttributionEmail.optional(),
})

export const AskedAgent = z.object({
  text: z.string().describe('The answer, or what there was of it'),
  status: z
    .enum(['completed', 'waiting', 'failed'])
    .describe('waiting: a person has to review something in Docent before the agent goes on'),
  chat_id: z.string().describe('To go on with this conversation'),
  message_id: z.string(),
  citations: z
    .array(
      z.object({
        index: z.number().int().describe('The number by which the text refers to it: [1]'),
        title: z.string(),
        place: z.string().describe('Where in the document: page 3'),
        text: z.string(),
        data_source_id: z.string(),
      }),
    )
    .describe('Passages that the answer relies on'),
  review_text: z.string().nullable().describe('What the person is asked'),
  error_message: z.string().nullable().describe('Why it failed'),
})
type AskedAgent = z.infer<typeof AskedAgent>

/** How a call is followed while it runs. */
export interface Asking {
  /** Ends the run. */
  signal: AbortSignal
  /** Called with what the agent does, with a number that grows. */
  onProgress?: (progress: number, message: string) => void
}

export type AskAgent = (caller: Caller, agent: AgentOutline, given: unknown, asking: Asking) => Promise<CallToolResult>

export interface AskAgentOptions {
  chats: ChatService
  queries: QueryService
  messages: MessageService
  outputs: OutputService
  logger: Logger
}

/** Asks an agent as a person would; whatever goes wrong is a result that the client's model can read. */
export function createAskAgent({ chats, queries, messages, outputs, logger }: AskAgentOptions): AskAgent {
  async function ask(caller: Caller, agent: AgentOutline, given: unknown, { signal, onProgress }: Asking) {
    const { query, chat_id, virtual_user_email } = readArguments(given)
    signal.throwIfAborted()
    const chatId = chat_id ?? (await newChat(caller, agent, query))
    const path = { agent_id: agent.id, chat_id: chatId }
    const answer = await queries.send(caller, path, SendQuery.parse({ query, virtual_user_email }))
    const message = { ...path, message_id: answer.messageId }
    const stopReading = onProgress ? answer.read(progressReader(onProgress)) : () => {}
    const cancel = () => {
      messages.cancel(caller, message).catch((err) => logger.error({ err }, 'not cancelled'))
    }
    signal.addEventListener('abort', cancel, { once: true })
    if (signal.aborted) cancel()
    try {
      // A run that fails says why in its message, too, with the text that it had.
      const { review } = await answer.result().catch((error): { review?: undefined } => {
        if (error instanceof DomainError) return {}
        throw error
      })
      return await readResult(caller, message, review?.text)
    } finally {
      signal.removeEventListener('abort', cancel)
      stopReading()
    }
  }

  async function newChat(caller: Caller, agent: AgentOutline, query: string): Promise<string> {
    if (!mayCall(caller, 'chats.create')) throw new ForbiddenError('This API key may not begin chats: name a chat_id')
    const fields = { title: titleOf(query), chat_type: 'standard', metadata: { source: 'mcp' } } as const
    return (await chats.create(caller, agent.id, fields)).id
  }

  async function readResult(
    caller: Caller,
    path: { agent_id: string; chat_id: string; message_id: string },
    review_text: string | null = null,
  ) {
    const message = await messages.get(caller, path)
    const citations = (JSON.parse(message.citations) as Citation[]).map(({ location, ...citation }) => ({
      ...citation,
      place: formatLocation(location),
    }))
    const status = message.errorMessage !== null ? 'failed' : message.status === 'waiting' ? 'waiting' : 'completed'
    const { response: text, errorMessage: error_message } = message
    const { chat_id, message_id } = path
    const structured: AskedAgent = { text, status, chat_id, message_id, citations, review_text, error_message }
    const files = (await outputs.listFiles(caller.organizationId, [message_id])).get(message_id) ?? []
    const links = files.map(({ url, fileName, mediaType, sizeBytes }) => ({
      type: 'resource_link' as const,
      uri: url,
      name: fileName,
      mimeType: mediaType,
      size: sizeBytes,
    }))
    return {
      content: [...inWords(structured), ...links],
      structuredContent: structured,
      ...(status === 'failed' && { isError: true }),
    }
  }

  return async (caller, agent, given, asking) => {
    try {
      return await ask(caller, agent, given, asking)
    } catch (error) {
      if (!(error instanceof DomainError)) throw error
      return { content: [textBlock(error.message)], isError: true }
    }
  }
}

/** @throws ValidationError */
function readArguments(given: unknown): z.infer<typeof AskWith> {
  const present = Object.entries(given ?? {}).filter(([, value]) => value !== null)
  const result = AskWith.safeParse(Object.fromEntries(present))
  if (!result.success)
    throw new ValidationError(
      result.error.issues.map(({ path, message }) => `${path.join('.')}: ${message}`).join('; '),
    )
  if (result.data.query.trim() === '') throw new ValidationError('query: must not be blank')
  return result.data
}

const textBlock = (text: string): ContentBlock => ({ type: 'text', text })

/** Answer as text, for clients that show their model only the text: the sources, and the status of the run. */
function inWords({ text, status, chat_id, citations, review_text, error_message }: AskedAgent): ContentBlock[] {
  const notes: string[] = []
  if (citations.length > 0) {
    const sources = citations.map(({ index, title, place }) => `[${index}] ${title}${place ? `, ${place}` : ''}`)
    notes.push(`Sources:\n${sources.join('\n')}`)
  }
  if (status === 'waiting')
    notes.push(
      `The agent waits for a person to review something in Docent, and goes on after that: ${review_text ?? ''}`,
    )
  if (error_message !== null) notes.push(`The agent failed: ${error_message}`)
  notes.push(`(To go on with this conversation, call again with chat_id ${chat_id}.)`)
  return [...(text ? [textBlock(text)] : []), textBlock(notes.join('\n\n'))]
}
