import type { Transaction } from 'kysely'
import { DomainError } from '../../errors.ts'
import type { GroupCommit } from '../sqlite/group-commit.ts'

/**
 * Commits a write that checks first and may refuse by throwing a DomainError, before it has written anything. A refusal
 * is an outcome and not a failure, so the writes that share the transaction need not run again.
 */
export async function commitChecked<S, R>(
  writes: GroupCommit<S>,
  write: (tx: Transaction<S>) => Promise<R>,
): Promise<R> {
  const outcome = await writes.commit((tx) => write(tx).catch(refusal))
  if (outcome instanceof DomainError) throw outcome
  return outcome
}

function refusal(error: unknown): DomainError {
  if (error instanceof DomainError) return error
  throw error
}
