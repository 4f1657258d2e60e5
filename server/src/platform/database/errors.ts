import { UnavailableError } from '../errors.ts'

/**
 * Fields of an error of either database. SQLite gives `errcode`, PostgreSQL a five-character `code`. After any of them
 * a PostgreSQL transaction is over: look at it outside.
 */
interface DatabaseError {
  errcode?: number
  code?: string
}

/** Another process or transaction is in the way; what failed may be tried again as a whole. */
export const isBusy = (error: unknown): boolean => {
  const { errcode = 0, code = '' } = error as DatabaseError
  return errcode % 256 === SQLITE_BUSY || BUSY.has(code)
}
const SQLITE_BUSY = 5
/**
 * PostgreSQL's serialization_failure and deadlock_detected; and what a statement that was kept parsed says of a pooler's
 * other connection (26000, 42P05) or of a table that has other columns by now (0A000): it is not kept any more.
 */
const BUSY = new Set(['40001', '40P01', '26000', '42P05', '0A000'])

/** Whether a lock was not given within the time that a statement waits: see `together`. */
export const isLocked = (error: unknown): boolean => (error as DatabaseError).code === '55P03'

/** Isolates errors that mean "this value exists already" from all others. */
export const isUniqueViolation = (error: unknown): boolean => {
  const { errcode, code } = error as DatabaseError
  return errcode === SQLITE_CONSTRAINT_UNIQUE || errcode === SQLITE_CONSTRAINT_PRIMARYKEY || code === '23505'
}
const SQLITE_CONSTRAINT_UNIQUE = 2067
const SQLITE_CONSTRAINT_PRIMARYKEY = 1555

/** Whether the row refers to one that is gone. */
export const isForeignKeyViolation = (error: unknown): boolean => {
  const { errcode, code } = error as DatabaseError
  return errcode === SQLITE_CONSTRAINT_FOREIGNKEY || code === '23503'
}
const SQLITE_CONSTRAINT_FOREIGNKEY = 787

const lost = new WeakSet<object>()

/** Notes of an error that the connection went, or that none was to be had: the code alone may be any socket's. */
export function noteLost(error: object): void {
  lost.add(error)
}

/** Nothing is known to be wrong with what was asked: the database is away, or has no room for one more. */
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
const AWAY = 'The database is away; try again in a moment'
const UNANSWERED =
  'The database is away since it was asked to store this, so it may be stored or not; look, or try again in a moment'

/** Neither the file nor the server can be used as it is; the message is in an operator's words. */
export class DatabaseUnusableError extends Error {
  override name = 'DatabaseUnusableError'
}
