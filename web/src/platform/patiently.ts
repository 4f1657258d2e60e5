import { DocentError } from '@docent/sdk'

const MOST_WAITS = 20
const WAIT_MS = 1_000

/** Does one of many things, and waits where the server takes only so many at a time. */
export async function patiently<T>(act: () => Promise<T>): Promise<T> {
  for (let waits = 0; ; waits++) {
    try {
      return await act()
    } catch (error) {
      const isLimit = error instanceof DocentError && error.code === 'RATE_LIMITED'
      if (!isLimit || waits >= MOST_WAITS) throw error
      await new Promise((resolve) => setTimeout(resolve, WAIT_MS))
    }
  }
}
