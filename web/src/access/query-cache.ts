import { createQueryClient } from '../platform/query-client.ts'
import { checkSession, onSignOut } from './session.ts'

/** What was read from the server, of this session alone. A refusal means that the session ended: the server says why. */
export const queryClient = createQueryClient(checkSession)

onSignOut(() => queryClient.clear())
