import { DomainError } from '../platform/errors.ts'

export class UnauthorizedError extends DomainError {
  override name = 'UnauthorizedError'
  readonly kind = 'unauthorized'
  readonly code = 'UNAUTHORIZED'
}

export class ForbiddenError extends DomainError {
  override name = 'ForbiddenError'
  readonly kind = 'forbidden'
  readonly code = 'FORBIDDEN'
}

export class RateLimitedError extends DomainError {
  override name = 'RateLimitedError'
  readonly kind = 'rate-limited'
  readonly code = 'RATE_LIMITED'
  readonly retryAfterSeconds: number
  constructor(message: string, retryAfterSeconds: number) {
    super(message)
    this.retryAfterSeconds = Math.max(1, Math.ceil(retryAfterSeconds))
  }
}
