import type { Kysely, Transaction } from 'kysely'

const stepsOf = new WeakMap<object, (() => void)[]>()

/** A transaction after whose commit there may be something to do: see `afterCommit`. */
export async function transactionWithSteps<S, R>(db: Kysely<S>, write: (tx: Transaction<S>) => Promise<R>): Promise<R> {
  const steps: (() => void)[] = []
  const result = await db.transaction().execute(async (tx) => {
    stepsOf.set(tx, steps)
    return write(tx)
  })
  for (const step of steps) step()
  return result
}

/**
 * Runs the step once the transaction has committed, and never if it does not, or if this process ends between: a hint
 * that others can do without, not a part of the work.
 * @param step does not throw
 * @returns false for a transaction that nobody watches, whose end would not be seen
 */
export function afterCommit<S>(tx: Transaction<S>, step: () => void): boolean {
  const steps = stepsOf.get(tx)
  steps?.push(step)
  return steps !== undefined
}
