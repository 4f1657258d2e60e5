/** LanceDB tells its failures apart in words only. */
const matches = (pattern: RegExp) => (error: unknown) => error instanceof Error && pattern.test(error.message)

/** Another write came between; nothing of this one was committed, and it may be tried again. */
export const isCommitConflict = matches(/commit conflict|concurrent/i)

/** There is no such table. */
export const isTableAbsent = matches(/was not found/)

/** The table was there when it was opened, and has been dropped since by somebody else. */
export const isTableGone = matches(/not found:.*_versions/i)

export const isStoreAway = matches(/Generic S3 error/)
