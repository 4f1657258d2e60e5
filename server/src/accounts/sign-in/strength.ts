import { keepWorker } from '../../platform/host/run-in-worker.ts'
import { WeakPasswordError } from '../accounts.errors.ts'
import type { Strength, StrengthTask } from './strength.worker.ts'

const SHORTEST = 8
/** Least score of 4: "safely unguessable", over 10⁸ guesses. */
const LEAST_SCORE = 3
/** A machine that does much else reads the word lists slowly: an account is worth the wait. */
const TIMEOUT_MS = 60_000
/** The word lists take some 60 MB. */
const HEAP_MB = 256
/** Reading the word lists takes some 0.4 s of a processor, a password a few ms. */
const IDLE_MS = 20_000

const judge = keepWorker<StrengthTask, Strength>({
  entry: new URL('./strength.worker.ts', import.meta.url),
  timeoutMs: TIMEOUT_MS,
  heapMb: HEAP_MB,
  idleMs: IDLE_MS,
})

/**
 * Refuses a password that is easy to guess, in a thread: the word lists are large.
 * @param about words that somebody would try first for this person: their name, e-mail, workspace
 * @throws WeakPasswordError that says why
 */
export async function requireStrong(password: string, about: string[]): Promise<void> {
  if (password.length < SHORTEST) throw new WeakPasswordError(`Take at least ${SHORTEST} characters.`)
  const { score, why } = await judge({ password, about: about.flatMap((text) => [text, ...text.split(/[\s@.]+/)]) })
  if (score < LEAST_SCORE) throw new WeakPasswordError(why || 'Add another word or two.')
}
