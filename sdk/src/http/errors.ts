import type { ErrorBody } from '../types.ts'

/** One field of a request that the server refused: where in it, for instance `metadata.team`, and why. */
export type ErrorDetail = NonNullable<ErrorBody['details']>[number]

interface ErrorFields {
  /** HTTP status; 0 when there was no answer. */
  status: number
  /** Stable, UPPER_SNAKE: what to branch on. */
  code: string
  details?: ErrorDetail[]
  requestId?: string
  cause?: unknown
}

/**
 * Every failure of a call, except one that the caller's own AbortSignal ended: that throws the signal's reason.
 *
 * Codes are the server's (`AGENT_NOT_FOUND`, `VALIDATION_ERROR`, ...) or, with status 0, those of the client
 * (`CONNECTION_FAILED`, `TIMEOUT`, ...) and, for a stream whose run failed, `AGENT_FAILED`: docs/errors.md lists them. An answer that is not the server's own has `HTTP_` and its status.
 */
export class DocentError extends Error {
  override name = 'DocentError'
  readonly status: number
  readonly code: string
  /** Wrong fields; empty unless the request was invalid. */
  readonly details: ErrorDetail[]
  /** Id of the request in the server's log. */
  readonly requestId: string | undefined

  constructor(message: string, { status, code, details = [], requestId, cause }: ErrorFields) {
    super(message, { cause })
    this.status = status
    this.code = code
    this.details = details
    this.requestId = requestId
  }
}

/** The error that an answer with a failing status stands for. */
export async function readError(response: Response): Promise<DocentError> {
  const { status } = response
  const requestId = response.headers.get('x-request-id') ?? undefined
  const body = (await response.json().catch(() => undefined)) as Partial<ErrorBody> | undefined
  if (body?.error_code && body.message)
    return new DocentError(body.message, { status, code: body.error_code, details: body.details, requestId })
  return new DocentError(`The server answered with status ${status}`, { status, code: `HTTP_${status}`, requestId })
}
