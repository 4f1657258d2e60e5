import type { ErrorCode } from './error-codes/error-codes.ts'

export interface ErrorDetail {
  path: string
  message: string
}

/**
 * An error that a caller is meant to see: its message goes over the wire as it is. Anything else that is thrown
 * becomes a logged 500 without details.
 */
export abstract class DomainError extends Error {
  /** Its line in the tables of error-codes.ts has the status, and tells callers what to do. */
  abstract readonly code: ErrorCode
  readonly details?: ErrorDetail[]
}

/** A request whose fields are not as the contract wants them (400, or 422 on virtual-user endpoints). */
export class ValidationError extends DomainError {
  override name = 'ValidationError'
  readonly code = 'VALIDATION_ERROR'
  override readonly details: ErrorDetail[]
  constructor(message: string, details: ErrorDetail[] = []) {
    super(message)
    this.details = details
  }
}

/** A body that is no JSON at all: 400 everywhere, because no field of it can be at fault. */
export class MalformedJsonError extends DomainError {
  override name = 'MalformedJsonError'
  readonly code = 'VALIDATION_ERROR'
}

/** Something that the server needs is out of reach: the caller may try again. */
export abstract class UnavailableError extends DomainError {
  readonly code = 'UNAVAILABLE'
  readonly retryAfterSeconds: number = 30
}

/** The server is being stopped and takes nothing more on. */
export class DrainingError extends UnavailableError {
  override name = 'DrainingError'
  override readonly retryAfterSeconds = 5
  constructor() {
    super('The server is shutting down; try again in a moment')
  }
}

/** Makes the error for fields that are not valid: its message is the first one's. */
export const invalidFields = (details: ErrorDetail[]): ValidationError =>
  new ValidationError(`${details[0]!.path}: ${details[0]!.message}`, details)

/** Makes the error for one field that is not valid. @param path of the field in the body or the query */
export const invalidField = (path: string, message: string): ValidationError => invalidFields([{ path, message }])

/** Too many requests: gives the number of whole seconds, at least 1, after which another may succeed. */
export class RateLimitedError extends DomainError {
  override name = 'RateLimitedError'
  readonly code = 'RATE_LIMITED'
  readonly retryAfterSeconds: number
  constructor(message: string, retryAfterSeconds: number) {
    super(message)
    this.retryAfterSeconds = Math.max(1, Math.ceil(retryAfterSeconds))
  }
}
