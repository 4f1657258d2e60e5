// What the route of the settings loads, in one piece.
export { AuditPage } from './audit-page.tsx'
export { IntegrationsPage } from './integrations-page.tsx'
export { KeysPage } from './keys-page.tsx'
export { QuotasPage } from './quotas-page.tsx'
export { FirstSettings, SettingsPage } from './settings-page.tsx'
export { StreamingPage } from './streaming-page.tsx'
export { UsagePage } from './usage-page.tsx'
export { WebhooksPage } from './webhooks-page.tsx'
