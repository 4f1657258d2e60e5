import { createQueryClient } from '../platform/query-client.ts'
import { onSignOut, signOut } from './session.ts'

/** What was read from the server, of this session alone. */
export const queryClient = createQueryClient(() =>
  signOut('Your key is no longer valid: it was revoked or has expired. Sign in with another one.'),
)

onSignOut(() => queryClient.clear())
