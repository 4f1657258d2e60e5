import { DocentError } from '@docent/sdk'
import { MutationCache, QueryCache, QueryClient } from '@tanstack/react-query'

/** Called when the server no longer accepts the session. */
export function createQueryClient(onUnauthorized: () => unknown): QueryClient {
  const onError = (error: unknown) => {
    if (error instanceof DocentError && error.status === 401) onUnauthorized()
  }
  return new QueryClient({
    queryCache: new QueryCache({ onError }),
    mutationCache: new MutationCache({ onError }),
    // The SDK already retries what may succeed a little later.
    defaultOptions: { queries: { staleTime: 10_000, retry: false } },
  })
}
