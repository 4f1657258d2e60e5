import { DomainError } from '../errors.ts'

/** What kind of failure it was: for logs, metrics and decisions in code; people read the message. */
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

/** A model did not do its turn. The message says why in one sentence and holds no key, prompt or raw answer. */
export class ModelError extends DomainError {
  override name = 'ModelError'
  readonly kind = 'failed'
  readonly code = 'AGENT_FAILED'
  readonly reason: ModelErrorReason
  /** Whether the same request may do better in a moment. */
  readonly isRetryable: boolean
  /** How long the provider asked to wait. */
  readonly retryAfterMs: number | undefined

  constructor(
    reason: ModelErrorReason,
    message: string,
    {
      isRetryable = false,
      retryAfterMs,
      cause,
    }: { isRetryable?: boolean; retryAfterMs?: number; cause?: unknown } = {},
  ) {
    super(message, cause === undefined ? undefined : { cause })
    this.reason = reason
    this.isRetryable = isRetryable
    this.retryAfterMs = retryAfterMs
  }
}

/** The name of a model that this server cannot use as it is set up. */
export class ModelNotAvailableError extends DomainError {
  override name = 'ModelNotAvailableError'
  readonly kind = 'validation'
  readonly code = 'VALIDATION_ERROR'
}
