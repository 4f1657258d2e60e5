import { DomainError } from '../platform/errors.ts'

export class IntegrationNotFoundError extends DomainError {
  override name = 'IntegrationNotFoundError'
  readonly code = 'INTEGRATION_NOT_FOUND'
  constructor() {
    super('There is no integration with this id')
  }
}
