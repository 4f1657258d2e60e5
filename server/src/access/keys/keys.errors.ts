import { DomainError } from '../../platform/errors.ts'

export class ApiKeyNotFoundError extends DomainError {
  override name = 'ApiKeyNotFoundError'
  readonly code = 'API_KEY_NOT_FOUND'
  constructor() {
    super('This workspace has no API key with this id')
  }
}

export class LastOwnerKeyError extends DomainError {
  override name = 'LastOwnerKeyError'
  readonly code = 'LAST_OWNER_KEY'
  constructor() {
    super('This is the last key of an owner; create another one before you revoke it')
  }
}
