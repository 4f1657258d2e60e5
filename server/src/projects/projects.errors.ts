import { DomainError } from '../platform/errors.ts'

export class ProjectNotFoundError extends DomainError {
  override name = 'ProjectNotFoundError'
  readonly code = 'PROJECT_NOT_FOUND'
  constructor() {
    super('There is no such project')
  }
}
