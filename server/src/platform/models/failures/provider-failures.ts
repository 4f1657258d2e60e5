import { readRetryAfter } from '../../outbound/retry-after.ts'
import type { ModelProvider } from '../model-provider.ts'
import { ModelError } from './model.errors.ts'
import { shortReason } from './short-reason.ts'

/** A failure as the provider reported it: over HTTP, or as an error object in the middle of a stream. */
export interface ProviderComplaint {
  status?: number
  /** Codes and types as the provider names them (`insufficient_quota`, `overloaded_error`). */
  codes?: string[]
  message?: string
  retryAfterMs?: number
}

const TOO_LONG_CODES = /context_length|context_window|exceed_context|string_above_max_length|request_too_large/
const TOO_LONG_WORDS =
  /context (length|window|size)|maximum context|prompt is too long|input is too long|too many (input )?tokens|input token count/i
const QUOTA_CODES = /insufficient_quota|billing|credit/
const QUOTA_WORDS = /credit balance|insufficient (balance|credits|quota)|billing/i
const KEY_CODES = /authentication|invalid_api_key|unauthenticated|permission|api_key_invalid/
const KEY_WORDS =
  /api[ _]?key.{0,20}(not valid|invalid|missing|incorrect|expired)|(invalid|incorrect|missing|no) api[ _]?key/i
const MODEL_CODES = /model_not_found|unknown_model|invalid_model/
const MODEL_WORDS =
  /\bmodels?\b.{0,80}(not found|not exist|not supported|no longer|unknown|not available)|(no such|unknown|invalid) model/i
const POLICY_CODES = /content_policy|content_filter|moderation/

/** The error for a provider that answered, but with a complaint. */
export function complaintError(provider: ModelProvider, model: string, complaint: ProviderComplaint): ModelError {
  const { message = '', retryAfterMs } = complaint
  const codes = (complaint.codes ?? []).join(' ').toLowerCase()
  const status = complaint.status ?? statusOf(codes)
  const { label } = provider
  const said = { status, detail: shortReason(message, provider.apiKey) }

  if (
    status !== 401 &&
    status !== 403 &&
    status !== 429 &&
    (TOO_LONG_CODES.test(codes) || TOO_LONG_WORDS.test(message))
  ) {
    return new ModelError('too-long', `The conversation is too long for the model "${model}"`, said)
  }
  if (status === 402 || QUOTA_CODES.test(codes) || (status !== 401 && QUOTA_WORDS.test(message))) {
    return new ModelError('quota', `${label} says that the quota of the key is used up${keyHint(provider)}`, said)
  }
  if (status === 401 || (status === 400 && KEY_WORDS.test(message)) || (status !== 403 && KEY_CODES.test(codes))) {
    return new ModelError('key', keySentence(provider), said)
  }
  if (MODEL_CODES.test(codes) || ((status === 404 || status === 400) && MODEL_WORDS.test(message))) {
    return new ModelError('unknown-model', unknownModelSentence(provider, model), said)
  }
  if (status === 403) {
    return new ModelError('key', `${label} does not allow this with the key it was given${keyHint(provider)}`, said)
  }
  if (status === 404) {
    return new ModelError(
      'unknown-model',
      `${label} has nothing for the model "${model}" at its address. Check the model's name and ${provider.urlSetting}`,
      said,
    )
  }
  if (status === 429 || /rate_limit|too_many_requests|resource_exhausted/.test(codes)) {
    return new ModelError('rate-limited', `${label} takes no more requests for now. Try again later`, {
      ...said,
      isRetryable: true,
      retryAfterMs,
    })
  }
  if (POLICY_CODES.test(codes)) {
    return new ModelError('refused', `${label} refused the request because of its content rules`, said)
  }
  if (status !== undefined && status >= 300 && status < 400) {
    return new ModelError(
      'unreadable',
      `${label} answered with a redirect, which is not followed. Check ${provider.urlSetting}`,
      said,
    )
  }
  if (status !== undefined && status < 500) {
    return new ModelError('refused', `${label} refused the request`, said)
  }
  return new ModelError('provider', `${label} failed`, {
    ...said,
    isRetryable: status === 502 || status === 503 || status === 504 || status === 529,
    retryAfterMs,
  })
}

/**
 * The error for an answer that is not in the protocol.
 * @param what our word for it, for example `broken JSON`
 * @param detail what the provider sent in its place, such as a content type, or what a library threw
 */
export function unreadableError(provider: ModelProvider, what: string, detail?: string): ModelError {
  return new ModelError(
    'unreadable',
    `${provider.label} answered with something that is no model's answer: ${what}. Check ${provider.urlSetting}`,
    { detail: shortReason(detail, provider.apiKey) },
  )
}

/** The error for a successful answer whose content type is no model's. */
export function contentTypeError(provider: ModelProvider, contentType: string): ModelError {
  return unreadableError(provider, /html/i.test(contentType) ? 'a web page' : 'another type of content', contentType)
}

/** The error for a stream that stopped before the provider said that the answer is complete. */
export function cutError(provider: ModelProvider): ModelError {
  return new ModelError('cut', `The answer of ${lowerFirst(provider.label)} ended before it was finished`, {
    isRetryable: true,
  })
}

/** Codes and message of an error body in any of the shapes that providers use. */
export function readComplaint(body: unknown): Pick<ProviderComplaint, 'codes' | 'message'> & { status?: number } {
  const outer = asRecord(Array.isArray(body) ? body[0] : body)
  const inner = asRecord(outer?.error) ?? outer
  if (!inner) return typeof body === 'string' ? { message: body } : {}
  const message = [inner.message, outer?.error, outer?.message, inner.detail].find((value) => typeof value === 'string')
  const named = [inner.code, inner.type, inner.status].filter((value) => typeof value === 'string')
  const details = Array.isArray(inner.details) ? inner.details.map((detail) => asRecord(detail)?.reason) : []
  const status = [inner.code, inner.status, inner.status_code].find((value) => typeof value === 'number')
  return {
    message: message as string | undefined,
    codes: [...named, ...details.filter((value) => typeof value === 'string')] as string[],
    // An error with the status 200 or 0 has no meaningful status.
    ...(typeof status === 'number' && status >= 400 && status < 600 && { status }),
  }
}

/** Milliseconds that a provider asks to wait (`retry-after-ms`, `retry-after` in seconds or as a date). */
export function retryAfterOf(headers: Record<string, string | string[] | undefined>, now = Date.now()) {
  const exact = Number(headers['retry-after-ms'])
  if (headers['retry-after-ms'] && exact >= 0) return exact
  return readRetryAfter(headers['retry-after'], now)
}

function statusOf(codes: string): number | undefined {
  if (/overloaded/.test(codes)) return 529
  if (/not_found/.test(codes)) return 404
  if (/invalid_request|invalid_argument/.test(codes)) return 400
  return undefined
}

function keySentence({ label, keySetting, apiKey }: ModelProvider): string {
  if (!keySetting) return `${label} wants an API key, and there is no setting for one`
  return apiKey
    ? `${label} does not accept the API key in ${keySetting}`
    : `${label} wants an API key: set ${keySetting}`
}

function keyHint({ keySetting, apiKey }: ModelProvider): string {
  return keySetting && apiKey ? ` (${keySetting})` : ''
}

function unknownModelSentence(provider: ModelProvider, model: string): string {
  const hint = provider.kind === 'ollama' ? `Fetch it with "ollama pull ${model}", or name` : 'Name'
  const { chosenIn = 'in the agent or in DOCENT_MODEL' } = provider
  return `${provider.label} does not know the model "${model}". ${hint} another one ${chosenIn}`
}

function asRecord(value: unknown): Record<string, unknown> | undefined {
  return typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : undefined
}

function lowerFirst(label: string): string {
  return label.startsWith('The ') ? `the ${label.slice(4)}` : label
}
