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

const FIELDS: Record<string, string> = { parent_kb_id: t`folder above`, knowledge_base_id: 'folder', agent_id: 'agent' }

/** Fields of details that hold ids, of agents and of folders. */
const AGENT_FIELDS = new Set(['agent_id', 'agent_ids', 'sub_agent_ids'])
const FOLDER_FIELDS = new Set(['knowledge_base_id', 'knowledge_base_ids', 'parent_kb_id', 'parent_kb_ids'])

const ID = /^[0-9a-f]{24}$/

/** Ids of the agents and folders that details of entries name. */
export function idsIn(entries: AuditEntry[]): { agents: string[]; folders: string[] } {
  const agents = new Set<string>()
  const folders = new Set<string>()
  function read(value: unknown, into?: Set<string>): void {
    if (typeof value === 'string' && ID.test(value)) into?.add(value)
    if (typeof value !== 'object' || value === null) return
    for (const [name, one] of Object.entries(value))
      read(one, AGENT_FIELDS.has(name) ? agents : FOLDER_FIELDS.has(name) ? folders : into)
  }
  for (const { details } of entries) read(details)
  return { agents: [...agents], folders: [...folders] }
}

/**
 * Details of an entry in one line.
 * @param names of agents and folders, in place of their ids
 */
export const detailsInWords = ({ details }: Pick<AuditEntry, 'details'>, names: ReadonlyMap<string, string>): string =>
  inWords(details, names)

/** Removes unset values. */
function inWords(value: unknown, names: ReadonlyMap<string, string>): string {
  if (Array.isArray(value))
    return value
      .map((one) => inWords(one, names))
      .filter(Boolean)
      .join(', ')
  if (typeof value !== 'object' || value === null)
    return value === null ? '' : (names.get(String(value)) ?? String(value))
  return Object.entries(value)
    .map(([name, one]) => [FIELDS[name] ?? name.replaceAll('_', ' '), inWords(one, names)])
    .filter(([, text]) => text)
    .map(([name, text]) => `${name}: ${text}`)
    .join('; ')
}
