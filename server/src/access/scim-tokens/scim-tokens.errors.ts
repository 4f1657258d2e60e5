import { DomainError } from '../../platform/errors.ts'

export class ScimTokenNotFoundError extends DomainError {
  override name = 'ScimTokenNotFoundError'
  readonly code = 'SCIM_TOKEN_NOT_FOUND'
  constructor() {
    super('This workspace has no SCIM token with this id')
  }
}
