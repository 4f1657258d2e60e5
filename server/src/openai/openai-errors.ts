import type { FastifyInstance } from 'fastify'
import { DomainError, type ErrorDetail } from '../platform/errors.ts'
import type { ErrorBody } from '../platform/http/errors.ts'

/** Error in the form of OpenAI's API. */
export interface OpenAiError {
  message: string
  type: string
  param: string | null
  code: string | null
}

export class ModelNotFoundError extends DomainError {
  override name = 'ModelNotFoundError'
  readonly code = 'MODEL_NOT_FOUND'
  override readonly details: ErrorDetail[] = [{ path: 'model', message: 'names no agent' }]
  constructor(model: string) {
    super(
      `No agent that this API key may ask has the id or the unique name ${JSON.stringify(model.slice(0, 100))}: GET /openai/v1/models lists them`,
    )
  }
}

/** Ids of agents with one name that a message tells. */
const MOST_IDS = 10

export class ModelAmbiguousError extends DomainError {
  override name = 'ModelAmbiguousError'
  readonly code = 'MODEL_NOT_FOUND'
  override readonly details: ErrorDetail[] = [{ path: 'model', message: 'names several agents' }]
  constructor(name: string, ids: string[]) {
    const told = [...ids.slice(0, MOST_IDS), ...(ids.length > MOST_IDS ? ['…'] : [])].join(', ')
    super(`${ids.length} agents are named ${name}: use an id (${told})`)
  }
}

export class ResponseNotFoundError extends DomainError {
  override name = 'ResponseNotFoundError'
  readonly code = 'RESPONSE_NOT_FOUND'
  constructor(id: string) {
    super(`There is no response ${JSON.stringify(id.slice(0, 100))}`)
  }
}

const TYPES: Record<number, string> = {
  401: 'authentication_error',
  403: 'permission_error',
  404: 'not_found_error',
  409: 'conflict_error',
  429: 'rate_limit_error',
}

export const toOpenAiError = (status: number, { error_code, message, details }: ErrorBody): OpenAiError => ({
  message,
  type: TYPES[status] ?? (status >= 500 ? 'server_error' : 'invalid_request_error'),
  param: details?.[0]?.path || null,
  code: error_code.toLowerCase(),
})

/** Makes the errors of an instance OpenAI's, also below its prefix where there is no route: status and headers stay. */
export function answerErrorsAsOpenAi(app: FastifyInstance): void {
  app.setNotFoundHandler(app.answerNotFound)
  app.addHook('preSerialization', async (_request, reply, payload) => {
    const body = payload as Partial<ErrorBody> | null
    if (reply.statusCode < 400 || !body?.error_code) return payload
    return { error: toOpenAiError(reply.statusCode, body as ErrorBody) }
  })
}
