import type { Kysely, Transaction } from 'kysely'
import type {
  AccessGrantTable,
  ApiKeyTable,
  BrowserOriginTable,
  FolderRightsVersionTable,
  IdempotentRequestTable,
  OrganizationTable,
  ReaderListSubjectTable,
  ReaderListTable,
  ReaderNarrowingTable,
  ServerSecretTable,
  VisitorUseTable,
  WebSessionTable,
  WorkspaceTable,
} from './access/access.tables.ts'
import type {
  AccountIdentityTable,
  AccountPictureTable,
  AccountTable,
  GroupMemberTable,
  InvitationTable,
  MemberGroupTable,
  MemberTable,
  PasskeyTable,
  PasswordLinkTable,
  RecoveryCodeTable,
  ScimUserTable,
  SignInProviderTable,
  TwoFactorTable,
  UsedChallengeTable,
} from './accounts/accounts.tables.ts'
import type { AgentJobTable, AgentShortcutTable, AgentTable } from './agents/agents.tables.ts'
import type { McpConnectionTable, McpLoginTable } from './agents/mcp-client/oauth/mcp-logins.tables.ts'
import type { PersonMemoryTable } from './agents/memories/memories.tables.ts'
import type { ModelDefaultsTable, ModelProviderTable } from './agents/model-providers/model-providers.tables.ts'
import type { OpenApiDocumentTable } from './agents/openapi-tools/openapi.tables.ts'
import type { WebSearchTable } from './agents/web-search/web-search.tables.ts'
import type {
  OAuthClientTable,
  OAuthCodeTable,
  OAuthDeviceTable,
  OAuthGrantTable,
  OAuthTokenTable,
} from './apps/apps.tables.ts'
import type { AuditEntryTable } from './audit/audit.tables.ts'
import type {
  ChatMetadataTable,
  ChatShareTable,
  ChatTable,
  MessageFileTable,
  MessageOutputTable,
  MessageSearchTable,
  MessageTable,
  MessageUnindexedTable,
  ReviewTable,
  RunStateTable,
} from './chats/chats.tables.ts'
import type { ChatMemoryTable } from './chats/memory/memory.tables.ts'
import type {
  DataSourceMetadataTable,
  DataSourceTable,
  DataSourceVersionTable,
  FileEventTable,
  FolderShareTable,
  FolderTable,
  UploadTable,
} from './drive/drive.tables.ts'
import type {
  EvaluationCaseTable,
  EvaluationResultTable,
  EvaluationRunTable,
  EvaluationSetTable,
} from './evaluation/evaluation.tables.ts'
import type { IntegrationItemTable, IntegrationTable } from './integrations/integrations.tables.ts'
import type {
  SourceAppTable,
  SourceConnectionTable,
  SourceLoginTable,
} from './integrations/logins/source-logins.tables.ts'
import type { AgentLinkLogoTable, AgentLinkTable } from './links/links.tables.ts'
import type { OpenAiChatTable } from './openai/openai.tables.ts'
import type { ServerProcessTable } from './platform/cluster/membership/processes.tables.ts'
import type { GroupCommit } from './platform/database/sqlite/group-commit.ts'
import type { ProjectTable } from './projects/projects.tables.ts'
import type { TaskTable, TaskTroubleTable } from './queue/queue.tables.ts'
import type { SearchIndexChangeTable, SearchIndexTable } from './retrieval/indexes/search-indexes.tables.ts'
import type { PassageEditTable } from './retrieval/passages/passage-edits.tables.ts'
import type { TranscriptTable } from './retrieval/transcripts/transcripts.tables.ts'
import type { QuotaTable, QuotaUseTable, UsageSumTable } from './usage/usage.tables.ts'
import type { VirtualUserTable } from './users/users.tables.ts'
import type {
  WebhookAttemptTable,
  WebhookDeliveryTable,
  WebhookEndpointTable,
  WebhookSecretTable,
} from './webhooks/webhooks.tables.ts'

/** Every feature's tables. Columns are text, integers and reals only, so that SQLite and PostgreSQL hold the same. */
export interface Tables {
  organization: OrganizationTable
  workspace: WorkspaceTable
  api_key: ApiKeyTable
  access_grant: AccessGrantTable
  folder_rights_version: FolderRightsVersionTable
  reader_list: ReaderListTable
  reader_list_subject: ReaderListSubjectTable
  reader_narrowing: ReaderNarrowingTable
  browser_origin: BrowserOriginTable
  idempotent_request: IdempotentRequestTable
  audit_entry: AuditEntryTable
  web_session: WebSessionTable
  visitor_use: VisitorUseTable
  account: AccountTable
  account_picture: AccountPictureTable
  member: MemberTable
  member_group: MemberGroupTable
  group_member: GroupMemberTable
  invitation: InvitationTable
  password_link: PasswordLinkTable
  account_identity: AccountIdentityTable
  two_factor: TwoFactorTable
  recovery_code: RecoveryCodeTable
  scim_user: ScimUserTable
  sign_in_provider: SignInProviderTable
  model_provider: ModelProviderTable
  model_defaults: ModelDefaultsTable
  web_search: WebSearchTable
  search_index: SearchIndexTable
  passage_edit: PassageEditTable
  transcript: TranscriptTable
  search_index_change: SearchIndexChangeTable
  mcp_connection: McpConnectionTable
  mcp_login: McpLoginTable
  oauth_client: OAuthClientTable
  oauth_code: OAuthCodeTable
  oauth_device: OAuthDeviceTable
  oauth_grant: OAuthGrantTable
  oauth_token: OAuthTokenTable
  passkey: PasskeyTable
  used_challenge: UsedChallengeTable
  virtual_user: VirtualUserTable
  folder: FolderTable
  folder_share: FolderShareTable
  upload: UploadTable
  data_source: DataSourceTable
  file_event: FileEventTable
  data_source_version: DataSourceVersionTable
  data_source_metadata: DataSourceMetadataTable
  integration: IntegrationTable
  integration_item: IntegrationItemTable
  source_app: SourceAppTable
  source_connection: SourceConnectionTable
  source_login: SourceLoginTable
  agent: AgentTable
  agent_job: AgentJobTable
  openapi_document: OpenApiDocumentTable
  agent_shortcut: AgentShortcutTable
  agent_link: AgentLinkTable
  agent_link_logo: AgentLinkLogoTable
  person_memory: PersonMemoryTable
  project: ProjectTable
  chat: ChatTable
  chat_metadata: ChatMetadataTable
  chat_share: ChatShareTable
  chat_memory: ChatMemoryTable
  openai_chat: OpenAiChatTable
  message: MessageTable
  message_search: MessageSearchTable
  message_unindexed: MessageUnindexedTable
  message_file: MessageFileTable
  message_output: MessageOutputTable
  run_state: RunStateTable
  review: ReviewTable
  evaluation_set: EvaluationSetTable
  evaluation_case: EvaluationCaseTable
  evaluation_run: EvaluationRunTable
  evaluation_result: EvaluationResultTable
  usage_sum: UsageSumTable
  quota: QuotaTable
  quota_use: QuotaUseTable
  server_secret: ServerSecretTable
  server_process: ServerProcessTable
  task: TaskTable
  task_trouble: TaskTroubleTable
  webhook_delivery: WebhookDeliveryTable
  webhook_endpoint: WebhookEndpointTable
  webhook_attempt: WebhookAttemptTable
  webhook_secret: WebhookSecretTable
}

/** A connection or a transaction. */
export type Db = Kysely<Tables>
/** A transaction, for what must not stand alone. */
export type Tx = Transaction<Tables>
/** Durable writes that share their disk flush; see `platform/database/sqlite/group-commit.ts`. */
export type Writes = GroupCommit<Tables>
