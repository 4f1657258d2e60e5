import type { BeginSourceLogin, PutSourceApp } from '@docent/sdk'
import type { SourceApp } from '../integrations.queries.ts'

export type SourceProvider = BeginSourceLogin['provider']

export const PROVIDER_NAMES: Record<SourceProvider, string> = {
  google: 'Google',
  microsoft: 'Microsoft',
  notion: 'Notion',
  atlassian: 'Atlassian',
  slack: 'Slack',
}

/** Form as it is typed. */
export interface SourceAppDraft {
  provider: SourceProvider
  clientId: string
  secret: string
  tenant: string
}

export const draftOf = (provider: SourceProvider, app?: SourceApp): SourceAppDraft => ({
  provider,
  clientId: app?.client_id ?? '',
  secret: '',
  tenant: app?.tenant ?? '',
})

/** Settings as the API takes them; an empty secret is left out, so that a stored one stays, and so do addresses. */
export const toFields = (
  { provider, clientId, secret, tenant }: SourceAppDraft,
  { authorize_url = null, token_url = null }: Partial<SourceApp> = {},
): PutSourceApp => ({
  client_id: clientId.trim(),
  ...(secret.trim() && { client_secret: secret.trim() }),
  tenant: (provider === 'microsoft' && tenant.trim()) || null,
  authorize_url,
  token_url,
})
