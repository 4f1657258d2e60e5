import { NotForYou, useIsAdmin } from '../../access/access.ts'
import { DeliveryList } from './delivery-list.tsx'
import { WebhookSecret } from './webhook-secret.tsx'

/** Webhook secret and deliveries. */
export function WebhooksPage() {
  if (!useIsAdmin()) return <NotForYou>Webhooks are for keys of admins and owners of this workspace.</NotForYou>
  return (
    <>
      <WebhookSecret />
      <DeliveryList />
    </>
  )
}
