import { t } from '@lingui/core/macro'
import { Badge } from '../../ui/notices/badge.tsx'
import type { DeliveryStatus } from './webhooks.queries.ts'

type Tone = 'good' | 'bad' | 'busy' | 'quiet'

/** States of a delivery in words. */
export const deliveryStatuses = (): Record<DeliveryStatus, { name: string; tone: Tone }> => ({
  waiting: { name: t`Waiting for the answer`, tone: 'quiet' },
  pending: { name: t`On its way`, tone: 'busy' },
  delivered: { name: t`Delivered`, tone: 'good' },
  failed: { name: t`Given up`, tone: 'bad' },
})

export function DeliveryBadge({ status }: { status: DeliveryStatus }) {
  const { name, tone } = deliveryStatuses()[status]
  return <Badge tone={tone}>{name}</Badge>
}
