import { RateLimitedError } from '../../platform/errors.ts'

/** Messages that may wait in one chat behind the one that runs. */
export const MOST_WAITING = 16

/** `error_message` of a message whose run was cancelled. */
export const CANCELLED = 'cancelled'

export class CancelledError extends Error {
  override name = 'CancelledError'
  constructor() {
    super(CANCELLED)
  }
}

export class InterruptedError extends Error {
  override name = 'InterruptedError'
  constructor() {
    super('The answer was interrupted because the server was stopped; send the query again')
  }
}

export class ChatFullError extends RateLimitedError {
  override name = 'ChatFullError'
  constructor() {
    super(`${MOST_WAITING} queries are already waiting in this chat`, 5)
  }
}
