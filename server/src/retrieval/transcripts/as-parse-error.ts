import { parseFailures } from '../../content/read/parse.errors.ts'
import type { DomainError } from '../../platform/errors.ts'
import { ModelError } from '../../platform/models/failures/model.errors.ts'

/** Failure of a provider as one of the file, unless another attempt may do better. */
export function asParseError(error: DomainError): DomainError {
  if (!(error instanceof ModelError)) return error
  if (error.status === 413) return parseFailures.recordingRefusedAsTooLarge()
  return error.isRetryable || error.reason === 'provider' || error.reason === 'unreachable'
    ? error
    : parseFailures.notTranscribed(error.message)
}
