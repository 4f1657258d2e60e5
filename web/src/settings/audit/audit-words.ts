import type { AuditEntry } from '@docent/sdk'
import { t } from '@lingui/core/macro'
import { formatExactTime, formatNumber } from '../../platform/format.ts'

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
  chat: t`Chats`,
  knowledge_base: t`Folders`,
  integration: t`Integrations`,
  virtual_user: t`People`,
  webhook_secret: t`Webhook secret`,
  webhook_endpoint: t`Webhook endpoints`,
  message: t`Reviews`,
  workspace: t`Workspace`,
  organization: t`Organization`,
} as const

const FIELDS: Record<string, string> = {
  parent_kb_id: t`folder above`,
  knowledge_base_id: t`folder`,
  knowledge_base_ids: t`folders`,
  agent_id: t`agent`,
  agent_ids: t`agents`,
  sub_agent_ids: t`agents`,
  group_ids: t`groups`,
  grants: t`rights`,
  role: t`role`,
  permissions: t`permissions`,
  scopes: t`restricted to`,
  expires_at: t`expires`,
  rate_limit: t`rate limit`,
  visibility: t`visibility`,
  from: t`before`,
  to: t`after`,
  changed: t`changed`,
  kind: t`kind`,
  base_url: t`address`,
  url: t`address`,
  subject_type: t`for`,
  period: t`period`,
  max_messages: t`messages, at most`,
  max_tokens: t`tokens, at most`,
  max_cost_usd: t`dollars, at most`,
  messages: t`messages`,
  origins: t`websites`,
  organization_id: t`organization`,
  name: t`name`,
  deleted: t`deleted`,
  follows: t`shows what is asked later`,
  answers: t`Answers`,
  summaries: t`Summaries of long chats`,
  titles: t`Titles of chats`,
  transcription: t`Speech`,
  reranking: t`Reranking`,
  model: t`Model`,
  delete_chats: t`with its chats`,
  delete_folder: t`with its folder`,
}

/** Words for values of these fields; others are shown as they are. */
const VALUES: Record<string, Record<string, string>> = {
  period: { day: t`day`, month: t`month` },
  subject_type: {
    workspace: t`the workspace`,
    api_key: t`one API key`,
    virtual_user: t`one person`,
    any_virtual_user: t`each person`,
  },
  visibility: { private: t`This workspace`, organization: t`The organization`, public: t`Everybody with a link` },
  role: { owner: t`Owner`, admin: t`Admin`, member: t`Member` },
  level: {
    none: t`no access`,
    read: t`may read`,
    write: t`may change`,
    manage: t`may manage`,
    use: t`may use`,
    edit: t`may change`,
    threads: t`may read chats`,
  },
}

/** Fields of details that hold ids, of agents and of folders. */
const AGENT_FIELDS = new Set(['agent_id', 'agent_ids', 'sub_agent_ids'])
const FOLDER_FIELDS = new Set(['knowledge_base_id', 'knowledge_base_ids', 'parent_kb_id', 'parent_kb_ids'])

const ID = /^[0-9a-f]{24}$/
const TIME = /^\d{4}-\d\d-\d\dT[\d:.]+Z$/

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

type Names = ReadonlyMap<string, string>

/**
 * Details of an entry in one line.
 * @param names of agents, folders, members and groups, in place of their ids
 */
export const detailsInWords = ({ details }: Pick<AuditEntry, 'details'>, names: Names): string =>
  inWords(details, names, '')

/** Removes unset values. @param field field that holds the value */
function inWords(value: unknown, names: Names, field: string): string {
  if (Array.isArray(value))
    return value
      .map((one) => inWords(one, names, field))
      .filter(Boolean)
      .join(', ')
  if (typeof value === 'boolean') return value ? t`yes` : t`no`
  if (typeof value === 'number') return formatNumber(value)
  if (typeof value === 'string' && TIME.test(value)) return formatExactTime(value)
  if (typeof value !== 'object' || value === null)
    return value === null ? '' : (names.get(String(value)) ?? VALUES[field]?.[String(value)] ?? String(value))
  if (field === 'grants') return grantInWords(value as Grant, names)
  return Object.entries(value)
    .map(([name, one]) => [FIELDS[name] ?? name.replaceAll('_', ' '), inWords(one, names, name)])
    .filter(([, text]) => text)
    .map(([name, text]) => `${name}: ${text}`)
    .join('; ')
}

interface Grant {
  kind: string
  id: string
  level: string
}

function grantInWords({ kind, id, level }: Grant, names: Names): string {
  const may = VALUES.level![level] ?? level
  if (kind === 'workspace') return `${t`everyone`}: ${may}`
  if (kind === 'admins') return `${t`the admins`}: ${may}`
  return `${names.get(id) ?? (kind === 'group' ? t`a group that is gone` : t`a member who is gone`)}: ${may}`
}
