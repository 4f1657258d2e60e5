import { DomainError } from '../platform/errors.ts'

export class IntegrationNotFoundError extends DomainError {
  override name = 'IntegrationNotFoundError'
  readonly code = 'INTEGRATION_NOT_FOUND'
  constructor() {
    super('There is no integration with this id')
  }
}

export class SourceAppNotFoundError extends DomainError {
  override name = 'SourceAppNotFoundError'
  readonly code = 'SOURCE_APP_NOT_FOUND'
  constructor() {
    super('This workspace has no app at this provider')
  }
}

/** Login at a provider of documents that did not come about, for the person who tried. */
export class SourceLoginFailedError extends DomainError {
  override name = 'SourceLoginFailedError'
  readonly code = 'SOURCE_LOGIN_FAILED'
}

/** Someone else changed its settings meanwhile. */
export class IntegrationChangedError extends DomainError {
  override name = 'IntegrationChangedError'
  readonly code = 'INTEGRATION_CHANGED'
  constructor() {
    super('The settings of this integration were changed by someone else at the same time')
  }
}
