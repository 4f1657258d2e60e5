// Pages of what the workspace is connected to, which the router loads as one file.
export { ProvidersPage } from './providers/providers-page.tsx'
export { WebhooksPage } from './webhooks/webhooks-page.tsx'
