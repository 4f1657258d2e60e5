import { Badge } from '../../ui/notices/badge.tsx'
import type { DeliveryStatus } from './webhooks.queries.ts'

export const DELIVERY_STATUSES: Record<DeliveryStatus, { name: string; tone: 'good' | 'bad' | 'busy' | 'quiet' }> = {
  waiting: { name: 'Waiting for the answer', tone: 'quiet' },
  pending: { name: 'On its way', tone: 'busy' },
  delivered: { name: 'Delivered', tone: 'good' },
  failed: { name: 'Given up', tone: 'bad' },
}

export const DeliveryBadge = ({ status }: { status: DeliveryStatus }) => (
  <Badge tone={DELIVERY_STATUSES[status].tone}>{DELIVERY_STATUSES[status].name}</Badge>
)
