import type { KyselyPlugin, OperationNode } from 'kysely'

/** Tables whose rows are of no organization. */
const SHARED_TABLES = new Set([
  'organization',
  'server_secret',
  // An account may be in several organizations: what says so is the members.
  'account',
  'account_picture',
  'password_link',
  'account_identity',
  'two_factor',
  'recovery_code',
  'passkey',
  'used_challenge',
  // A client of OAuth is nobody's before somebody agrees to it.
  'oauth_client',
  'oauth_device',
  'server_process',
  'task_trouble',
  'kysely_migration',
  'kysely_migration_lock',
])

/** The only statements that look across organizations, by what they do, to which table, and the columns they ask for. */
const ACROSS_ORGANIZATIONS = new Set([
  // The hash of a key tells which organization it is.
  'select api_key by earlier_hash, hash',
  // So does the hash of a session's token.
  'select web_session by token_hash',
  // Codes and tokens of apps are found by their hash, too.
  'select oauth_code by code_hash',
  'select oauth_token by token_hash',
  // Ended ones are swept away.
  'select oauth_code by expires_at',
  'select oauth_token by expires_at',
  'select oauth_grant by expires_at',
  // And that of an invitation's.
  'select invitation by token_hash',
  // An account sees where it is a member, and its sessions, in all organizations.
  'select member, workspace, api_key by account_id',
  'select web_session by account_id, expires_at',
  // A sign-in provider leads to the workspace that its setting names, or to the only one that there is.
  'select workspace by id',
  'select workspace by ',
  // The sign-in page shows the providers of all workspaces, and one is found before its organization is known.
  'select sign_in_provider by ',
  'select sign_in_provider by id',
  // And the token of a link, or its id in the token of a visitor.
  'select agent_link by token',
  'select agent_link by id',
  // A preflight request of a browser says no more than its origin.
  'select browser_origin by origin',
  // A worker takes what is due, whose ever it is.
  'select task by kind, lease_until, run_at, state',
  'select task by kind, organization_id, run_at, state',
  'update task by id',
  'select task by kind, state',
  'update task by state',
  // A start ends what an earlier process left running.
  'select message by mode, process_id, status',
  // It also learns which chats have messages to resume, and whether a task does that.
  'select message by status',
  'select message by mode, status',
  // A recipient's access to others' folders begins with the shares that name it, whoever owns them.
  'select folder_share, folder by deleted_at, recipient_id',
  'select folder_share by recipient_id',
  'select folder by deleted_at, id, organization_id',
  // Question sets of all begin their runs when their hour has come.
  'select evaluation_set by next_run_at',
  // Uploads that nobody used in time are swept away.
  'select upload by expires_at',
  // Messages of all wait for the search index.
  'select message_unindexed by ',
  // Lists of readers that no file of their organization has are, too.
  'select reader_list by created_at',
  'select data_source by id, organization_id, reader_list_id',
  // As is what visitors used on other days.
  'select visitor_use by day',
  // And requests whose Idempotency-Key ends.
  'select idempotent_request by created_at',
  // Metrics count over all organizations.
  'select task by ',
  'select webhook_delivery by status',
  // Old entries of the audit log and old deliveries are swept away, too.
  'select audit_entry by created_at',
  'select webhook_delivery by status, updated_at',
  // Events of files are swept away by their age, and by how many an organization has.
  'select file_event by created_at',
  'select file_event by ',
  // As are earlier versions of files, but for those that searches still find.
  'select data_source_version, data_source by replaced_at, served_version, version',
  // A start that finds no search index has every file indexed again.
  'select data_source by status',
  // A migration gives a kind of subject another name, for all.
  'update access_grant by subject_kind',
])

export interface OrganizationGuard {
  plugin: KyselyPlugin
  /** Statements that lacked an organization, as in the list of exceptions. */
  violations: string[]
}

/**
 * Refuses every select, update and delete on an organization's rows that is not bound to one organization by
 * `organization_id = VALUE`, unless it is on the short list above. Joined tables hang on the row that they are joined to.
 */
export function createOrganizationGuard(): OrganizationGuard {
  const violations: string[] = []
  return {
    violations,
    plugin: {
      transformQuery({ node }) {
        const found = unbound(node as Node).filter((statement) => !ACROSS_ORGANIZATIONS.has(statement))
        violations.push(...found)
        if (found.length > 0)
          throw new Error(
            `a query without organization_id, and not among the exceptions of organization-guard.ts: ${found.join('; ')}`,
          )
        return node
      },
      transformResult: async ({ result }) => result,
    },
  }
}

type Node = OperationNode & Record<string, any>
const VERBS: Record<string, string> = {
  SelectQueryNode: 'select',
  UpdateQueryNode: 'update',
  DeleteQueryNode: 'delete',
}

/** Statements in the tree, sub-queries included, that are not bound to an organization. */
function unbound(root: Node): string[] {
  if (root.kind === 'RawNode') return unboundRaw(root)
  const named = new Set(
    everyNode(root).flatMap((node) => (node.kind === 'CommonTableExpressionNameNode' ? [tableName(node.table)] : [])),
  )
  return everyNode(root)
    .filter((node) => node.kind in VERBS)
    .flatMap((statement) => {
      const tables = tablesOf(statement).filter((table) => !named.has(table) && !SHARED_TABLES.has(table))
      const conditions = [statement.where?.where, ...joinsOf(statement).map((join) => join.on?.on)]
      if (tables.length === 0 || conditions.some(bindsOrganization)) return []
      const columns = new Set(everyNode(statement.where, { inSubQueries: false }).flatMap(columnName).sort())
      return [`${VERBS[statement.kind]} ${tables.join(', ')} by ${[...columns].join(', ')}`]
    })
}

/** SQL that was written by hand and names a table must name the organization, too; triggers follow their row. */
function unboundRaw({ sqlFragments }: Node): string[] {
  const sql = sqlFragments.join('?')
  const isOfRows =
    /\b(from|update|join)\b/i.test(sql) &&
    !/^create trigger\b|\bsqlite_|pragma|\bkysely_migration|rate_bucket|stream_place\b/i.test(sql)
  return isOfRows && !sql.includes('organization_id') ? [sql] : []
}

const joinsOf = (statement: Node): Node[] => statement.joins ?? []

function tablesOf(statement: Node): string[] {
  const targets = [...(statement.from?.froms ?? []), ...joinsOf(statement).map((join) => join.table), statement.table]
  return targets.flatMap((target) => {
    const table = target?.kind === 'AliasNode' ? target.node : target
    return table?.kind === 'TableNode' ? [tableName(table)] : []
  })
}

/** Whether the condition can only hold for rows of one organization: an `or` does not do. */
function bindsOrganization(condition: Node | undefined): boolean {
  switch (condition?.kind) {
    case 'AndNode':
      return bindsOrganization(condition.left) || bindsOrganization(condition.right)
    case 'ParensNode':
      return bindsOrganization(condition.node)
    case 'BinaryOperationNode':
      return (
        columnName(condition.leftOperand)[0] === 'organization_id' &&
        condition.operator.operator === '=' &&
        condition.rightOperand.kind === 'ValueNode'
      )
    default:
      return false
  }
}

const tableName = (table: Node): string => table.table.identifier.name

const columnName = (node: Node): string[] =>
  node.kind === 'ReferenceNode' && node.column.kind === 'ColumnNode' ? [node.column.column.name] : []

function everyNode(value: unknown, { inSubQueries = true } = {}): Node[] {
  if (Array.isArray(value)) return value.flatMap((item) => everyNode(item, { inSubQueries }))
  if (typeof value !== 'object' || value === null) return []
  if (!inSubQueries && (value as Node).kind in VERBS) return []
  const inner = Object.values(value).flatMap((item) => everyNode(item, { inSubQueries }))
  return 'kind' in value ? [value as Node, ...inner] : inner
}
