import type { StreamEvent } from '../../chats/chats.ts'
import type { AnswerWriter } from '../answer-writer.ts'
import type { Answered, Begun } from '../asking.ts'
import type { OpenAiError } from '../openai-errors.ts'
import {
  endToolItem,
  type MessageItem,
  type OutputItem,
  type ReasoningItem,
  type ToolItem,
  textPart,
  toFileCitation,
  toolItem,
  toolSteps,
} from './output-items.ts'
import { toResponse } from './response.ts'
import type { CreateResponse } from './responses.schemas.ts'

type Outcome = Omit<Parameters<typeof toResponse>[2], 'output'>

/** Gathers the items of an answer, and writes the events of a response as Server-Sent Events if a stream was asked for. */
export class ResponseWriter implements AnswerWriter {
  readonly #request: CreateResponse
  readonly #output: OutputItem[] = []
  readonly #tools = new Map<string, ToolItem>()
  #begun!: Begun
  #sequence = 0
  #outcome: Outcome = { status: 'in_progress' }
  #written = ''
  #message: MessageItem | undefined
  #reasoning: ReasoningItem | undefined

  constructor(request: CreateResponse) {
    this.#request = request
  }

  begin(begun: Begun): string {
    this.#begun = begun
    const response = this.response()
    this.#emit('response.created', { response })
    this.#emit('response.in_progress', { response })
    return this.#take()
  }

  write(events: readonly StreamEvent[]): string {
    for (const event of events) this.#read(event)
    return this.#take()
  }

  end(answered: Answered): string {
    this.#endReasoning()
    const said = this.#message?.content[0]?.text ?? ''
    // A message that was answered before, or whose events said nothing, has its text all the same.
    const missing = said === '' ? answered.text : answered.rest
    if (missing !== '' || !this.#message) this.#say(missing)
    this.#endMessage(answered)
    this.#outcome = { status: 'completed', usage: answered.usage }
    this.#emit('response.completed', { response: this.response() })
    return this.#take()
  }

  fail(error: Pick<OpenAiError, 'message'>): string {
    this.#breakOff({ status: 'failed', error })
    this.#emit('response.failed', { response: this.response() })
    return this.#take()
  }

  /** Ends an answer that was cancelled; streams have no event for it. */
  cancel(): void {
    this.#breakOff({ status: 'cancelled' })
  }

  /** The response, as far as it has come. */
  response() {
    return toResponse(this.#begun, this.#request, { ...this.#outcome, output: this.#output })
  }

  #breakOff(outcome: Outcome): void {
    for (const item of this.#output) if ('status' in item && item.status === 'in_progress') item.status = 'incomplete'
    this.#outcome = outcome
  }

  #read(event: StreamEvent): void {
    if (event.type === 'response') {
      this.#endReasoning()
      this.#say(event.text)
    } else if (event.type === 'reasoning') this.#think(event.text)
    else if (event.type === 'end_reasoning') this.#endReasoning()
    else if (event.type === 'live_update') this.#show(event)
    else if (event.type === 'ping') this.#written += ': working\n\n'
  }

  #say(delta: string): void {
    if (!this.#message) {
      const id = `msg_${this.#begun.path.message_id}`
      this.#message = { id, type: 'message', status: 'in_progress', role: 'assistant', content: [] }
      this.#add(this.#message)
      this.#message.content.push({ type: 'output_text', text: '', annotations: [], logprobs: [] })
      this.#emit('response.content_part.added', { ...this.#ofText(), part: textPart('') })
    }
    if (delta === '') return
    this.#message.content[0]!.text += delta
    this.#emit('response.output_text.delta', { ...this.#ofText(), delta, logprobs: [] })
  }

  #endMessage({ citations }: Answered): void {
    const message = this.#message!
    const part = message.content[0]!
    for (const [annotation_index, citation] of citations.entries()) {
      const annotation = toFileCitation(citation)
      part.annotations.push(annotation)
      this.#emit('response.output_text.annotation.added', { ...this.#ofText(), annotation_index, annotation })
    }
    this.#emit('response.output_text.done', { ...this.#ofText(), text: part.text, logprobs: [] })
    this.#emit('response.content_part.done', { ...this.#ofText(), part })
    message.status = 'completed'
    this.#done(message)
  }

  #ofText() {
    return { item_id: this.#message!.id, output_index: this.#output.indexOf(this.#message!), content_index: 0 }
  }

  #think(delta: string): void {
    if (!this.#reasoning) {
      const count = this.#output.filter(({ type }) => type === 'reasoning').length
      this.#reasoning = { id: `rs_${this.#begun.path.message_id}_${count}`, type: 'reasoning', summary: [] }
      this.#add(this.#reasoning)
      this.#reasoning.summary.push({ type: 'summary_text', text: '' })
      const part = { type: 'summary_text', text: '' }
      this.#emit('response.reasoning_summary_part.added', { ...this.#ofReasoning(this.#reasoning), part })
    }
    this.#reasoning.summary[0]!.text += delta
    this.#emit('response.reasoning_summary_text.delta', { ...this.#ofReasoning(this.#reasoning), delta })
  }

  #endReasoning(): void {
    const item = this.#reasoning
    if (!item) return
    const part = item.summary[0]!
    this.#emit('response.reasoning_summary_text.done', { ...this.#ofReasoning(item), text: part.text })
    this.#emit('response.reasoning_summary_part.done', { ...this.#ofReasoning(item), part })
    this.#done(item)
    this.#reasoning = undefined
  }

  #ofReasoning(item: ReasoningItem) {
    return { item_id: item.id, output_index: this.#output.indexOf(item), summary_index: 0 }
  }

  #show({ subtype, data }: Extract<StreamEvent, { type: 'live_update' }>): void {
    if (subtype === 'tool_call_start') {
      const item = toolItem(data)
      if (!item || this.#tools.has(data.tool_call_id)) return
      this.#endReasoning()
      this.#tools.set(data.tool_call_id, item)
      this.#add(item)
      for (const step of toolSteps(item)) this.#emit(`response.${item.type}.${step}`, this.#ofTool(item))
      return
    }
    const item = this.#tools.get(data.tool_call_id)
    if (item?.status !== 'in_progress' || (subtype === 'tool_call_result' && !data.preview)) return
    const step = endToolItem(item, data.preview)
    this.#emit(`response.${item.type}.${step}`, this.#ofTool(item))
    this.#done(item)
  }

  #ofTool(item: ToolItem) {
    return { item_id: item.id, output_index: this.#output.indexOf(item) }
  }

  #add(item: OutputItem): void {
    this.#output.push(item)
    this.#emit('response.output_item.added', { output_index: this.#output.length - 1, item })
  }

  #done(item: OutputItem): void {
    this.#emit('response.output_item.done', { output_index: this.#output.indexOf(item), item })
  }

  #emit(type: string, fields: object): void {
    if (!this.#request.stream) return
    const event = { type, sequence_number: this.#sequence++, ...fields }
    this.#written += `event: ${type}\ndata: ${JSON.stringify(event)}\n\n`
  }

  #take(): string {
    const text = this.#written
    this.#written = ''
    return text
  }
}
