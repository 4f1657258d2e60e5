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

/** A visitor could otherwise be anybody, and read what an agent remembers of them. */
export const visitorsHaveNoEmail = () =>
  new ForbiddenError('Visitors of a link have no virtual_user_email: leave it out')
