import type { AuditEntry } from '@docent/sdk'
import { t } from '@lingui/core/macro'

/** Actions on each kind of object, for the filter. */
export const AUDIT_TARGETS = {
  member: t`Members`,
  invitation: t`Invitations`,
  group: t`Groups`,
  api_key: t`API keys`,
  app: t`Connected apps`,
  scim_token: t`SCIM tokens`,
  sign_in_provider: t`Sign-in providers`,
  model_provider: t`Model providers`,
  agent: t`Agents, jobs and shortcuts`,
  project: t`Projects`,
  knowledge_base: t`Folders`,
  integration: t`Integrations`,
  virtual_user: t`People`,
  webhook_secret: t`Webhook secret`,
  webhook_endpoint: t`Webhook endpoints`,
  message: t`Reviews`,
  workspace: t`Workspace`,
  organization: t`Organization`,
} as const

/** Turns `knowledge_base.shared` into words; unknown names of later versions read well, too. */
export function actionInWords(action: string): string {
  const [target = '', verb = ''] = action.split('.')
  const noun = NOUNS[target] ?? target.replaceAll('_', ' ')
  return `${noun[0]!.toUpperCase()}${noun.slice(1)} ${verb.replaceAll('_', ' ')}`
}

const NOUNS: Record<string, string> = {
  api_key: t`API key`,
  scim_token: t`SCIM token`,
  sign_in_provider: t`sign-in provider`,
  model_provider: t`model provider`,
  knowledge_base: 'folder',
  virtual_user: 'person',
  webhook_secret: t`webhook secret`,
  webhook_endpoint: t`webhook endpoint`,
}

const FIELDS: Record<string, string> = { parent_kb_id: t`folder above`, knowledge_base_id: 'folder' }

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
