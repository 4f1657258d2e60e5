import { DocentError } from '@docent/sdk'

const MOST_WAITS = 20
const WAIT_MS = 1_000

/** Runs a request, and retries it after a pause while the server limits the rate. */
export async function retryWhileLimited<T>(act: () => Promise<T>): Promise<T> {
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
