import { DomainError } from '../../errors.ts'

/** The kind of a failure, and the code that ends its message. */
export type ModelErrorReason =
  | 'key'
  | 'unknown-model'
  | 'rate-limited'
  | 'quota'
  | 'too-long'
  | 'refused'
  | 'provider'
  | 'unreachable'
  | 'unreadable'
  | 'cut'
  | 'timeout'

/**
 * A model gave no reply. The message is ours alone and ends with the code: "... (rate-limited, 429)." It goes to
 * callers and visitors, so nothing that a provider wrote is in it; that is the `detail`, for the log.
 */
export class ModelError extends DomainError {
  override name = 'ModelError'
  readonly code = 'AGENT_FAILED'
  readonly reason: ModelErrorReason
  /** HTTP status of the provider's answer. */
  readonly status: number | undefined
  /** Words of the provider or a library, without secrets. Never sent to a caller. */
  readonly detail: string | undefined
  /** Whether the same request may do better in a moment. */
  readonly isRetryable: boolean
  /** How long the provider asked to wait. */
  readonly retryAfterMs: number | undefined

  /** @param words one sentence or two, without the last full stop */
  constructor(
    reason: ModelErrorReason,
    words: string,
    {
      isRetryable = false,
      retryAfterMs,
      status,
      detail,
    }: { isRetryable?: boolean; retryAfterMs?: number; status?: number; detail?: string } = {},
  ) {
    super(`${words} (${[reason, status].filter(Boolean).join(', ')}).`)
    this.reason = reason
    this.status = status
    this.detail = detail || undefined
    this.isRetryable = isRetryable
    this.retryAfterMs = retryAfterMs
  }
}

/** The name of a model that this server cannot use as it is set up. */
export class ModelNotAvailableError extends DomainError {
  override name = 'ModelNotAvailableError'
  readonly code = 'VALIDATION_ERROR'
}
