import { DomainError } from '../../platform/errors.ts'

export class PassageNotFoundError extends DomainError {
  override name = 'PassageNotFoundError'
  readonly code = 'PASSAGE_NOT_FOUND'
  constructor(ordinal: number) {
    super(`The file has no passage at place ${ordinal}`)
  }
}

export class PassageChangedError extends DomainError {
  override name = 'PassageChangedError'
  readonly code = 'PASSAGE_CHANGED'
  constructor() {
    super('The passages of the file have changed: read them again, and change what is there now')
  }
}

export class PassageEditNotFoundError extends DomainError {
  override name = 'PassageEditNotFoundError'
  readonly code = 'PASSAGE_EDIT_NOT_FOUND'
  constructor() {
    super('There is no such manual change in this file')
  }
}
