import { TooLateError } from '../../platform/concurrency/deadline.ts'

/** LanceDB distinguishes its failures by their messages only. */
const matches = (pattern: RegExp) => (error: unknown) => error instanceof Error && pattern.test(error.message)

/** Another write came between; nothing of this one was committed, and it may be tried again. */
export const isCommitConflict = matches(/commit conflict|concurrent/i)

/** Tells whether the error means that there is no such table. */
export const isTableAbsent = matches(/was not found/)

/** The table was there when it was opened, and has been dropped since by somebody else. */
export const isTableGone = matches(/not found:.*_versions/i)

export const isStoreAway = matches(/Generic S3 error/)

/** The machine has no more of something, or does not let this process in: what is stored is not at fault. */
const isMachineShort = matches(/os error (?!2\))\d+|too many open files|no space left|permission denied|out of memory/i)

/**
 * Something that LanceDB cannot read, write or make sense of, or that it does not come back from: the index may be
 * damaged, or the call may be wrong.
 */
export const mayBeDamage = (error: unknown): boolean =>
  error instanceof TooLateError ||
  ((error as { code?: unknown }).code === 'GenericFailure' && !isCommitConflict(error) && !isMachineShort(error))
