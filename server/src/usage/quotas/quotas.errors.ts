import { DomainError } from '../../platform/errors.ts'

export class QuotaNotFoundError extends DomainError {
  override name = 'QuotaNotFoundError'
  readonly code = 'QUOTA_NOT_FOUND'
  constructor() {
    super('This workspace has no quota with this id')
  }
}

/** Says whose quota is used up, of what, and when it starts over. */
export class QuotaExceededError extends DomainError {
  override name = 'QuotaExceededError'
  readonly code = 'QUOTA_EXCEEDED'
  readonly retryAfterSeconds: number
  constructor(message: string, retryAfterSeconds: number) {
    super(message)
    this.retryAfterSeconds = Math.max(1, Math.ceil(retryAfterSeconds))
  }
}
