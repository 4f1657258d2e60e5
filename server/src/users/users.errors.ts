import { DomainError } from '../platform/errors.ts'

export class VirtualUserNotFoundError extends DomainError {
  override name = 'VirtualUserNotFoundError'
  readonly code = 'VIRTUAL_USER_NOT_FOUND'
  constructor() {
    super('There is no such virtual user in this workspace, or it was removed')
  }
}
