import { setTimeout as delay } from 'node:timers/promises'

/** Asks again and again until there is an answer. @throws after 20 seconds without one. */
export async function until<T>(what: string, look: () => Promise<T | undefined | false>): Promise<T> {
  for (const end = Date.now() + 20_000; Date.now() < end; await delay(40)) {
    const found = await look()
    if (found) return found
  }
  throw new Error(`Waited in vain: ${what}`)
}
