import type { AuditEntry } from '@docent/sdk'

/** Actions on each kind of object, for the filter. */
export const AUDIT_TARGETS = {
  member: 'Members',
  invitation: 'Invitations',
  group: 'Groups',
  api_key: 'API keys',
  scim_token: 'SCIM tokens',
  sign_in_provider: 'Sign-in providers',
  agent: 'Agents, jobs and shortcuts',
  knowledge_base: 'Folders',
  integration: 'Integrations',
  virtual_user: 'People',
  webhook_secret: 'Webhook secret',
  message: 'Reviews',
  workspace: 'Workspace',
  organization: 'Organization',
} as const

/** Turns `knowledge_base.shared` into words; unknown names of later versions read well, too. */
export function actionInWords(action: string): string {
  const [target = '', verb = ''] = action.split('.')
  const noun = NOUNS[target] ?? target.replaceAll('_', ' ')
  return `${noun[0]!.toUpperCase()}${noun.slice(1)} ${verb.replaceAll('_', ' ')}`
}

const NOUNS: Record<string, string> = {
  api_key: 'API key',
  scim_token: 'SCIM token',
  sign_in_provider: 'sign-in provider',
  knowledge_base: 'folder',
  virtual_user: 'person',
  webhook_secret: 'webhook secret',
}

const FIELDS: Record<string, string> = { parent_kb_id: 'folder above', knowledge_base_id: 'folder' }

/** Details of an entry in one line. */
export const detailsInWords = ({ details }: AuditEntry): string => inWords(details)

/** Removes unset values. */
function inWords(value: unknown): string {
  if (Array.isArray(value)) return value.map(inWords).filter(Boolean).join(', ')
  if (typeof value !== 'object' || value === null) return value === null ? '' : String(value)
  return Object.entries(value)
    .map(([name, one]) => [FIELDS[name] ?? name.replaceAll('_', ' '), inWords(one)])
    .filter(([, text]) => text)
    .map(([name, text]) => `${name}: ${text}`)
    .join('; ')
}
