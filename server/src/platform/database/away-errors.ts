import { UnavailableError } from '../errors.ts'
import { AWAY, lost, UNANSWERED } from './errors.ts'

/** Notes of an error that the connection went, or that none was to be had: the code alone may be any socket's. */
export function noteLost(error: object): void {
  lost.add(error)
}

/**
 * Tells whether the database is away or has no room for another connection, so that the statement itself may be fine.
 */
export const isDatabaseAway = (error: unknown): boolean =>
  typeof error === 'object' && error !== null && lost.has(error)

/** The server may have stored it or not: nobody answered. */
export class CommitUnansweredError extends Error {
  override name = 'CommitUnansweredError'
  constructor(cause: unknown) {
    super('the connection to PostgreSQL ended during a commit', { cause })
  }
}

/** How callers hear of that. */
export class DatabaseAwayError extends UnavailableError {
  override name = 'DatabaseAwayError'
  override readonly retryAfterSeconds = 5
  constructor(cause: unknown) {
    super(cause instanceof CommitUnansweredError ? UNANSWERED : AWAY, { cause })
  }
}
