// Other pages of the settings, which the router loads as one file.
export { AuditPage } from './audit/audit-page.tsx'
export { KeysPage } from './keys/keys-page.tsx'
export { MembersPage } from './members/members-page.tsx'
export { QuotasPage } from './quotas/quotas-page.tsx'
export { StreamingPage } from './streaming/streaming-page.tsx'
export { UsagePage } from './usage/usage-page.tsx'
