export { IntegrationsPage } from './integrations/integrations-page.tsx'
