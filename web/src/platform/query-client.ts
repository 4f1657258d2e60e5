import { DocentError } from '@docent/sdk'
import { MutationCache, QueryCache, QueryClient } from '@tanstack/react-query'

/** Hears of it through `onUnauthorized` when the server no longer takes the session. */
export function createQueryClient(onUnauthorized: () => unknown): QueryClient {
  const onError = (error: unknown) => {
    if (error instanceof DocentError && error.status === 401) onUnauthorized()
  }
  return new QueryClient({
    queryCache: new QueryCache({ onError }),
    mutationCache: new MutationCache({ onError }),
    // The SDK tries again what may succeed a little later.
    defaultOptions: { queries: { staleTime: 10_000, retry: false } },
  })
}
