import type { SourceContext } from '../source.ts'

/** Credentials for `createApiClient`: the token of a login at the provider, or one that was pasted. */
export function bearerToken(
  { connection, token }: { connection?: string | undefined; token?: string | undefined },
  tokensOf: SourceContext['tokensOf'],
) {
  const tokens = connection === undefined ? undefined : tokensOf(connection)
  return {
    secretField: tokens ? 'connection' : 'token',
    isRenewable: tokens !== undefined,
    authorize: async (signal: AbortSignal, isRefused: boolean) => ({
      authorization: `Bearer ${tokens ? await tokens.get(signal, isRefused) : token}`,
    }),
  }
}
