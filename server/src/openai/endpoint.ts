import type { FastifyReply, FastifyRequest } from 'fastify'
import type { z } from 'zod'
import { type Caller, ForbiddenError, idempotencyKeyOf, mayCall } from '../access/access.ts'
import type { AgentService, FetchFile } from '../agents/agents.ts'
import { streamEvents } from '../chats/chats.ts'
import type { UploadService } from '../drive/drive.ts'
import type { KernelParts } from '../kernel-parts.ts'
import type { OpenStreams } from '../platform/cluster/limits/open-streams.ts'
import { DomainError, invalidFields } from '../platform/errors.ts'
import { toErrorReply } from '../platform/http/errors.ts'
import { problemsOf } from '../platform/http/validation/issue-places.ts'
import type { RetrievalService } from '../retrieval/retrieval.ts'
import { findAgentId, listModels, pickModel } from './agent-models.ts'
import { type AnswerWriter, answerReader, watchClient } from './answer-writer.ts'
import { Asking, type AskingOptions, type Question } from './asking.ts'
import { createAttachmentStore } from './attachments.ts'
import { spokenOf as spokenInCompletion, toCompletion } from './completions/completion.ts'
import { completionWriter } from './completions/completion-stream.ts'
import { CreateCompletion } from './completions/completions.schemas.ts'
import { KeptChats } from './kept-chats.ts'
import { ResponseNotFoundError, toOpenAiError } from './openai-errors.ts'
import { chatOfRequest } from './responses/earlier-turns.ts'
import { spokenOf as spokenInResponse } from './responses/response.ts'
import { ResponseWriter } from './responses/response-stream.ts'
import { CreateResponse, GetResponse } from './responses/responses.schemas.ts'
import { toStoredResponse } from './responses/stored-response.ts'
import { toConversation } from './spoken.ts'
import { SearchFolder, searchFolder } from './vector-stores/vector-search.ts'

export interface EndpointOptions
  extends Pick<KernelParts, 'blobs' | 'clock' | 'db' | 'writes'>,
    Omit<AskingOptions, 'attachments' | 'keptChats'> {
  agents: AgentService
  uploads: UploadService
  retrieval: RetrievalService
  fetchFile: FetchFile
  openStreams: OpenStreams
}

/** Handlers of OpenAI's protocols. */
export class Endpoint {
  readonly #options: EndpointOptions
  readonly #asking: Asking

  constructor(options: EndpointOptions) {
    this.#options = options
    this.#asking = new Asking({
      ...options,
      attachments: createAttachmentStore(options),
      keptChats: new KeptChats(options),
    })
  }

  async listModels({ caller }: FastifyRequest, _reply: FastifyReply) {
    return { object: 'list', data: await listModels(this.#options.agents, caller) }
  }

  /** @throws ModelNotFoundError */
  async getModel({ caller, params }: FastifyRequest, _reply: FastifyReply) {
    const { model } = params as { model: string }
    return pickModel(await listModels(this.#options.agents, caller), model)
  }

  /** @throws ValidationError, ModelNotFoundError, ForbiddenError, IdempotencyConflictError, and what a query throws */
  async complete(request: FastifyRequest, reply: FastifyReply) {
    const body = parse(CreateCompletion, request.body)
    const conversation = toConversation(spokenInCompletion(body))
    const question = await this.#getQuestion(request, { ...body, conversation })
    if (body.stream) return this.#stream(request, reply, question, completionWriter(body))
    return toCompletion(await this.#answer(request, reply, question), body)
  }

  /** @throws ResponseNotFoundError, and what `complete` throws */
  async respond(request: FastifyRequest, reply: FastifyReply) {
    const body = parse(CreateResponse, request.body)
    const said = toConversation(spokenInResponse(body))
    const { chatId, conversation } = await chatOfRequest(this.#options.messages, request.caller, body, said)
    const question = { ...(await this.#getQuestion(request, { ...body, conversation })), chatId }
    const writer = new ResponseWriter(body)
    if (body.stream) return this.#stream(request, reply, question, writer)
    writer.end(await this.#answer(request, reply, question, writer))
    return writer.response()
  }

  /** @throws ResponseNotFoundError, ValidationError */
  async getResponse({ caller, params, query }: FastifyRequest, _reply: FastifyReply) {
    requireOperation(caller, 'messages.get')
    parse(GetResponse, query)
    const { response_id: id } = params as { response_id: string }
    const path = await this.#asking.find(caller, id.replace(/^resp_/, ''))
    if (!path) throw new ResponseNotFoundError(id)
    return toStoredResponse(await this.#asking.read(caller, path))
  }

  /** @throws FolderNotFoundError */
  async search({ caller, params, body, signal }: FastifyRequest, _reply: FastifyReply) {
    requireOperation(caller, 'knowledgeBases.search')
    const { vector_store_id: folderId } = params as { vector_store_id: string }
    return searchFolder(this.#options, caller, folderId, { ...parse(SearchFolder, body), signal })
  }

  async #getQuestion(
    request: FastifyRequest,
    {
      model,
      user,
      safety_identifier,
      conversation,
    }: Pick<CreateCompletion, 'model' | 'user' | 'safety_identifier'> & Pick<Question, 'conversation'>,
  ): Promise<Question> {
    const { caller } = request
    requireOperation(caller, 'chats.create')
    requireOperation(caller, 'chats.queries.create')
    const agentId = await findAgentId(this.#options.agents, caller, model)
    const idempotencyKey = idempotencyKeyOf(request)
    return { agentId, model, conversation, user: user ?? safety_identifier ?? null, idempotencyKey }
  }

  /** Answers in one piece; the run ends with a client that leaves. @param writer is shown the events, too */
  async #answer({ caller, signal }: FastifyRequest, reply: FastifyReply, question: Question, writer?: AnswerWriter) {
    const asking = this.#asking
    const asked = await asking.begin(caller, question, signal)
    const stopWatching = watchClient(reply.raw, () => asking.cancel(caller, asked))
    writer?.begin(asked)
    const stopReading = writer ? asked.answer.read({ write: ({ events }) => writer.write(events), end() {} }) : () => {}
    try {
      return await asking.finish(caller, asked)
    } finally {
      stopReading()
      stopWatching()
    }
  }

  async #stream(request: FastifyRequest, reply: FastifyReply, question: Question, writer: AnswerWriter) {
    const asking = this.#asking
    const { caller, signal } = request
    await streamEvents(reply, await this.#options.openStreams.open(caller.keyId), async () => {
      const asked = await asking.begin(caller, question, signal)
      return (stream) => {
        stream.write(writer.begin(asked))
        const reader = answerReader(stream, {
          writer,
          finish: () => asking.finish(caller, asked),
          toError: (error) => errorInStream(error, request),
        })
        const stopReading = asked.answer.read(reader)
        return () => {
          stopReading()
          if (!reader.hasEnded()) asking.cancel(caller, asked)
        }
      }
    })
    return reply
  }
}

/** @throws ForbiddenError for a key whose scopes lack an operation of the API */
function requireOperation(caller: Caller, operation: string): void {
  if (!mayCall(caller, operation)) throw new ForbiddenError(`This API key is not allowed to call ${operation}`)
}

/** @throws ValidationError that names each field */
function parse<Schema extends z.ZodType>(schema: Schema, body: unknown): z.output<Schema> {
  const result = schema.safeParse(body ?? {})
  if (result.success) return result.data
  throw invalidFields(problemsOf(result.error))
}

function errorInStream(error: unknown, request: FastifyRequest) {
  const { status, body } = toErrorReply(error, request)
  if (status >= 500 && !(error instanceof DomainError)) request.log.error({ err: error }, 'a stream failed')
  return toOpenAiError(status, body)
}
