// Pages of the settings, which the router loads as one file.
export { AuditPage } from './audit/audit-page.tsx'
export { IntegrationsPage } from './integrations/integrations-page.tsx'
export { KeysPage } from './keys/keys-page.tsx'
export { QuotasPage } from './quotas/quotas-page.tsx'
export { FirstSettings, SettingsPage } from './settings-page.tsx'
export { StreamingPage } from './streaming/streaming-page.tsx'
export { UsagePage } from './usage/usage-page.tsx'
export { WebhooksPage } from './webhooks/webhooks-page.tsx'
