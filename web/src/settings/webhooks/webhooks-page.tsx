import { NoAccess, useIsAdmin } from '../../access/access.ts'
import { DeliveryList } from './delivery-list.tsx'
import { WebhookSecret } from './webhook-secret.tsx'

/** Webhook secret and deliveries. */
export function WebhooksPage() {
  if (!useIsAdmin()) return <NoAccess>Webhooks are for keys of admins and owners of this workspace.</NoAccess>
  return (
    <>
      <WebhookSecret />
      <DeliveryList />
    </>
  )
}
