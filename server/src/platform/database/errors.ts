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

export const lost = new WeakSet<object>()
export const AWAY = 'The database is away; try again in a moment'
export const UNANSWERED =
  'The database is away since it was asked to store this, so it may be stored or not; look, or try again in a moment'

/** Neither the file nor the server can be used as it is; the message is in an operator's words. */
export class DatabaseUnusableError extends Error {
  override name = 'DatabaseUnusableError'
}
