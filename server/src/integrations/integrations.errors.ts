import { DomainError } from '../platform/errors.ts'

export class IntegrationNotFoundError extends DomainError {
  override name = 'IntegrationNotFoundError'
  readonly code = 'INTEGRATION_NOT_FOUND'
  constructor() {
    super('There is no integration with this id')
  }
}

/** Someone else changed its settings meanwhile. */
export class IntegrationChangedError extends DomainError {
  override name = 'IntegrationChangedError'
  readonly code = 'INTEGRATION_CHANGED'
  constructor() {
    super('The settings of this integration were changed by someone else at the same time')
  }
}
