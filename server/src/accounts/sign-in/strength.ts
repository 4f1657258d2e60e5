import pLimit from 'p-limit'
import { runInWorker } from '../../platform/run-in-worker.ts'
import { WeakPasswordError } from '../accounts.errors.ts'
import type { Strength, StrengthTask } from './strength.worker.ts'

const SHORTEST = 8
/** Least score of 4: "safely unguessable", over 10⁸ guesses. */
const LEAST_SCORE = 3
const TIMEOUT_MS = 15_000
/** The word lists take some 60 MB while they are read. */
const HEAP_MB = 256

const limit = pLimit(1)

/**
 * Refuses a password that is easy to guess, in a thread: the word lists are large.
 * @param about words that somebody would try first for this person: their name, e-mail, workspace
 * @throws WeakPasswordError that says why
 */
export async function requireStrong(password: string, about: string[]): Promise<void> {
  if (password.length < SHORTEST) throw new WeakPasswordError(`Take at least ${SHORTEST} characters.`)
  const entry = new URL('./strength.worker.ts', import.meta.url)
  const data: StrengthTask = { password, about: about.flatMap((text) => [text, ...text.split(/[\s@.]+/)]) }
  const { score, why } = await limit(() =>
    runInWorker<Strength>({ entry, data, timeoutMs: TIMEOUT_MS, heapMb: HEAP_MB }),
  )
  if (score < LEAST_SCORE) throw new WeakPasswordError(why || 'Add another word or two.')
}
