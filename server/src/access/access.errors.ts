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

/** A member of a workspace that demands a second factor, and has none, may do nothing in it but set one up. */
export class SecondFactorNeededError extends DomainError {
  override name = 'SecondFactorNeededError'
  readonly kind = 'forbidden'
  readonly code = 'SECOND_FACTOR_NEEDED'
  constructor(message = 'This workspace demands a second factor: set one up on your account page first') {
    super(message)
  }
}

/** A visitor could otherwise be anybody, and read what an agent remembers of them. */
export const visitorsHaveNoEmail = () =>
  new ForbiddenError('Visitors of a link have no virtual_user_email: leave it out')
