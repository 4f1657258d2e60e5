import { DomainError } from '../../platform/errors.ts'

export class SamePersonError extends DomainError {
  override name = 'SamePersonError'
  readonly code = 'SAME_VIRTUAL_USER'
  constructor() {
    super('A virtual user cannot be merged into itself: into_virtual_user_id must name another one')
  }
}

export class PersonBusyError extends DomainError {
  override name = 'PersonBusyError'
  readonly code = 'VIRTUAL_USER_BUSY'
  constructor() {
    super('A question of this virtual user is being answered, or waits for a review: merge again once it has ended')
  }
}
