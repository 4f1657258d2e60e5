import {
  type AnswerStream,
  type Citation,
  type Docent,
  type Message,
  newObjectId,
  type Question,
  type Review,
  type StreamEvent,
} from '@docent/sdk'

/** A question with its answer, as far as it has come. */
export interface ChatMessage {
  id: string
  query: string
  text: string
  reasoning: string
  citations: Citation[]
  /** Decision that the answer waits for. */
  review: Review | null
  state: 'running' | 'waiting' | 'done' | 'stopped' | 'failed'
  /** Reason that it failed. */
  error: string | null
}

/**
 * `loading`: the history; `streaming`: an answer; `waiting`: for a review; `offline`: the line broke, `resume`
 * continues.
 */
export type ChatStatus = 'loading' | 'ready' | 'streaming' | 'waiting' | 'offline' | 'error'

export interface ChatSnapshot {
  chatId: string | undefined
  messages: ChatMessage[]
  status: ChatStatus
  error: Error | undefined
}

/** Keeps the id of the chat of this page over a reload. */
export interface ChatMemory {
  get(): string | undefined
  set(chatId: string | undefined): void
}

export type Decision = Parameters<Docent['chats']['messages']['review']>[3]

/** A chat with an agent as a page shows it: its messages, and what becomes of them. Independent of React. */
export class ChatSession {
  readonly #client: Docent
  readonly #agentId: string
  readonly #memory: ChatMemory
  readonly #listeners = new Set<() => void>()
  /** Ids of reviews that were decided here: an answer that is read again tells of them once more. */
  readonly #decided = new Set<string>()
  #reading: AbortController | undefined
  #snapshot: ChatSnapshot

  constructor(client: Docent, agentId: string, chatId: string | undefined, memory: ChatMemory) {
    this.#client = client
    this.#agentId = agentId
    this.#memory = memory
    const known = chatId ?? memory.get()
    this.#snapshot = { chatId: known, messages: [], status: known ? 'loading' : 'ready', error: undefined }
  }

  readonly snapshot = (): ChatSnapshot => this.#snapshot

  readonly subscribe = (listener: () => void): (() => void) => {
    this.#listeners.add(listener)
    return () => this.#listeners.delete(listener)
  }

  /** Reads the history, and continues with an answer that still runs. Called again after a lost connection. */
  async resume(): Promise<void> {
    const { chatId } = this.#snapshot
    if (chatId === undefined) return
    const reading = this.#begin()
    try {
      const messages: ChatMessage[] = []
      const all = this.#client.chats.messages.list(
        this.#agentId,
        chatId,
        { page_size: 100 },
        { signal: reading.signal },
      )
      for await (const message of all) messages.push(shownOf(message))
      if (reading.signal.aborted) return
      this.#set({ messages, status: 'ready', error: undefined })
      const last = messages.at(-1)
      if (last?.state === 'waiting') this.#set({ status: 'waiting' })
      if (last?.state === 'running') await this.#follow(last.id, reading)
    } catch (error) {
      this.#fail(error, reading)
    }
  }

  /** Ends the reading; what runs on the server continues. */
  leave(): void {
    this.#reading?.abort()
    this.#reading = undefined
  }

  /** Asks. The chat is made with the first question. */
  async send(question: string | Question): Promise<void> {
    const asked = typeof question === 'string' ? { query: question } : question
    const message_id = asked.message_id ?? newObjectId()
    const reading = this.#begin()
    this.#set({
      messages: [...this.#snapshot.messages, { ...EMPTY, id: message_id, query: asked.query ?? '' }],
      status: 'streaming',
      error: undefined,
    })
    try {
      const chatId = this.#snapshot.chatId ?? (await this.#createChat(asked))
      const { signal } = reading
      const stream = this.#client.chats.stream(this.#agentId, chatId, { ...asked, message_id }, { signal })
      await this.#read(stream, reading)
    } catch (error) {
      this.#fail(error, reading)
    }
  }

  /** Ends the answer on the server; what it said so far stays. */
  async stop(): Promise<void> {
    const { chatId, messages } = this.#snapshot
    const last = messages.at(-1)
    if (chatId === undefined || (last?.state !== 'running' && last?.state !== 'waiting')) return
    await this.#client.chats.messages.cancel(this.#agentId, chatId, last.id)
    this.leave()
    this.#change(last.id, { state: 'stopped', review: null })
    this.#set({ status: 'ready' })
  }

  /** Decides what the last answer waits for, and reads how it continues. */
  async review(decision: Decision): Promise<void> {
    const { chatId, messages } = this.#snapshot
    const last = messages.at(-1)
    if (chatId === undefined || last?.state !== 'waiting') throw new Error('Nothing waits for a review')
    await this.#client.chats.messages.review(this.#agentId, chatId, last.id, decision)
    if (last.review) this.#decided.add(last.review.id)
    await this.#follow(last.id, this.#begin())
  }

  /** Begins another chat with the next question. */
  clear(): void {
    this.leave()
    this.#memory.set(undefined)
    this.#set({ chatId: undefined, messages: [], status: 'ready', error: undefined })
  }

  async #createChat({ virtual_user_email }: Question): Promise<string> {
    const { id } = await this.#client.chats.create(this.#agentId, { virtual_user_email })
    this.#memory.set(id)
    this.#set({ chatId: id })
    return id
  }

  /** Reads an answer from its first event on. */
  async #follow(messageId: string, reading: AbortController): Promise<void> {
    const { chatId } = this.#snapshot
    this.#change(messageId, { text: '', reasoning: '', citations: [], review: null, error: null, state: 'running' })
    this.#set({ status: 'streaming', error: undefined })
    try {
      const { signal } = reading
      await this.#read(this.#client.chats.messages.events(this.#agentId, chatId!, messageId, -1, { signal }), reading)
    } catch (error) {
      this.#fail(error, reading)
    }
  }

  async #read(stream: AnswerStream, reading: AbortController): Promise<void> {
    for await (const event of stream) {
      if (reading.signal.aborted) return
      this.#note(stream.messageId, event)
    }
    if (reading.signal.aborted) return
    const isWaiting = this.#snapshot.messages.at(-1)?.review != null
    this.#change(stream.messageId, { state: isWaiting ? 'waiting' : 'done' })
    this.#set({ status: isWaiting ? 'waiting' : 'ready' })
  }

  #note(id: string, event: StreamEvent): void {
    const message = this.#snapshot.messages.find((one) => one.id === id)
    if (!message) return
    if (event.type === 'response') this.#change(id, { text: message.text + event.text, review: null })
    else if (event.type === 'reasoning') this.#change(id, { reasoning: message.reasoning + event.text, review: null })
    else if (event.type === 'live_update') this.#change(id, { review: null })
    else if (event.type === 'review_request') {
      const { review } = event.data
      if (!this.#decided.has(review.id)) this.#change(id, { review })
    } else if (event.type === 'end_response') this.#change(id, { citations: event.data.citations, review: null })
  }

  #begin(): AbortController {
    this.leave()
    this.#reading = new AbortController()
    return this.#reading
  }

  #fail(error: unknown, { signal }: AbortController): void {
    if (signal.aborted) return
    const failure = error instanceof Error ? error : new Error(String(error))
    const code = 'code' in failure ? failure.code : undefined
    const last = this.#snapshot.messages.at(-1)
    if (code === 'CONNECTION_FAILED') {
      this.#set({ status: 'offline', error: failure })
      return
    }
    if (last?.state === 'running')
      this.#change(last.id, code === 'CANCELLED' ? { state: 'stopped' } : { state: 'failed', error: failure.message })
    this.#set(code === 'CANCELLED' ? { status: 'ready' } : { status: 'error', error: failure })
  }

  #change(id: string, changes: Partial<ChatMessage>): void {
    const messages = this.#snapshot.messages.map((one) => (one.id === id ? { ...one, ...changes } : one))
    this.#set({ messages })
  }

  #set(changes: Partial<ChatSnapshot>): void {
    this.#snapshot = { ...this.#snapshot, ...changes }
    for (const listener of this.#listeners) listener()
  }
}

const EMPTY = {
  text: '',
  reasoning: '',
  citations: [],
  review: null,
  state: 'running',
  error: null,
} as const satisfies Omit<ChatMessage, 'id' | 'query'> as Omit<ChatMessage, 'id' | 'query'>

const STATES = { in_progress: 'running', waiting: 'waiting', completed: 'done' } as const

/** A message of the history as it is shown. */
function shownOf(message: Message): ChatMessage {
  const { id, query, response, reasoning, citations, review, error_message } = message
  const state =
    error_message === null ? STATES[message.ai_resolution_status] : error_message === 'cancelled' ? 'stopped' : 'failed'
  return {
    id,
    query,
    text: response,
    reasoning,
    citations,
    review,
    state,
    error: state === 'failed' ? error_message : null,
  }
}
