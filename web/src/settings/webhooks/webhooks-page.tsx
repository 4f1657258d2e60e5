import { useIsAdmin } from '../../access/access.queries.ts'
import { NotForYou } from '../../access/not-for-you.tsx'
import { DeliveryList } from './delivery-list.tsx'
import { WebhookSecret } from './webhook-secret.tsx'

/** What signs webhooks, and what became of each. */
export function WebhooksPage() {
  if (!useIsAdmin()) return <NotForYou>Webhooks are for keys of admins and owners of this workspace.</NotForYou>
  return (
    <>
      <WebhookSecret />
      <DeliveryList />
    </>
  )
}
