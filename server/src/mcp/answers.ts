import { ProtocolError, ProtocolErrorCode } from '@modelcontextprotocol/server'
import { DomainError } from '../platform/errors.ts'
import type { Logger } from '../platform/telemetry/logger.ts'

export const invalidParams = (message: string): ProtocolError =>
  new ProtocolError(ProtocolErrorCode.InvalidParams, message)

/** Lets a handler tell the client what a person can act on, and nothing else: the SDK would send any error's text. */
export const answering =
  <Request, Context, Result>(logger: Logger, handle: (request: Request, context: Context) => Promise<Result>) =>
  async (request: Request, context: Context): Promise<Result> => {
    try {
      return await handle(request, context)
    } catch (error) {
      throw toProtocolError(error, logger)
    }
  }

function toProtocolError(error: unknown, logger: Logger): Error {
  if (error instanceof ProtocolError) return error
  if (error instanceof DomainError) return invalidParams(error.message)
  logger.error({ err: error }, 'an MCP request failed')
  return new ProtocolError(ProtocolErrorCode.InternalError, 'Something went wrong on the server')
}

/** One page of a list, from a cursor that an earlier page gave. @throws ProtocolError for a cursor that none gave */
export function pageFrom<T>(items: readonly T[], cursor: string | undefined, size: number) {
  const from = cursor === undefined ? 0 : Number(cursor)
  if (!Number.isSafeInteger(from) || from < 0 || String(from) !== (cursor ?? '0'))
    throw invalidParams('The cursor is not one that this server gave')
  const nextCursor = from + size < items.length ? String(from + size) : undefined
  return { page: items.slice(from, from + size), ...(nextCursor !== undefined && { nextCursor }) }
}
