import { randomBytes } from 'node:crypto'
import pLimit from 'p-limit'
import { lazy } from '../../platform/concurrency/lazy.ts'

/** Cost of Argon2id as OWASP recommends: 19 MiB, two passes, one thread. About 20 ms in a libuv thread. */
const COST = { memoryCost: 19_456, timeCost: 2, parallelism: 1 }
/** Each takes its memory and a thread that files are read with, too. */
const AT_ONCE = 2

const argon2 = lazy(() => import('@node-rs/argon2'))
const limit = pLimit(AT_ONCE)

/** Hash checked in place of a missing one. */
const decoyHash = lazy(() => hashPassword(randomBytes(32).toString('hex')))

/** Normalizes a password: the same characters from any keyboard. */
const normalized = (password: string): string => password.normalize('NFC')

export async function hashPassword(password: string): Promise<string> {
  const { hash } = await argon2.get()
  return limit(() => hash(normalized(password), COST))
}

/** Whether it is the password; takes as long where there is none (null), and then never is. */
export async function isPassword(hash: string | null, password: string): Promise<boolean> {
  const { verify } = await argon2.get()
  const other = await decoyHash.get()
  const matches = await limit(() => verify(hash ?? other, normalized(password)))
  return matches && hash !== null
}
