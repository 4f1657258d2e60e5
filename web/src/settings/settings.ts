// Front of the settings: everything that other folders may import.
export { auditSearch } from './audit/audit-search.ts'
export { DeliveryBadge } from './webhooks/delivery-badge.tsx'
