import { APICallError, JSONParseError, TypeValidationError, UnsupportedFunctionalityError } from '@ai-sdk/provider'
import { connectionError } from '../failures/connection-failures.ts'
import { ModelError } from '../failures/model.errors.ts'
import {
  complaintError,
  contentTypeError,
  cutError,
  readComplaint,
  retryAfterOf,
  unreadableError,
} from '../failures/provider-failures.ts'
import type { ModelProvider } from '../model-provider.ts'
import { parseJson } from '../read-reply.ts'

/**
 * Turns an error of an AI SDK provider, thrown or streamed, into the error that callers see. The provider's own is not
 * kept: it holds the whole request, so it would put prompts into logs.
 */
export function fromAiSdkError(error: unknown, provider: ModelProvider, model: string): ModelError {
  if (error instanceof ModelError) return error
  if (APICallError.isInstance(error)) return fromCallError(error, provider, model)
  if (JSONParseError.isInstance(error) || TypeValidationError.isInstance(error)) {
    return unreadableError(provider, 'an event of another form')
  }
  if (UnsupportedFunctionalityError.isInstance(error)) {
    return new ModelError('refused', `${provider.label} cannot take this request`, { detail: error.functionality })
  }
  if (isStreamError(error)) {
    const { statusCode } = error
    return complaintError(provider, model, {
      ...readComplaint({ error: { ...asObject(error.data), message: error.message, type: error.type ?? error.code } }),
      ...(statusCode && { status: statusCode }),
    })
  }
  return unreadableError(provider, 'an answer of another form', (error as Error | undefined)?.message)
}

function fromCallError(error: APICallError, provider: ModelProvider, model: string): ModelError {
  const { statusCode, responseBody = '', cause } = error
  if (statusCode === undefined) return connectionError(provider, cause)
  if (statusCode < 200 || statusCode >= 300) {
    return complaintError(provider, model, {
      ...(responseBody ? readComplaint(parseJson(responseBody) ?? responseBody) : { message: error.message }),
      ...complaintCodes(error.data),
      status: statusCode,
      retryAfterMs: retryAfterOf(error.responseHeaders ?? {}),
    })
  }
  if (JSONParseError.isInstance(cause) || TypeValidationError.isInstance(cause)) {
    return contentTypeError(provider, error.responseHeaders?.['content-type'] ?? '')
  }
  return cutError(provider)
}

function complaintCodes(data: unknown) {
  const { codes = [] } = readComplaint(data)
  return codes.length > 0 ? { codes } : {}
}

interface StreamError {
  message: string
  type?: string
  code?: string | number
  statusCode?: number
  data: unknown
}

function isStreamError(error: unknown): error is StreamError {
  return typeof error === 'object' && error !== null && 'message' in error && 'data' in error
}

function asObject(value: unknown): object {
  return typeof value === 'object' && value !== null ? value : {}
}
