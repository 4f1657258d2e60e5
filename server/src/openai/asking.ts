import { hash } from 'node:crypto'
import { type Caller, IdempotencyConflictError } from '../access/access.ts'
import type { Citation } from '../agents/agents.ts'
import {
  type Answer,
  type ChatService,
  MessageIdConflictError,
  type MessagePath,
  type MessageService,
  type OutputService,
  type QueryService,
  SendQuery,
  titleOf,
  usageOf,
} from '../chats/chats.ts'
import type { KernelParts } from '../kernel-parts.ts'
import { KeyedMutex } from '../platform/concurrency/keyed-mutex.ts'
import type { AttachmentStore } from './attachments.ts'
import type { KeptChats } from './kept-chats.ts'
import { toPersonEmail } from './person-email.ts'
import type { Conversation } from './spoken.ts'

/** A question to an agent, whichever of the two APIs it came by. */
export interface Question {
  agentId: string
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
  /** Keeps the chat for the request that repeats this conversation and continues it. */
  keep(text: string): Promise<void>
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

  async #ask(caller: Caller, question: Question, signal: AbortSignal, messageId?: string): Promise<Asked> {
    const { chats, queries, messages, attachments, keptChats, clock, logger } = this.#options
    const { agentId, conversation, user } = question
    const { instructions, history } = conversation
    const email = user === null ? null : toPersonEmail(user)
    const earlier = messageId === undefined ? undefined : await this.find(caller, messageId)
    const sentBefore = earlier ? await messages.sentWith(caller, [{ id: earlier.message_id }]) : undefined
    const files = sentBefore?.map(({ id }) => id) ?? (await attachments.store(caller, conversation.attachments, signal))
    const state = { keyId: caller.keyId, agentId, email, history }
    const known = earlier?.chat_id ?? question.chatId ?? (await keptChats.take(caller.organizationId, state))
    const chatId = known ?? (await this.#newChat(caller, question))
    const path = { agent_id: agentId, chat_id: chatId }
    const query = SendQuery.parse({
      query: conversation.question,
      virtual_user_email: email,
      message_id: messageId,
      // In one order, by which a request that is sent again is known.
      uploaded_files: files.toSorted(),
    })
    const given = {
      ...(instructions && { instructions }),
      ...(history.length > 0 && { history }),
      // Files inside the request get other ids each time.
      ...(messageId && { attached: hash('sha256', JSON.stringify(conversation.attachments)) }),
    }
    try {
      const answer = await queries.send(caller, path, query, Object.keys(given).length > 0 ? given : undefined)
      const keep = (text: string) =>
        keptChats.keep(caller.organizationId, chatId, {
          ...state,
          history: [...history, { query: conversation.asked, response: text }],
        })
      return { path: { ...path, message_id: answer.messageId }, createdAt: toSeconds(clock()), answer, keep }
    } catch (error) {
      // Nobody knows of a chat in which nothing could be asked.
      if (!known) await chats.remove(caller, path).catch((err) => logger.warn({ err }, 'an empty chat stays'))
      throw error
    }
  }

  async #newChat(caller: Caller, { agentId, conversation }: Question): Promise<string> {
    const first = conversation.history[0]?.query || conversation.question
    const fields = { title: titleOf(first), chat_type: 'standard', metadata: { source: 'openai' } } as const
    return (await this.#options.chats.create(caller, agentId, fields)).id
  }

  /** Waits for the end of the answer, or for it to wait for a person. @throws AgentFailedError */
  async finish(caller: Caller, asked: Asked): Promise<Answered> {
    const { review } = await asked.answer.result()
    const answered = await this.read(caller, asked.path, review?.text)
    // The chat may have been deleted meanwhile; without it, the next request begins another one.
    if (!review)
      await asked.keep(answered.text).catch((err) => this.#options.logger.warn({ err }, 'a chat was not kept'))
    return answered
  }

  /** Ends the run; what it said stays in the chat. */
  cancel(caller: Caller, { path }: Begun): void {
    const { messages, logger } = this.#options
    messages.cancel(caller, path).catch((err) => logger.error({ err }, 'a run whose client left was not cancelled'))
  }

  /** A message as it is stored. @throws MessageNotFoundError and the like */
  async read(caller: Caller, path: MessagePath, review?: string): Promise<Answered> {
    const { messages, outputs } = this.#options
    const row = await messages.get(caller, path)
    const files = (await outputs.listFiles(caller.organizationId, [path.message_id])).get(path.message_id) ?? []
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
