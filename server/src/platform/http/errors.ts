import type { FastifyError, FastifyReply, FastifyRequest } from 'fastify'
import type { z } from 'zod'
import { DatabaseAwayError, isDatabaseAway } from '../database/away-errors.ts'
import { ERROR_CODES, type ErrorCode } from '../error-codes/error-codes.ts'
import { DomainError, type ErrorDetail, ValidationError } from '../errors.ts'
import { DiskFullError, isStorageFull } from '../host/disk-room.ts'
import { isOverloaded, TooBusyError } from '../host/run-in-worker.ts'
import { placeIssue } from './validation/issue-places.ts'

export interface ErrorBody {
  error_code: ErrorCode
  message: string
  details?: ErrorDetail[]
}

declare module 'fastify' {
  interface FastifyContextConfig {
    /** Status of field errors where it is not 400: 422 on virtual-user endpoints. */
    validationStatus?: 422
  }
}

/** Bytes of a refused body that are read and thrown away. */
const MOST_READ_BYTES = 64 * 1024 * 1024

/** Turns anything thrown into the contract's error form; what it does not recognise is a logged 500. */
export function sendError(thrown: unknown, request: FastifyRequest, reply: FastifyReply): FastifyReply {
  const error = errorForCaller(thrown)
  const { status, body, retryAfterSeconds } = toErrorReply(error, request)
  // Errors that have words for the caller are no fault of ours: a provider that fails, a cancelled run, a drain.
  if (status >= 500 && error instanceof DomainError) {
    request.log.warn({ code: body.error_code, reason: body.message, err: error.cause }, 'request failed')
  } else if (status === 410) request.log.error({ err: (error as Error).cause, code: body.error_code }, 'bytes are lost')
  else if (status >= 500) request.log.error({ err: error, code: body.error_code }, 'request failed')
  const { headers } = error as { headers?: Record<string, string> }
  if (error instanceof DomainError && headers) reply.headers(headers)
  if (retryAfterSeconds !== undefined) reply.header('retry-after', String(retryAfterSeconds))
  // A connection that is closed while its client still sends is reset, and may take this answer with it.
  if (status === 413) discardBody(request, reply)
  // An upload that was refused half-way leaves bytes on the connection that nobody will read.
  else if (status === 408) reply.header('connection', 'close')
  return reply.status(status).type('application/json; charset=utf-8').send(body)
}

function discardBody({ raw }: FastifyRequest, reply: FastifyReply): void {
  let read = 0
  reply.header('connection', 'keep-alive')
  raw.on('data', (chunk: Buffer) => {
    read += chunk.length
    if (read > MOST_READ_BYTES) raw.destroy()
  })
}

/** States of the machine that an error explains to the caller, who may wait and retry. */
function errorForCaller(thrown: unknown): unknown {
  if (isDatabaseAway(thrown)) return new DatabaseAwayError(thrown)
  if (isStorageFull(thrown)) return new DiskFullError({ cause: thrown })
  if (isOverloaded(thrown)) return new TooBusyError(thrown)
  return thrown
}

interface ErrorReply {
  status: number
  body: ErrorBody
  retryAfterSeconds?: number
}

export function toErrorReply(error: unknown, request: FastifyRequest): ErrorReply {
  if (error instanceof DomainError) {
    const { code, message, details } = error
    const status = error instanceof ValidationError ? fieldStatus(request) : ERROR_CODES[code].status
    const retryAfterSeconds = (error as { retryAfterSeconds?: number }).retryAfterSeconds
    return { status, body: { error_code: code, message, ...(details?.length && { details }) }, retryAfterSeconds }
  }
  const known = error as FastifyError
  if (known?.validation) return fieldErrors(known, request)
  return frameworkError(known, request)
}

const fieldStatus = (request: FastifyRequest): number => request.routeOptions.config?.validationStatus ?? 400

/** Names for problems that belong to no field. */
const WHOLE = { body: 'The body', querystring: 'The query string', params: 'The path', headers: 'The headers' }

function fieldErrors(error: FastifyError, request: FastifyRequest): ErrorReply {
  const { validation = [], validationContext: part = 'body' } = error
  const isMissing = part === 'body' && request.body === undefined
  // A misspelt field is why another one is missing.
  const ordered = [...validation].sort((a, b) => Number(isUnknownField(b)) - Number(isUnknownField(a)))
  const details = ordered.map(({ instancePath, message = 'is not valid', params }) => {
    const path = instancePath.split('/').filter((part) => part !== '')
    if (isMissing) return { path: path.join('.'), message: 'is missing: send a JSON object' }
    return placeIssue(path, message, (params?.errors ?? []) as z.core.$ZodIssue[][])
  })
  const first = details[0]
  const message = first ? `${first.path ? `${first.path}:` : WHOLE[part]} ${first.message}` : 'The request is not valid'
  return { status: fieldStatus(request), body: { error_code: 'VALIDATION_ERROR', message, details } }
}

const isUnknownField = ({ keyword }: { keyword?: string }): boolean => keyword === 'unrecognized_keys'

const FRAMEWORK: Record<string, [status: number, code: ErrorCode, message: string]> = {
  FST_ERR_CTP_INVALID_MEDIA_TYPE: [415, 'UNSUPPORTED_MEDIA_TYPE', 'Send the body as Content-Type: application/json'],
  FST_ERR_CTP_INVALID_TYPE: [415, 'UNSUPPORTED_MEDIA_TYPE', 'Send the body as Content-Type: application/json'],
  FST_ERR_CTP_BODY_TOO_LARGE: [413, 'PAYLOAD_TOO_LARGE', 'The body is larger than this endpoint takes'],
  FST_ERR_CTP_EMPTY_JSON_BODY: [400, 'VALIDATION_ERROR', 'The body is empty, but Content-Type says JSON'],
  FST_ERR_CTP_INVALID_JSON_BODY: [400, 'VALIDATION_ERROR', 'The body is not valid JSON'],
  FST_ERR_CTP_INVALID_CONTENT_LENGTH: [400, 'VALIDATION_ERROR', 'The body is not as long as Content-Length says'],
  FST_ERR_BAD_URL: [400, 'VALIDATION_ERROR', 'The URL is not valid'],
  FST_ERR_REOPENED_CLOSE_SERVER: [503, 'UNAVAILABLE', 'The server is shutting down'],
  ECONNRESET: [400, 'VALIDATION_ERROR', 'The request was cut off'],
}

function frameworkError(error: FastifyError | undefined, request: FastifyRequest): ErrorReply {
  const known = FRAMEWORK[error?.code ?? '']
  if (known) {
    const [status, error_code, words] = known
    const message = status === 413 ? `${words} (${sizeOf(request.routeOptions.bodyLimit)})` : words
    return { status, body: { error_code, message } }
  }
  return {
    status: 500,
    body: { error_code: 'INTERNAL_ERROR', message: 'Something went wrong on the server; its log has the request id' },
  }
}

const sizeOf = (bytes: number): string =>
  bytes >= 1024 * 1024 ? `${Math.round(bytes / 1024 / 1024)} MiB` : `${Math.round(bytes / 1024)} KiB`
