import { DomainError } from '../platform/errors.ts'

export class LinkNotFoundError extends DomainError {
  override name = 'LinkNotFoundError'
  readonly code = 'AGENT_LINK_NOT_FOUND'
  constructor() {
    super('There is no such link to an agent, or it no longer works')
  }
}
