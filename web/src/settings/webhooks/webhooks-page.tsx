import { Trans } from '@lingui/react/macro'
import { NoAccess, useIsAdmin } from '../../access/access.ts'
import { DeliveryList } from './delivery-list.tsx'
import { EndpointList } from './endpoints/endpoint-list.tsx'
import { WebhookSecret } from './webhook-secret.tsx'

/** Endpoints for events, and the secret and deliveries of answers. */
export function WebhooksPage() {
  if (!useIsAdmin())
    return (
      <NoAccess>
        <Trans>Webhooks are for keys of admins and owners of this workspace.</Trans>
      </NoAccess>
    )
  return (
    <>
      <EndpointList />
      <WebhookSecret />
      <DeliveryList />
    </>
  )
}
