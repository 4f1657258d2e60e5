import { DomainError } from '../platform/errors.ts'

export class UnauthorizedError extends DomainError {
  override name = 'UnauthorizedError'
  readonly code = 'UNAUTHORIZED'
}

export class ForbiddenError extends DomainError {
  override name = 'ForbiddenError'
  readonly code = 'FORBIDDEN'
}

/** A member of a workspace that demands a second factor, and has none, may do nothing in it but set one up. */
export class SecondFactorNeededError extends DomainError {
  override name = 'SecondFactorNeededError'
  readonly code = 'SECOND_FACTOR_NEEDED'
  constructor(message = 'This workspace demands a second factor: set one up on your account page first') {
    super(message)
  }
}

/** A visitor could otherwise be anybody, and read what an agent remembers of them. */
export const visitorsHaveNoEmail = () =>
  new ForbiddenError('Visitors of a link have no virtual_user_email: leave it out')

export class IdempotencyConflictError extends DomainError {
  override name = 'IdempotencyConflictError'
  readonly code = 'IDEMPOTENCY_CONFLICT'
  constructor() {
    super('This Idempotency-Key was used with a different request: repeat that request, or choose another key')
  }
}

export class RequestInProgressError extends DomainError {
  override name = 'RequestInProgressError'
  readonly code = 'REQUEST_IN_PROGRESS'
  readonly retryAfterSeconds = 1
  constructor() {
    super('A request with this Idempotency-Key is still in progress: send it again in a moment')
  }
}
