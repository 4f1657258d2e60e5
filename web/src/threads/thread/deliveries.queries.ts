import { useQuery } from '@tanstack/react-query'
import { useIsAdmin, useWorkspaceId, wholeDocent } from '../../access/access.ts'

/** Webhook deliveries of a message; none for keys that may not see them. */
export function useMessageDeliveries(messageId: string) {
  const workspaceId = useWorkspaceId()
  const isAdmin = useIsAdmin()
  return useQuery({
    queryKey: ['deliveries', workspaceId, 'of', messageId],
    queryFn: () => wholeDocent().webhooks.deliveries.list(workspaceId, { message_id: messageId }),
    enabled: isAdmin,
  })
}
