import { DomainError } from '../platform/errors.ts'

export class EvaluationSetNotFoundError extends DomainError {
  override name = 'EvaluationSetNotFoundError'
  readonly code = 'EVALUATION_SET_NOT_FOUND'
  constructor() {
    super('The agent has no such question set')
  }
}

export class EvaluationCaseNotFoundError extends DomainError {
  override name = 'EvaluationCaseNotFoundError'
  readonly code = 'EVALUATION_CASE_NOT_FOUND'
  constructor() {
    super('The question set has no such case')
  }
}

export class EvaluationRunNotFoundError extends DomainError {
  override name = 'EvaluationRunNotFoundError'
  readonly code = 'EVALUATION_RUN_NOT_FOUND'
  constructor() {
    super('The agent has no such run of a question set')
  }
}

export class EvaluationLimitError extends DomainError {
  override name = 'EvaluationLimitError'
  readonly code = 'EVALUATION_LIMIT'
}
