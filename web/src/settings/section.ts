// What the route of the settings loads, in one piece.
export { IntegrationsPage } from './integrations-page.tsx'
export { KeysPage } from './keys-page.tsx'
export { FirstSettings, SettingsPage } from './settings-page.tsx'
export { StreamingPage } from './streaming-page.tsx'
export { WebhooksPage } from './webhooks-page.tsx'
