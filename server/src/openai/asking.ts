import { hash } from 'node:crypto'
import { type Caller, IdempotencyConflictError } from '../access/access.ts'
import { AgentFailedError, type Citation } from '../agents/agents.ts'
import {
  type Answer,
  CANCELLED,
  type ChatService,
  MessageIdConflictError,
  type MessagePath,
  type MessageRecord,
  type MessageService,
  type OutputService,
  type QueryService,
  SendQuery,
  type StreamEvent,
  titleOf,
  usageOf,
} from '../chats/chats.ts'
import type { KernelParts } from '../kernel-parts.ts'
import { KeyedMutex } from '../platform/concurrency/keyed-mutex.ts'
import { invalidField } from '../platform/errors.ts'
import type { AttachmentStore } from './attachments.ts'
import type { ConversationState, KeptChats } from './kept-chats.ts'
import { toPersonEmail } from './person-email.ts'
import type { Attachment, Conversation } from './spoken.ts'

/** A question to an agent, whichever of the two APIs it came by. */
export interface Question {
  agentId: string
  /** Agent, as the request names it. */
  model: string
  conversation: Conversation
  /** Name of the person, as the application has it. */
  user: string | null
  /** Chat to continue; its own memory counts, unless `conversation` brings one. */
  chatId?: string | undefined
  /** Key by which a request that is sent again is asked once. */
  idempotencyKey?: string | undefined
}

/** A question that was accepted. */
export interface Begun {
  path: MessagePath
  /** Seconds since 1970. */
  createdAt: number
}

export interface Asked extends Begun {
  answer: Answer
  /** Fields of the request that hold the files of the question, in their order. */
  filePaths: string[]
  /** Keeps the chat for the request that repeats this conversation and continues it; without an answer, for the same one. */
  keep(text?: string): Promise<void>
}

/** A passage that the answer relies on, and where the answer names it. */
export interface PlacedCitation {
  start: number
  end: number
  fileId: string
  fileName: string
  quote: string
  url: string
}

export interface Answered {
  begun: Begun
  /** All of it, with what only the stored message knows. */
  text: string
  /** End of the text that no event brought: links to made files, and the question of a review. */
  rest: string
  reasoning: string
  citations: PlacedCitation[]
  usage: { input_tokens: number; cached_input_tokens: number; output_tokens: number; reasoning_tokens: number }
}

/** An answer as it is stored, which may be on its way. */
export interface StoredAnswer {
  answered: Answered
  events: readonly StreamEvent[]
  /** A run that waits for a person has answered with what it asks. */
  status: 'in_progress' | 'completed' | 'failed' | 'cancelled'
  errorMessage: string | null
  /** Agent, as the request that began the chat named it. */
  model: string
}

export interface AskingOptions extends Pick<KernelParts, 'clock' | 'logger'> {
  chats: ChatService
  queries: QueryService
  messages: MessageService
  outputs: OutputService
  attachments: AttachmentStore
  keptChats: KeptChats
  publicUrl(): string
}

const NO_USAGE = { input_tokens: 0, cached_input_tokens: 0, output_tokens: 0, reasoning_tokens: 0 }

/** Chat for a question, with the uploads that go along. */
interface Destination {
  chatId: string
  files: string[]
  state: ConversationState
  messageId: string | undefined
}

/** Fields of a request that hold files, each file once. */
const pathsOfFiles = (attachments: Attachment[]): string[] => [
  ...new Map(attachments.map((one) => [one.kind === 'upload' ? one.id : one, one.path])).values(),
]

function statusOf({ status, errorMessage }: MessageRecord): StoredAnswer['status'] {
  if (status === 'in_progress') return status
  if (errorMessage === null) return 'completed'
  return errorMessage === CANCELLED ? 'cancelled' : 'failed'
}

const toSeconds = (date: Date): number => Math.floor(date.getTime() / 1000)

/** Asks agents for clients that speak OpenAI's protocols. */
export class Asking {
  readonly #options: AskingOptions
  /** Held by a question with an idempotency key, until it is accepted: equal ones wait for the first. */
  readonly #beginning = new KeyedMutex()

  constructor(options: AskingOptions) {
    this.#options = options
  }

  /** Finds a message that the caller may read by its id alone. */
  find(caller: Caller, messageId: string): Promise<MessagePath | undefined> {
    return this.#options.messages.findPath(caller, messageId)
  }

  /** @throws what a query throws */
  begin(caller: Caller, question: Question, signal: AbortSignal): Promise<Asked> {
    const { idempotencyKey: key } = question
    if (key === undefined) return this.#ask(caller, question, signal)
    const messageId = hash('sha256', `${caller.keyId}\n${key}`).slice(0, 24)
    return this.#beginning.run(messageId, () => this.#askOnce(caller, question, messageId, signal))
  }

  async #askOnce(caller: Caller, question: Question, messageId: string, signal: AbortSignal): Promise<Asked> {
    const asked = () => this.#ask(caller, question, signal, messageId)
    try {
      return await asked()
    } catch (error) {
      if (!(error instanceof MessageIdConflictError)) throw error
    }
    // Another process may have been faster with the same one, in a chat of its own: now that is found.
    try {
      return await asked()
    } catch (error) {
      throw error instanceof MessageIdConflictError ? new IdempotencyConflictError() : error
    }
  }

  /** Asks in the chat that the conversation continues, or in a new one; a question that is refused leaves both as before. */
  async #ask(caller: Caller, question: Question, signal: AbortSignal, messageId?: string): Promise<Asked> {
    const { chats, keptChats, logger } = this.#options
    const { agentId, conversation, user } = question
    const { organizationId, keyId } = caller
    const state = { keyId, agentId, email: user === null ? null : toPersonEmail(user), history: conversation.history }
    const before = messageId === undefined ? undefined : await this.find(caller, messageId)
    const known = before?.chat_id ?? question.chatId
    const taken = known ? undefined : await keptChats.take(organizationId, state)
    let begun: string | undefined
    try {
      // A chat that is continued has the files of its earlier messages.
      const earlier = taken ? [] : conversation.earlier
      const files = before
        ? (await this.#options.messages.sentWith(caller, [{ id: before.message_id }])).map(({ id }) => id)
        : await this.#options.attachments.store(caller, conversation.attachments, earlier, signal)
      const chatId = known ?? taken ?? (begun = await this.#newChat(caller, question))
      return await this.#send(caller, question, { chatId, files, state, messageId })
    } catch (error) {
      const undo = async () => {
        if (taken) await keptChats.keep(organizationId, taken, state)
        else if (begun) await chats.remove(caller, { agent_id: agentId, chat_id: begun })
      }
      await undo().catch((err) => logger.warn({ err }, 'the chat of a refused question is not as before'))
      throw error
    }
  }

  async #send(
    caller: Caller,
    { agentId, conversation }: Question,
    { chatId, files, state, messageId }: Destination,
  ): Promise<Asked> {
    const { queries, keptChats, clock, logger } = this.#options
    const { instructions, history, attachments, earlier } = conversation
    const path = { agent_id: agentId, chat_id: chatId }
    const filePaths = pathsOfFiles(attachments)
    const query = SendQuery.parse({
      query: conversation.question,
      virtual_user_email: state.email,
      message_id: messageId,
      uploaded_files: files,
    })
    const given = {
      ...(instructions && { instructions }),
      ...(history.length > 0 && { history }),
      ...(files.length > filePaths.length && { ownFiles: filePaths.length }),
      // Files inside the request get other ids each time.
      ...(messageId && { attached: hash('sha256', JSON.stringify([attachments, earlier])) }),
    }
    const answer = await queries.send(caller, path, query, Object.keys(given).length > 0 ? given : undefined)
    const keep = (text?: string) => {
      const turn = text === undefined ? [] : [{ query: conversation.asked, response: text }]
      const kept = keptChats.keep(caller.organizationId, chatId, { ...state, history: [...history, ...turn] })
      // The chat may have been deleted meanwhile; without it, the next request begins another one.
      return kept.catch((err) => logger.warn({ err }, 'a chat was not kept'))
    }
    return { path: { ...path, message_id: answer.messageId }, createdAt: toSeconds(clock()), answer, filePaths, keep }
  }

  async #newChat(caller: Caller, { agentId, model, conversation }: Question): Promise<string> {
    const first = conversation.history[0]?.query || conversation.question
    const fields = { title: titleOf(first), chat_type: 'standard', metadata: { source: 'openai', model } } as const
    return (await this.#options.chats.create(caller, agentId, fields)).id
  }

  /**
   * Waits for the end of the answer, or for it to wait for a person.
   * @throws AgentFailedError, ValidationError for a file of the question that cannot be read
   */
  async finish(caller: Caller, asked: Asked): Promise<Answered> {
    const { messages } = this.#options
    const { review } = await asked.answer.result().catch(async (error) => {
      await asked.keep()
      throw await this.#whyFailed(caller, asked, error)
    })
    const answered = await this.#toAnswered(caller, await messages.get(caller, asked.path), review?.text)
    if (!review) await asked.keep(answered.text)
    return answered
  }

  /** Names the place of a file that cannot be read: to send it again does not help. */
  async #whyFailed(caller: Caller, { path, filePaths }: Asked, error: unknown): Promise<unknown> {
    if (!(error instanceof AgentFailedError) || filePaths.length === 0) return error
    const sent = await this.#options.messages.sentWith(caller, [{ id: path.message_id }])
    const at = sent.findIndex(({ fileName }) => error.message.startsWith(`${fileName}: `))
    const filePath = filePaths[at]
    return filePath === undefined ? error : invalidField(filePath, error.message)
  }

  /** Ends the run; what it said stays in the chat. */
  cancel(caller: Caller, { path, keep }: Asked): void {
    const { messages, logger } = this.#options
    const ended = keep().then(() => messages.cancel(caller, path))
    ended.catch((err) => logger.error({ err }, 'a run whose client left was not cancelled'))
  }

  /** A message as it is stored, wherever it is by now. @throws MessageNotFoundError and the like */
  async read(caller: Caller, path: MessagePath): Promise<StoredAnswer> {
    const { chats, messages } = this.#options
    const { metadata } = await chats.get(caller, path, 'read')
    const { message, events } = await messages.getWithEvents(caller, path)
    const review = message.status === 'waiting' ? events.findLast(({ type }) => type === 'review_request') : undefined
    return {
      answered: await this.#toAnswered(caller, message, review?.text),
      events,
      status: statusOf(message),
      errorMessage: message.errorMessage,
      model: metadata.model ?? path.agent_id,
    }
  }

  async #toAnswered(caller: Caller, row: MessageRecord, review?: string): Promise<Answered> {
    const path = { agent_id: row.agentId, chat_id: row.chatId, message_id: row.id }
    const files = (await this.#options.outputs.listFiles(caller.organizationId, [row.id])).get(row.id) ?? []
    const links = files.map(({ fileName, url }) => `[${fileName.replaceAll(/[[\]\\]/g, '\\$&')}](${url})`).join('\n')
    const rest = [review, links].flatMap((part) => (part ? `\n\n${part}` : [])).join('')
    return {
      begun: { path, createdAt: toSeconds(new Date(row.createdAt)) },
      text: row.response + rest,
      rest,
      reasoning: row.reasoning,
      citations: this.#placed(row.response, JSON.parse(row.citations)),
      usage: usageOf(row) ?? NO_USAGE,
    }
  }

  #placed(text: string, citations: Citation[]): PlacedCitation[] {
    return citations.map(({ index, data_source_id: fileId, title: fileName, text: quote }) => {
      const mark = `[${index}]`
      const start = Math.max(0, text.indexOf(mark))
      const url = `${this.#options.publicUrl()}/drive/file/${fileId}`
      return { start, end: start + mark.length, fileId, fileName, quote, url }
    })
  }
}
