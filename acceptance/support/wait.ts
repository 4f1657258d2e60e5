import { setTimeout as delay } from 'node:timers/promises'

/** Asks again and again until there is an answer. @throws after a minute without one. */
export async function until<T>(what: string, look: () => Promise<T | undefined | false>): Promise<T> {
  for (const end = Date.now() + 60_000; Date.now() < end; await delay(40)) {
    const found = await look()
    if (found) return found
  }
  throw new Error(`Waited in vain: ${what}`)
}
