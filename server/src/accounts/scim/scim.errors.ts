import { DomainError } from '../../platform/errors.ts'
import type { ErrorBody } from '../../platform/http/errors.ts'

const ERROR_SCHEMA = 'urn:ietf:params:scim:api:messages:2.0:Error'

export class ScimFilterError extends DomainError {
  override name = 'ScimFilterError'
  readonly code = 'SCIM_FILTER_NOT_VALID'
}

export class ScimPathError extends DomainError {
  override name = 'ScimPathError'
  readonly code = 'SCIM_PATH_NOT_VALID'
}

export class ScimTargetError extends DomainError {
  override name = 'ScimTargetError'
  readonly code = 'SCIM_TARGET_MISSING'
}

export class ScimValueError extends DomainError {
  override name = 'ScimValueError'
  readonly code = 'SCIM_VALUE_NOT_VALID'
}

export class ScimSyntaxError extends DomainError {
  override name = 'ScimSyntaxError'
  readonly code = 'SCIM_SYNTAX_NOT_VALID'
}

export class ScimMutabilityError extends DomainError {
  override name = 'ScimMutabilityError'
  readonly code = 'SCIM_NOT_CHANGEABLE'
}

export class ScimUniquenessError extends DomainError {
  override name = 'ScimUniquenessError'
  readonly code = 'SCIM_NOT_UNIQUE'
}

/** The resource is not as it was when the client read it. */
export class ScimVersionError extends DomainError {
  override name = 'ScimVersionError'
  readonly code = 'SCIM_VERSION_OUTDATED'
  constructor() {
    super('This user changed since the version in If-Match: read it again')
  }
}

export class ScimUserNotFoundError extends DomainError {
  override name = 'ScimUserNotFoundError'
  readonly code = 'SCIM_USER_NOT_FOUND'
  constructor() {
    super('This workspace has no user with this id')
  }
}

export class ScimResourceNotFoundError extends DomainError {
  override name = 'ScimResourceNotFoundError'
  readonly code = 'SCIM_RESOURCE_NOT_FOUND'
  constructor() {
    super('Not found: this server supports Users only, as /ServiceProviderConfig says')
  }
}

const TYPES: Record<string, string> = {
  SCIM_FILTER_NOT_VALID: 'invalidFilter',
  SCIM_PATH_NOT_VALID: 'invalidPath',
  SCIM_TARGET_MISSING: 'noTarget',
  SCIM_VALUE_NOT_VALID: 'invalidValue',
  SCIM_SYNTAX_NOT_VALID: 'invalidSyntax',
  SCIM_NOT_CHANGEABLE: 'mutability',
  SCIM_NOT_UNIQUE: 'uniqueness',
  VALIDATION_ERROR: 'invalidSyntax',
}

/** An error in the form of RFC 7644, 3.12. */
export const toScimError = (status: number, { error_code, message }: ErrorBody) => ({
  schemas: [ERROR_SCHEMA],
  status: String(status),
  ...(TYPES[error_code] && { scimType: TYPES[error_code] }),
  detail: message,
})
