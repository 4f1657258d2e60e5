import { DocentError } from '@docent/sdk'
import { MutationCache, QueryCache, QueryClient } from '@tanstack/react-query'

interface QueryClientOptions {
  /** Called when the server no longer accepts the session. */
  onUnauthorized: () => unknown
  /** Called when the workspace demands a second factor first. */
  onSecondFactorNeeded: () => unknown
}

export function createQueryClient({ onUnauthorized, onSecondFactorNeeded }: QueryClientOptions): QueryClient {
  const onError = (error: unknown) => {
    if (!(error instanceof DocentError)) return
    if (error.status === 401) onUnauthorized()
    if (error.code === 'SECOND_FACTOR_NEEDED') onSecondFactorNeeded()
  }
  return new QueryClient({
    queryCache: new QueryCache({ onError }),
    mutationCache: new MutationCache({ onError }),
    // The SDK already retries what may succeed a little later.
    defaultOptions: { queries: { staleTime: 10_000, retry: false } },
  })
}
