import { Trans } from '@lingui/react/macro'
import { NoAccess, useIsAdmin } from '../../access/access.ts'
import { DeliveryList } from './delivery-list.tsx'
import { WebhookSecret } from './webhook-secret.tsx'

/** Webhook secret and deliveries. */
export function WebhooksPage() {
  if (!useIsAdmin())
    return (
      <NoAccess>
        <Trans>Webhooks are for keys of admins and owners of this workspace.</Trans>
      </NoAccess>
    )
  return (
    <>
      <WebhookSecret />
      <DeliveryList />
    </>
  )
}
