import { createQueryClient } from '../../platform/state/query-client.ts'
import { checkSession, onSignOut } from './session.ts'

/** Cache of server data for the current session. A 401 means that the session ended; the server says why. */
export const queryClient = createQueryClient({
  onUnauthorized: checkSession,
  onSecondFactorNeeded: () => queryClient.invalidateQueries({ queryKey: ['me'] }),
})

onSignOut(() => queryClient.clear())
