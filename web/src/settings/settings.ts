// Front of the settings: everything that other folders may import.
export { DeliveryBadge } from './webhooks/delivery-badge.tsx'
