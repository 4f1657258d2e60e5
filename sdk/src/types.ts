// Made by `npm run generate` from openapi.json. Do not edit.

export interface AcceptInvitation {
  token: string
  email: string
  name: string
  password: string
}

/** A person, and where they are a member */
export interface Account {
  id: ObjectId
  email: string
  name: string
  /** Path of the picture, another one for each picture; null: initials stand for them */
  picture_url: string | null
  /** Language of the web UI; null for that of the browser */
  language: Language | null
  has_password: boolean
  /** Authenticator app that is asked for after the password; null if there is none */
  two_factor: {
    confirmed_at: Timestamp
    recovery_codes_left: number
  } | null
  /** They sign in alone, and after the password as second factor; the first made first */
  passkeys: Array<Passkey>
  created_at: Timestamp
  /** Providers by which this account signs in */
  identities: Array<{
    id: ObjectId
    provider: {
      id: string
      name: string
    }
    created_at: Timestamp
    used_at: Timestamp
  }>
  memberships: Array<{
    member_id: ObjectId
    organization: {
      id: ObjectId
      name: string
    }
    workspace: {
      id: ObjectId
      name: string
    }
    role: 'owner' | 'admin' | 'member'
    /** Whether this session is in that workspace */
    is_current: boolean
  }>
}

/** A browser that is signed in */
export interface AccountSession {
  id: ObjectId
  is_current: boolean
  /** IP address from which it was begun */
  address: string | null
  /** Browser that began it, as it calls itself */
  user_agent: string | null
  created_at: Timestamp
  /** To the minute */
  last_used_at: Timestamp
  expires_at: Timestamp
}

/** All of them are added, or none */
export type AddEvaluationCases = CasesGiven | CasesOfTable | CasesOfRatings | CasesOfDocuments

export interface AddPasskey {
  name: string
  passkey: MadePasskey
}

export interface AddedDataSource {
  _id: ObjectId
  title: string
  source_type: string
  status: 'pending' | 'indexing' | 'successful' | 'failed'
  /** Why it failed, and what to do about it */
  status_reason: string | null
  /** Null for a file that was never asked to be indexed, or not since this is kept */
  indexing: Indexing | null
  knowledge_base_id: ObjectId
  file_name: string
  media_type: string
  size_bytes: number
  /** Number of its content, from 1; raised when that is replaced */
  version: number
  /** Number of the content that searches and answers find: an earlier one while the newest is not indexed, null while there is none */
  found_version: number | null
  virtual_user_id: ObjectId | null
  /** true: a list says who of those who may read its folder may read it */
  is_restricted: boolean
  metadata: FileMetadata
  created_at: Timestamp
  updated_at: Timestamp
}

/** An AI agent */
export interface Agent {
  id: ObjectId
  /** The workspace it belongs to, the only one whose keys may change it */
  workspace_id: ObjectId
  name: string
  description: string
  instructions: string
  /** provider/model; null: the server's default */
  model: string | null
  /** Folders it answers from, with all their sub-folders */
  knowledge_base_ids: Array<ObjectId>
  /** Files of its folders that it reads; null: all */
  filters: FileFilter | null
  /** Tools it may use */
  tools: Array<string>
  visibility: AgentVisibility
  /** Whether the caller may change and delete it */
  can_change: boolean
  /** Agents that it may call */
  sub_agent_ids: Array<ObjectId>
  /** Tools that a person has to allow each time */
  tools_needing_approval: Array<string>
  limits: AgentLimits
  /** Servers whose tools it may use */
  mcp_servers: Array<McpServer>
  /** HTTP APIs whose operations it may call */
  openapi_tools: Array<OpenApiTools>
  created_at: Timestamp
  updated_at: Timestamp
}

/** Rights of a member to an agent, and why */
export interface AgentAccessOfPerson {
  id: ObjectId
  name: string
  /** Path of the picture, another one for each picture; null: initials stand for them */
  picture_url: string | null
  level: 'none' | 'use' | 'edit'
  /** `role`: an owner or admin of the workspace. `owner`: made the agent. `member`, `group`, `workspace`: granted to them, to a group of theirs, or to all. `no_grant`: nobody is granted its use, so everyone may. `threads`: is let see its threads. `nothing`: may not use it */
  because: 'role' | 'owner' | 'member' | 'group' | 'workspace' | 'no_grant' | 'threads' | 'nothing'
  /** Group that gives the right, where one does */
  group_name: string | null
  /** Whether they see chats that others begin with the agent */
  sees_threads: boolean
}

/** An agent as a file: with its jobs and shortcuts, without ids and secrets */
export interface AgentFile {
  /** Version of the format. Default: 1 */
  version: 1
  name: string
  /** Default: "" */
  description: string
  /** Default: "" */
  instructions: string
  /** Default: null */
  model: string | null
  /** Default: "private" */
  visibility: AgentVisibility
  /** Paths of the folders that it answers from; a slash within a name has a backslash before it. Default: [] */
  knowledge_bases: Array<string>
  /** Default: null */
  filters: FileFilter | null
  /** null: the defaults. Default: null */
  tools: Array<string> | null
  /** Default: [] */
  tools_needing_approval: Array<string>
  /** Names of agents that it may call. Default: [] */
  sub_agents: Array<string>
  limits: AgentLimits
  /** Secrets in headers are written as ***: where the agent has them already, they stay. Default: [] */
  mcp_servers: Array<GivenMcpServer>
  /** Secrets are written as ***: where the agent has them already, they stay. Default: [] */
  openapi_tools: Array<AgentFileApi>
  /** Default: [] */
  jobs: Array<AgentFileJob>
  /** Default: [] */
  shortcuts: Array<AgentFileShortcut>
}

/** An HTTP API, as a file of an agent holds it */
export interface AgentFileApi {
  /** Its tools are called NAME__OPERATION */
  name: string
  /** Address of the document. Default: null */
  url: string | null
  /** The document itself, in the place of a url. An export does not hold it: without it the agent keeps its own. Default: null */
  document: string | null
  /** Begin of every address that is asked; default: the first server of the document. Default: null */
  base_url: string | null
  /** Default: null */
  auth: GivenApiAuth | null
  /** Ids of the operations that the agent may call. Default: [] */
  operations: Array<string>
}

/** An HTTP API, as a file of an agent holds it */
export interface AgentFileApiInput {
  /** Its tools are called NAME__OPERATION */
  name: string
  /** Address of the document. Default: null */
  url?: string | null
  /** The document itself, in the place of a url. An export does not hold it: without it the agent keeps its own. Default: null */
  document?: string | null
  /** Begin of every address that is asked; default: the first server of the document. Default: null */
  base_url?: string | null
  /** Default: null */
  auth?: GivenApiAuth | null
  /** Ids of the operations that the agent may call. Default: [] */
  operations?: Array<string>
}

/** A difference between an agent and a file */
export interface AgentFileChange {
  path: string
  /** null: it was not there */
  before: unknown
  /** null: it is gone */
  after: unknown
}

/** An agent as a file: with its jobs and shortcuts, without ids and secrets */
export interface AgentFileInput {
  /** Version of the format. Default: 1 */
  version?: 1
  name: string
  /** Default: "" */
  description?: string
  /** Default: "" */
  instructions?: string
  /** Default: null */
  model?: string | null
  /** Default: "private" */
  visibility?: AgentVisibility
  /** Paths of the folders that it answers from; a slash within a name has a backslash before it. Default: [] */
  knowledge_bases?: Array<string>
  /** Default: null */
  filters?: FileFilterInput | null
  /** null: the defaults. Default: null */
  tools?: Array<string> | null
  /** Default: [] */
  tools_needing_approval?: Array<string>
  /** Names of agents that it may call. Default: [] */
  sub_agents?: Array<string>
  /** Default: {} */
  limits?: AgentLimitsInput
  /** Secrets in headers are written as ***: where the agent has them already, they stay. Default: [] */
  mcp_servers?: Array<GivenMcpServerInput>
  /** Secrets are written as ***: where the agent has them already, they stay. Default: [] */
  openapi_tools?: Array<AgentFileApiInput>
  /** Default: [] */
  jobs?: Array<AgentFileJobInput>
  /** Default: [] */
  shortcuts?: Array<AgentFileShortcutInput>
}

/** A job, as a file of an agent holds it */
export interface AgentFileJob {
  name: string
  /** Default: "" */
  instructions: string
  /** Default: null */
  tools: Array<string> | null
  /** Paths of those of the agent's folders that it is narrowed to; null: all. Default: null */
  knowledge_bases: Array<string> | null
  /** Default: null */
  filters: FileFilter | null
  /** The job as a folder in the Agent Skills format, files by their paths, in the place of all other fields but the name */
  skill?: Record<string, string>
}

/** A job, as a file of an agent holds it */
export interface AgentFileJobInput {
  name: string
  /** Default: "" */
  instructions?: string
  /** Default: null */
  tools?: Array<string> | null
  /** Paths of those of the agent's folders that it is narrowed to; null: all. Default: null */
  knowledge_bases?: Array<string> | null
  /** Default: null */
  filters?: FileFilterInput | null
  /** The job as a folder in the Agent Skills format, files by their paths, in the place of all other fields but the name */
  skill?: Record<string, string>
}

/** A shortcut, as a file of an agent holds it */
export interface AgentFileShortcut {
  name: string
  prompt: string
  /** Default: [] */
  fields: Array<ShortcutField>
  /** Name of one of the jobs of the file. Default: null */
  job: string | null
}

/** A shortcut, as a file of an agent holds it */
export interface AgentFileShortcutInput {
  name: string
  prompt: string
  /** Default: [] */
  fields?: Array<ShortcutFieldInput>
  /** Name of one of the jobs of the file. Default: null */
  job?: string | null
}

/** Right to an agent */
export interface AgentGrant {
  /** admins: owners and admins of the workspace, who are granted `threads` alone, as they may do all else */
  kind: 'member' | 'group' | 'workspace' | 'admins'
  /** The member or group; for `workspace`, which stands for all its members and its keys of the role member, its id */
  id: string
  /** Empty for the workspace and its admins */
  name: string
  /** use: without any such grant, everyone may use the agent. edit: to change it, and use it. threads: to see the chats that begin with it from then on, and use it. none: only for the workspace, so that nobody may use it but those who are granted it */
  level: 'none' | 'use' | 'edit' | 'threads'
}

/** Rights of members and groups to an agent, beside its owner and the admins */
export interface AgentGrants {
  grants: Array<AgentGrant>
  /** Workspace of the agent: the id of grants to it */
  workspace_id: ObjectId
  /** The member who made the agent; null for one that a key made */
  owner: {
    id: ObjectId
    name: string
  } | null
  /** Whether only those who are granted it may use it */
  is_restricted: boolean
  /** Whether the caller may change who uses and edits it */
  can_change: boolean
  /** Whether the caller may change who sees its threads */
  can_change_threads: boolean
  /** Members of the workspace by name, at most 500; empty for callers who may not change this */
  people: Array<AgentAccessOfPerson>
  /** Members of the workspace; 0 for callers who may not change this */
  people_total: number
  /** Groups to choose from; empty for callers who may not change this */
  all_groups: Array<{
    id: ObjectId
    name: string
  }>
}

/** Limits of one run */
export interface AgentLimits {
  /** Turns of the model in one run; the last one has to answer; null: 20. Default: null */
  max_steps: number | null
  /** Input and output tokens of one run, sub-agents included; null: 500000. Default: null */
  max_tokens: number | null
  /** Seconds of work in one run, without what reviews take; null: 900. Default: null */
  max_seconds: number | null
  /** Characters of one tool's result that the model reads; null: 50000. Default: null */
  max_tool_output_characters: number | null
}

/** Limits of one run */
export interface AgentLimitsInput {
  /** Turns of the model in one run; the last one has to answer; null: 20. Default: null */
  max_steps?: number | null
  /** Input and output tokens of one run, sub-agents included; null: 500000. Default: null */
  max_tokens?: number | null
  /** Seconds of work in one run, without what reviews take; null: 900. Default: null */
  max_seconds?: number | null
  /** Characters of one tool's result that the model reads; null: 50000. Default: null */
  max_tool_output_characters?: number | null
}

/** A link through which people chat with an agent without a key */
export interface AgentLink {
  id: ObjectId
  agent_id: ObjectId
  name: string
  audience: AgentLinkAudience
  token: string
  /** The page on which people chat */
  url: string
  /** HTML that puts the chat on a page of one of the allowed origins */
  embed_code: string
  /** Origins whose pages may embed it; none: no page */
  allowed_origins: Array<string>
  /** Greeting that visitors read first; empty: the page asks what they would like to know */
  greeting: string
  /** Colour of buttons and links, as `#rrggbb`; null: that of Docent */
  color: string | null
  /** Corner of the website in which the button is */
  position: 'left' | 'right'
  /** Questions that visitors are offered at the start */
  starter_questions: Array<string>
  /** Language of the page; null: that of the visitor's browser */
  language: Language | null
  /** Path of the logo on this server, which changes with the logo; null: none */
  logo_url: string | null
  /** Queries of all visitors together */
  queries_per_minute: number
  queries_per_visitor_per_minute: number
  /** False while the agent's visibility does not allow the audience */
  is_working: boolean
  created_at: Timestamp
  updated_at: Timestamp
}

/** public: whoever has the link; organization: who also signs in with a key of the organization */
export type AgentLinkAudience = 'public' | 'organization'

/** Model that an agent answers with */
export interface AgentModel {
  /** PROVIDER/MODEL */
  model: string
  /** False for a model that only quotes documents */
  can_converse: boolean
  /** Whether pictures go along with a question; null: it is not known, and they do not */
  sees_pictures: boolean | null
}

/** private: its workspace only; organization and public: every workspace of the organization */
export type AgentVisibility = 'private' | 'organization' | 'public'

/** How calls of an API are authenticated, without the secret */
export interface ApiAuth {
  type: 'header' | 'query' | 'bearer' | 'basic'
  name: string | null
  username: string | null
  /** Always *** */
  secret: string
}

/** A key without its secret */
export interface ApiKey {
  id: ObjectId
  name: string
  /** The first 8 characters, to recognise it by */
  prefix: string
  role: 'owner' | 'admin' | 'member'
  /** Owners and admins hold all */
  permissions: Array<'create_knowledgebase' | 'manage_agents' | 'manage_keys'>
  scopes: KeyScopes | null
  /** Its own; null for that of all keys */
  rate_limit: KeyRateLimit | null
  expires_at: Timestamp | null
  /** Time at which the secret before the last rotation stops working; null if never rotated */
  earlier_secret_until: Timestamp | null
  created_at: Timestamp
  /** To the minute */
  last_used_at: Timestamp | null
}

/** An operation that an OpenAPI document describes */
export interface ApiOperation {
  id: string
  /** Name by which the agent calls it */
  tool_name: string
  method: string
  path: string
  summary: string
  description: string
  /** JSON Schema of its arguments */
  input_schema: Record<string, unknown>
  /** Whether its method says that it changes nothing */
  is_read_only: boolean
  is_deprecated: boolean
  is_on: boolean
  /** Why it cannot be chosen */
  problem: string | null
}

export interface AppDecision {
  /** Address to send the browser to */
  redirect_to: string
}

/** Request of an app to act for the person who is signed in */
export interface AppRequest {
  client: {
    id: string
    /** As the app calls itself; nobody has checked it */
    name: string
    /** Home page that the app names */
    uri: string | null
    /** Whether it is the command line of Docent itself */
    is_own: boolean
  }
  /** Destination of the browser afterwards: a host, the own machine, or a program on it */
  destination: {
    kind: 'site' | 'this_device' | 'program'
    name: string
  }
  /** Scopes that the app asks for */
  scopes: Array<'agents' | 'documents' | 'api'>
}

/** Something administrative that was done */
export interface AuditEntry {
  id: ObjectId
  /** One of organization.created, workspace.created, workspace.origins_changed, workspace.second_factor_changed, api_key.created, api_key.revoked, api_key.rotated, api_key.updated, app.connected, app.disconnected, scim_token.created, scim_token.revoked, sign_in_provider.created, sign_in_provider.updated, sign_in_provider.deleted, model_provider.created, model_provider.updated, model_provider.deleted, workspace.models_changed, workspace.web_search_changed, workspace.source_app_changed, workspace.search_index_changed, workspace.search_index_cancelled, member.joined, member.updated, member.removed, member.password_changed, member.provider_linked, member.provider_unlinked, member.two_factor_on, member.two_factor_off, member.recovery_code_used, member.recovery_codes_made, member.passkey_added, member.passkey_removed, password_link.created, invitation.created, invitation.revoked, group.created, group.updated, group.deleted, webhook_secret.rotated, webhook_endpoint.created, webhook_endpoint.updated, webhook_endpoint.rotated, webhook_endpoint.disabled, webhook_endpoint.deleted, agent.created, agent.updated, agent.visibility_changed, agent.deleted, agent.access_changed, agent.mcp_connected, agent.mcp_disconnected, job.created, job.updated, job.deleted, shortcut.created, shortcut.updated, shortcut.deleted, evaluation_set.created, evaluation_set.updated, evaluation_set.deleted, evaluation_run.started, evaluation_run.cancelled, agent_link.created, agent_link.updated, agent_link.deleted, knowledge_base.created, knowledge_base.updated, knowledge_base.deleted, knowledge_base.access_changed, knowledge_base.shared, knowledge_base.unshared, data_source.replaced, data_source.restored, data_source.passages_changed, data_source.readers_changed, project.created, project.updated, project.deleted, chat.shared, chat.unshared, integration.created, integration.updated, integration.deleted, virtual_user.deleted, virtual_user.erased, virtual_user.merged, virtual_user.exported, virtual_user.grants_changed, quota.updated, review.decided, tasks.retried, data.backed_up, data.mended, data.moved, data.restored, or one that a later version adds */
  action: string
  /** null: it concerns all workspaces of the organization */
  workspace_id: ObjectId | null
  actor: {
    /** member: somebody who is signed in, or a personal key; operator: on the command line of the server */
    type: 'api_key' | 'member' | 'operator'
    /** For a member: of the key that stands for them */
    api_key_id: ObjectId | null
    /** For a member who was signed in: the person's name */
    api_key_name: string | null
    member_id: ObjectId | null
  }
  target: {
    /** One of organization, workspace, api_key, app, scim_token, sign_in_provider, model_provider, member, invitation, group, webhook_secret, webhook_endpoint, agent, job, shortcut, evaluation_set, evaluation_run, agent_link, knowledge_base, data_source, project, chat, integration, virtual_user, message, or one that a later version adds */
    type: string
    id: string
    /** As it was called then; null for people */
    name: string | null
  }
  /** Details of the action, for instance which fields changed; never a secret */
  details: Record<string, unknown>
  /** The x-request-id of the request, as in the logs */
  request_id: string | null
  /** Address that the request came from */
  ip: string | null
  created_at: Timestamp
}

export interface BeginPasskeySignIn {
  /** After a right password, with a passkey of that account, instead of a passkey alone. Default: false */
  second_factor?: boolean
}

export interface BeginProviderSignIn {
  /** Link the account that is signed in, instead of signing in. Default: false */
  link?: boolean
}

export interface BeginSourceLogin {
  /** Provider of documents */
  provider: 'google' | 'microsoft' | 'notion' | 'atlassian' | 'slack'
}

export interface BeginTwoFactor {
  password: string
}

/** Origins whose pages may call with the token of a virtual user */
export interface BrowserOrigins {
  origins: Array<string>
}

export interface CasesGiven {
  from: 'cases'
  cases: Array<CreateEvaluationCase>
}

export interface CasesOfDocuments {
  from: 'documents'
  /** Default: 20 */
  limit?: number
  /** `provider/model` that writes the questions; null: headings and sentences do. Default: null */
  model?: string | null
}

export interface CasesOfRatings {
  from: 'rated_messages'
  /** Default: "up" */
  rating?: 'up' | 'down'
  /** Default: 50 */
  limit?: number
}

export interface CasesOfTable {
  from: 'csv'
  /** Columns by name: question, and any of expected_answers, reference_answer, expected_files, passages, tags, answerable. Lists are divided by | */
  csv: string
}

/** Own chats, with any agents, and what to do with all of them */
export interface ChangeChats {
  chat_ids: Array<string>
  action: 'archive' | 'unarchive' | 'pin' | 'unpin' | 'delete'
}

export interface ChangeMetadata {
  data_source_ids: Array<ObjectId>
  /** Keys that get this value. Default: {} */
  set?: FileMetadata
  /** Keys that go, of which none is in `set`. Default: [] */
  remove?: Array<string>
}

export interface ChangePassage {
  /** edit: another text; off: searches do not find it any more; add: a passage of its own after it */
  kind: 'edit' | 'off' | 'add'
  /** Place of the passage, as readText gives it; -1 adds at the beginning of the file */
  ordinal: number
  /** Needed but for `off`, which takes none */
  text?: string
  /** Text that the passage has: another one is 409 PASSAGE_CHANGED, and nothing is done */
  was?: string
}

export interface ChangePassword {
  /** The one that there is */
  password: string
  new_password: string
}

/** A conversation with one agent */
export interface Chat {
  id: ObjectId
  title: string
  chat_type: ChatType
  agent_id: ObjectId
  created_at: Timestamp
  metadata: ChatMetadata
  /** Project that it is in; null for none */
  project_id: ObjectId | null
  /** Put away by its owner: the UI lists it apart */
  is_archived: boolean
  /** Kept by its owner above other chats */
  is_pinned: boolean
}

/** String keys and string values, at most 50 */
export type ChatMetadata = Record<string, string>

/** A chat that members of its workspace may read by a link */
export interface ChatShare {
  /** Secret part of the link */
  id: string
  /** Link for members of the workspace */
  url: string
  chat_id: ObjectId
  agent_id: ObjectId
  /** Title of the chat */
  title: string
  /** true: the chat as it is at any time; false: as it was at updated_at */
  follows: boolean
  created_at: Timestamp
  updated_at: Timestamp
}

/** Kind of chat: decides where the product shows it */
export type ChatType = 'playground' | 'configuration' | 'interact' | 'standard'

export interface CheckAppRequest {
  /** Query of the address to which the app sent the browser */
  query: string
}

export interface CheckDevice {
  /** Code that a program without a browser shows; case and hyphens do not matter */
  user_code: string
}

export interface CheckMcpServer {
  /** One of the servers that the agent has */
  name?: string
  /** A server that the agent does not have yet, or not in this form */
  server?: GivenMcpServerInput
}

export interface CheckModel {
  /** PROVIDER/MODEL; null: the server's default. Default: null */
  model?: string | null
}

export interface ChooseSearchIndex {
  /** environment: as the server's operator set it; workspace: a model that a workspace chose; none: search by words alone */
  source: 'environment' | 'workspace' | 'none'
  /** PROVIDER/MODEL, or local/FOLDER; with the source workspace alone. Default: null */
  model?: string | null
}

export interface ChooseWorkspace {
  workspace_id: string
}

/** A passage that the answer relies on */
export interface Citation {
  /** The number by which the text refers to it: [1] */
  index: number
  data_source_id: ObjectId
  title: string
  /** Address of the document in the web, if its metadata name one under `url` */
  url?: string
  location: Location
  text: string
}

export interface ConfirmTwoFactor {
  /** Six digits of the authenticator app, or a recovery code */
  code: string
}

/** App that acts for a person in a workspace */
export interface ConnectedApp {
  id: ObjectId
  name: string
  client_id: string
  scopes: Array<'agents' | 'documents' | 'api'>
  connected_at: Timestamp
  last_used_at: Timestamp | null
  /** When it ends unless it is used before */
  expires_at: Timestamp
}

export interface CreateAgent {
  name: string
  /** Default: "" */
  description?: string
  /** Default: "" */
  instructions?: string
  /** Default: null */
  model?: string | null
  /** Default: [] */
  knowledge_base_ids?: Array<string>
  /** Default: null */
  tools?: Array<'search_knowledge' | 'read_file' | 'list_files' | 'create_file' | 'web_search' | 'fetch_page' | 'run_javascript' | 'ask_person' | 'remember' | 'call_agent'> | null
  /** Default: "private" */
  visibility?: AgentVisibility
  /** Default: [] */
  sub_agent_ids?: Array<string>
  /** Default: [] */
  tools_needing_approval?: Array<ToolReference>
  /** Default: {} */
  limits?: AgentLimitsInput
  /** Default: [] */
  mcp_servers?: Array<GivenMcpServerInput>
  /** Default: [] */
  openapi_tools?: Array<GivenOpenApiTools>
  /** Default: null */
  filters?: FileFilterInput | null
}

export interface CreateAgentLink {
  /** Default: "Link" */
  name?: string
  /** Default: "public" */
  audience?: AgentLinkAudience
  allowed_origins?: Array<string>
  /** Default: "" */
  greeting?: string
  /** Colour of buttons and links, as `#rrggbb`; null: that of Docent. Default: null */
  color?: string | null
  /** Corner of the website in which the button is. Default: "right" */
  position?: 'left' | 'right'
  /** Questions that visitors are offered at the start. Default: [] */
  starter_questions?: Array<string>
  /** Language of the page; null: that of the visitor's browser. Default: null */
  language?: Language | null
  /** PNG, JPEG or WebP in Base64, at most 200,000 bytes; null: none. Default: null */
  logo?: string | null
  /** Default: 60 */
  queries_per_minute?: number
  /** Default: 10 */
  queries_per_visitor_per_minute?: number
}

export interface CreateApiKey {
  name: string
  /** Default: "member" */
  role?: 'owner' | 'admin' | 'member'
  /** Default: [] */
  permissions?: Array<'create_knowledgebase' | 'manage_agents' | 'manage_keys'>
  /** Default: null */
  scopes?: NewKeyScopes | null
  expires_at?: string | null
  /** Default: null */
  rate_limit?: KeyRateLimit | null
}

export interface CreateChat {
  /** Default: "New Chat" */
  title?: string
  /** Default: "standard" */
  chat_type?: ChatType
  /** Default: {} */
  metadata?: ChatMetadata
  /** Virtual user whose chat it is: it takes only their messages, and their tokens open it. Default: null */
  virtual_user_email?: string | null
  /** Project that it begins in. Default: null */
  project_id?: ObjectId | null
}

export interface CreateEvaluationCase {
  question: string
  /** Texts of which a right answer has one: a number, a name, a sentence of the document. Default: [] */
  expected_answers?: Array<string>
  /** A good answer, for the judge to compare with. Default: null */
  reference_answer?: string | null
  /** Default: [] */
  expected_files?: Array<FileToExpect>
  /** Default: [] */
  tags?: Array<string>
  /** false: the agent should say that it does not know. Default: true */
  answerable?: boolean
}

export interface CreateEvaluationSet {
  name: string
  /** `provider/model` that judges each answer; null: none does. Default: null */
  judge_model?: string | null
  /** Every night a run begins at this hour, with your rights; null: none does. Default: null */
  schedule?: {
    hour: number
    /** Default: "UTC" */
    time_zone?: string
    /** Default: [] */
    alerts?: Array<EvaluationAlert>
  } | null
  /** Default: [] */
  cases?: Array<CreateEvaluationCase>
}

export interface CreateInvitation {
  /** Default: null */
  email?: string | null
  /** Default: "member" */
  role?: 'owner' | 'admin' | 'member'
  /** Default: [] */
  group_ids?: Array<string>
  /** Default: 168 */
  expires_in_hours?: number
}

export interface CreateJob {
  name: string
  /** Default: "" */
  instructions?: string
  /** Default: null */
  tools?: Array<ToolReference> | null
  /** Default: null */
  knowledge_base_ids?: Array<string> | null
  /** Default: null */
  filters?: FileFilterInput | null
}

export interface CreateMember {
  email: string
  name: string
  /** Default: "member" */
  role?: 'owner' | 'admin' | 'member'
  /** Default: [] */
  group_ids?: Array<string>
}

export interface CreatePersonalKey {
  name: string
  /** Default: null */
  scopes?: PersonalKeyScopes | null
  expires_at?: string | null
}

export interface CreateProject {
  name: string
  /** Instructions to the model in every chat of the project, after those of its agent. Default: "" */
  instructions?: string
  /** Agent that the UI begins new chats of the project with; null: the person chooses. Default: null */
  agent_id?: string | null
  /** A folder that is there already, which keeps its rights; null: a new one is made, with the name. Default: null */
  knowledge_base_id?: string | null
  /** Whether the new folder is closed to other members of the workspace, but admins, until it is shared. Keys of programs make it as any folder. Default: true */
  is_private?: boolean
}

export interface CreateScimToken {
  name: string
  expires_at?: string | null
}

export interface CreateShortcut {
  name: string
  prompt: string
  /** Default: [] */
  fields?: Array<ShortcutFieldInput>
  /** Default: null */
  job_id?: string | null
}

export interface CreateSignInProvider {
  /** Part of the redirect URI; 1 to 40 lower-case letters, digits or hyphens */
  id: string
  /** Stands on the button of the sign-in page */
  name: string
  /** As the provider calls itself; https (http on this machine alone) */
  issuer: string
  client_id: string
  /** Default: client_secret_basic with a secret, none without */
  client_auth?: 'client_secret_basic' | 'client_secret_post' | 'none'
  /** Default: "openid email profile" */
  scope?: string
  /** Default: "id_token" */
  claims_from?: 'id_token' | 'userinfo'
  /** Default: "email_verified" */
  email_verified_claim?: string
  /** Domains of the e-mails that are let in; none: only people who linked the provider to their account. Default: [] */
  domains?: Array<string>
  /** Whether somebody who is no member yet becomes one when they first sign in. Default: true */
  makes_accounts?: boolean
  /** Default: "member" */
  default_role?: 'owner' | 'admin' | 'member'
  role_claim?: string
  /** Values of the claim, and the roles that they give; none above your own. Default: {} */
  roles?: Record<string, 'owner' | 'admin' | 'member'>
  groups_claim?: string
  /** Values of the claim, and names of groups; default: the same names */
  groups?: Record<string, string>
  required_claim?: {
    name: string
    value?: string
  }
  client_secret?: string
}

export interface CreateTranscription {
  /** Recording in MP3, M4A, WAV, OGG, WebM, FLAC or MP4 of at most 4 MiB, in Base64 */
  audio: string
}

export interface CreateUserToken {
  /** E-mail of the person who gets the token */
  virtual_user_email: string
  /** Agents that the person may ask */
  agent_ids: Array<string>
  /** Answers come from these of the agents' folders, and what is below; null: from all. Default: null */
  knowledge_base_ids?: Array<string> | null
  /** Whether the person may open the files that their answers cite. Default: false */
  read_cited_files?: boolean
  /** Seconds for which it works. Default: 3600 */
  expires_in?: number
}

export interface CreateWebhookEndpoint {
  /** http or https; events are sent there with POST */
  url: string
  event_types: Array<'data_source.indexed' | 'data_source.failed' | 'integration.failed' | 'message.waiting' | 'evaluation.finished' | 'evaluation.regressed'>
  /** Default: "" */
  description?: string
}

export interface CreatedApiKey {
  id: ObjectId
  name: string
  /** The first 8 characters, to recognise it by */
  prefix: string
  role: 'owner' | 'admin' | 'member'
  /** Owners and admins hold all */
  permissions: Array<'create_knowledgebase' | 'manage_agents' | 'manage_keys'>
  scopes: KeyScopes | null
  /** Its own; null for that of all keys */
  rate_limit: KeyRateLimit | null
  expires_at: Timestamp | null
  /** Time at which the secret before the last rotation stops working; null if never rotated */
  earlier_secret_until: Timestamp | null
  created_at: Timestamp
  /** To the minute */
  last_used_at: Timestamp | null
  /** Shown this once */
  key: string
}

export interface CreatedKnowledgeBase {
  id: ObjectId
  name: string
  parent_kb_id: ObjectId | null
  is_root: boolean
  integration_id: ObjectId | null
  user_defined_tags: Array<string>
  created_at: Timestamp
}

export interface CreatedScimToken {
  id: ObjectId
  name: string
  /** The first 8 characters, to recognise it by */
  prefix: string
  /** Role of whoever made it: the token ends no membership of a higher one */
  role: 'owner' | 'admin' | 'member'
  expires_at: Timestamp | null
  created_at: Timestamp
  /** To the minute */
  last_used_at: Timestamp | null
  /** Address to enter in the directory, as tenant or base URL */
  base_url: string
  /** Shown this once */
  token: string
}

/** A file */
export interface DataSource {
  id: ObjectId
  title: string
  source_type: string
  status: 'pending' | 'indexing' | 'successful' | 'failed'
  /** Why it failed, and what to do about it */
  status_reason: string | null
  /** Null for a file that was never asked to be indexed, or not since this is kept */
  indexing: Indexing | null
  knowledge_base_id: ObjectId
  file_name: string
  media_type: string
  size_bytes: number
  /** Number of its content, from 1; raised when that is replaced */
  version: number
  /** Number of the content that searches and answers find: an earlier one while the newest is not indexed, null while there is none */
  found_version: number | null
  virtual_user_id: ObjectId | null
  /** true: a list says who of those who may read its folder may read it */
  is_restricted: boolean
  metadata: FileMetadata
  created_at: Timestamp
  updated_at: Timestamp
}

export interface DataSourceDetail {
  _id: ObjectId
  id: ObjectId
  title: string
  source_type: string
  status: 'pending' | 'indexing' | 'successful' | 'failed'
  /** Why it failed, and what to do about it */
  status_reason: string | null
  /** Null for a file that was never asked to be indexed, or not since this is kept */
  indexing: Indexing | null
  knowledge_base_id: ObjectId
  file_name: string
  media_type: string
  size_bytes: number
  /** Number of its content, from 1; raised when that is replaced */
  version: number
  /** Number of the content that searches and answers find: an earlier one while the newest is not indexed, null while there is none */
  found_version: number | null
  virtual_user_id: ObjectId | null
  /** true: a list says who of those who may read its folder may read it */
  is_restricted: boolean
  metadata: FileMetadata
  created_at: Timestamp
  updated_at: Timestamp
}

/** A file cannot be indexed */
export interface DataSourceFailedEvent {
  type: 'data_source.failed'
  /** When it happened */
  timestamp: Timestamp
  /** Workspace of the endpoint */
  workspace_id: ObjectId
  data: {
    data_source_id: ObjectId
    knowledge_base_id: ObjectId
    title: string
    /** As `status_reason` of the file */
    reason: string
  }
}

/** Searches find a file that was added, replaced or indexed again */
export interface DataSourceIndexedEvent {
  type: 'data_source.indexed'
  /** When it happened */
  timestamp: Timestamp
  /** Workspace of the endpoint */
  workspace_id: ObjectId
  data: {
    data_source_id: ObjectId
    knowledge_base_id: ObjectId
    title: string
    /** Passages that searches find */
    chunk_count: number
  }
}

export interface DecideAppRequest {
  /** Query of the address to which the app sent the browser */
  query: string
  decision: 'allow' | 'refuse'
  /** Scopes to give, of those that the app asks for; left out: all of them */
  scopes?: Array<'agents' | 'documents' | 'api'>
  /** Agents that the app may ask; null: all that the person may. Default: null */
  agent_ids?: Array<string> | null
}

export interface DecideDevice {
  /** Code that a program without a browser shows; case and hyphens do not matter */
  user_code: string
  decision: 'allow' | 'refuse'
}

export interface DeleteAccount {
  password: string
}

/** A piece of the reasoning or of the answer: concatenate `text` */
export interface DeltaEvent {
  type: 'reasoning' | 'response'
  subtype: null
  text: string
  extended_text: string | null
  /** From 0, growing, with gaps; what a resumed stream names */
  sequence_number: number
  data: null
}

export interface DeviceDecision {
  decision: 'allow' | 'refuse'
}

/** Request of a program without a browser to act for a person */
export interface DeviceRequest {
  client: {
    id: string
    /** As the app calls itself; nobody has checked it */
    name: string
    /** Home page that the app names */
    uri: string | null
    /** Whether it is the command line of Docent itself */
    is_own: boolean
  }
  scopes: Array<'agents' | 'documents' | 'api'>
}

/** Damage, losses and leftovers */
export interface Diagnosis {
  /** Whether all counts are 0 */
  healthy: boolean
  /** Findings of the database's own full check; of the whole installation */
  database_faults: number
  /** Stored files that nothing refers to; of the whole installation */
  orphan_blobs: number
  /** Files whose bytes are lost */
  rows_without_blob: number
  /** Files whose bytes are not those that were uploaded */
  damaged_blobs: number
  /** Files of which what was read is lost or damaged */
  lost_parses: number
  /** 1 if the search index cannot be read, or is not as it was written */
  damaged_indexes: number
  /** Files that are gone, and still in the search index */
  orphan_documents: number
  /** Indexed files that the search index lacks */
  files_not_in_index: number
  /** Messages in progress that nobody answers */
  stuck_messages: number
  /** Files of the server that other users of its machine may use; of the whole installation */
  open_files: number
  /** Checks that could not be run */
  failed_checks: number
  /** Advice for each count that is not 0 */
  advice: Array<string>
}

/** The reasoning is complete */
export interface EndReasoningEvent {
  type: 'end_reasoning'
  subtype: null
  text: string
  extended_text: string | null
  /** From 0, growing, with gaps; what a resumed stream names */
  sequence_number: number
  data: null
}

/** The answer is complete; the passages that it relies on */
export interface EndResponseEvent {
  type: 'end_response'
  subtype: null
  text: string
  extended_text: string | null
  /** From 0, growing, with gaps; what a resumed stream names */
  sequence_number: number
  data: {
    message_id: ObjectId
    citations: Array<Citation>
  }
}

export interface ErasedVirtualUser {
  erased: true
  messages_deleted: number
  /** Chats that held nothing but messages of this person */
  chats_deleted: number
  /** Memories that agents kept of this person */
  memories_deleted: number
  uploads_deleted: number
  /** Documents in folders, which stay without the name of the person */
  files_anonymised: number
}

/** An error: its code, and in words what to change */
export interface ErrorBody {
  error_code: string
  message: string
  details?: Array<{
    path: string
    message: string
  }>
}

/** The run failed; `text` says why. Nothing but [DONE] follows */
export interface ErrorEvent {
  type: 'error'
  subtype: null
  text: string
  extended_text: string | null
  /** From 0, growing, with gaps; what a resumed stream names */
  sequence_number: number
  data: null
}

/** When a run by schedule counts as regressed */
export interface EvaluationAlert {
  measure: 'recall_at_5' | 'recall_at_10' | 'ndcg_at_10' | 'quoted' | 'cited_expected' | 'declined_right' | 'declined_wrong' | 'judge_score'
  /** Share that it must not be worse than: below it, or of declined_wrong above it. Default: null */
  limit?: number | null
  /** How much worse than in the run before it may be: 0.05 for 5 points. Default: null */
  drop?: number | null
}

/** A question, with what a good answer to it has */
export interface EvaluationCase {
  id: ObjectId
  question: string
  expected_answers: Array<string>
  reference_answer: string | null
  expected_files: Array<ExpectedFile>
  tags: Array<string>
  answerable: boolean
  source: 'manual' | 'csv' | 'rated_message' | 'document'
  created_at: Timestamp
  updated_at: Timestamp
}

export interface EvaluationCaseChange {
  case_id: ObjectId
  question: string | null
  change: 'better' | 'worse' | 'mixed' | 'same' | 'not_comparable'
  /** Measures that got better */
  better: Array<string>
  worse: Array<string>
  before: EvaluationMeasures | null
  after: EvaluationMeasures | null
}

export interface EvaluationCitation {
  data_source_id: ObjectId
  title: string
  location: Location
  text: string
  index: number
}

/** Two runs side by side, case by case */
export interface EvaluationComparison {
  before: EvaluationRun
  after: EvaluationRun
  /** Fields of the agent that differ between the two */
  changed_fields: Array<string>
  measures: Array<EvaluationDifference>
  cases: Array<EvaluationCaseChange>
}

export interface EvaluationDifference {
  measure: 'recall_at_5' | 'recall_at_10' | 'ndcg_at_10' | 'quoted' | 'cited_expected' | 'declined_right' | 'declined_wrong' | 'judge_score'
  before: EvaluationTotal
  after: EvaluationTotal
  /** After less before */
  difference: number | null
  /** Cases for which it got better */
  better: number
  worse: number
}

/** A run of a question set has ended */
export interface EvaluationFinishedEvent {
  type: 'evaluation.finished'
  /** When it happened */
  timestamp: Timestamp
  /** Workspace of the endpoint */
  workspace_id: ObjectId
  data: {
    evaluation_run_id: ObjectId
    evaluation_set_id: ObjectId
    agent_id: ObjectId
    status: 'completed' | 'failed' | 'cancelled'
    is_scheduled: boolean
    /** Sums by measure, from 0 to 1; null where no case could be measured */
    measures: Record<string, number | null>
  }
}

/** Measures of one answer; null where the case says nothing to hold it against */
export interface EvaluationMeasures {
  recall_at_5: number | null
  recall_at_10: number | null
  ndcg_at_10: number | null
  quoted: boolean | null
  cited_expected: boolean | null
  declined: boolean | null
  declined_right: boolean | null
  judge_score: number | null
}

export interface EvaluationPassage {
  data_source_id: ObjectId
  title: string
  location: Location
  text: string
}

/** A run by schedule was completed, and a measure crossed a bound of its set */
export interface EvaluationRegressedEvent {
  type: 'evaluation.regressed'
  /** When it happened */
  timestamp: Timestamp
  /** Workspace of the endpoint */
  workspace_id: ObjectId
  data: {
    evaluation_run_id: ObjectId
    evaluation_set_id: ObjectId
    agent_id: ObjectId
    status: 'completed' | 'failed' | 'cancelled'
    is_scheduled: boolean
    /** Sums by measure, from 0 to 1; null where no case could be measured */
    measures: Record<string, number | null>
    alerts: Array<{
      measure: string
      value: number
      /** In the last completed run before it */
      before: number | null
      limit: number | null
      drop: number | null
    }>
  }
}

/** Answer to one case, with its measures */
export interface EvaluationResult {
  case_id: ObjectId
  status: 'pending' | 'answered' | 'failed'
  /** Whether the texts are withheld: the answer rests on a file that you may not read now, or is gone */
  is_hidden: boolean
  question: string | null
  tags: Array<string>
  answerable: boolean
  expected_answers: Array<string>
  reference_answer: string | null
  expected_files: Array<{
    data_source_id: ObjectId
    passage: string | null
  }>
  answer: string | null
  error_message: string | null
  /** Passages that were found, best first */
  found: Array<EvaluationPassage>
  cited: Array<EvaluationCitation>
  measures: EvaluationMeasures | null
  judge_reason: string | null
  judge_error: string | null
  latency_ms: number | null
  input_tokens: number
  output_tokens: number
  cost_usd: number | null
}

/** A question set, asked of its agent as it was then */
export interface EvaluationRun {
  id: ObjectId
  agent_id: ObjectId
  evaluation_set_id: ObjectId
  status: 'waiting' | 'running' | 'completed' | 'failed' | 'cancelled'
  error_message: string | null
  /** Runs with the same one asked the agent as it was defined alike */
  agent_version: string
  /** Model that the agent named; null for the default */
  model: string | null
  judge_model: string | null
  case_count: number
  done_count: number
  /** Null until it has ended */
  totals: EvaluationTotals | null
  /** Whether it began by the schedule of its set */
  is_scheduled: boolean
  started_at: Timestamp | null
  ended_at: Timestamp | null
  created_at: Timestamp
}

/** Questions by which an agent is measured */
export interface EvaluationSet {
  id: ObjectId
  agent_id: ObjectId
  name: string
  judge_model: string | null
  case_count: number
  /** When a run begins every night, and what is told then; null: none does */
  schedule: {
    hour: number
    time_zone: string
    alerts: Array<{
      measure: 'recall_at_5' | 'recall_at_10' | 'ndcg_at_10' | 'quoted' | 'cited_expected' | 'declined_right' | 'declined_wrong' | 'judge_score'
      limit: number | null
      drop: number | null
    }>
  } | null
  /** When the next run by schedule begins */
  next_run_at: Timestamp | null
  /** Why the last night had no run */
  schedule_problem: string | null
  created_at: Timestamp
  updated_at: Timestamp
}

export interface EvaluationTotal {
  /** Share or mean, from 0 to 1; null where no case could be measured */
  value: number | null
  /** Cases that it was measured for */
  cases: number
}

/** Measures of a run in sum */
export interface EvaluationTotals {
  /** recall_at_5, recall_at_10, ndcg_at_10: of the expected files and passages among those found; quoted: an expected answer stands in the answer; cited_expected: it cites an expected file; declined_right: of the questions without an answer; declined_wrong: of those with one; judge_score: of the judge, 1 to 5 brought to 0 to 1 */
  measures: {
    recall_at_5: EvaluationTotal
    recall_at_10: EvaluationTotal
    ndcg_at_10: EvaluationTotal
    quoted: EvaluationTotal
    cited_expected: EvaluationTotal
    declined_right: EvaluationTotal
    declined_wrong: EvaluationTotal
    judge_score: EvaluationTotal
  }
  /** Cases without a whole answer; they count for no measure */
  failed: number
  latency_ms: {
    p50: number | null
    p95: number | null
  }
  input_tokens: number
  output_tokens: number
  /** Null where a model has no price */
  cost_usd: number | null
}

/** File, or passage of a file, that an answer should be found in */
export interface ExpectedFile {
  data_source_id: ObjectId
  /** Null for a file that is gone */
  title: string | null
  passage: string | null
}

export interface Feedback {
  /** null takes the feedback back */
  rating: 'up' | 'down' | null
  /** Default: null */
  comment?: string | null
}

/** Files whose metadata meets `all` of these conditions, or `any` of them; with both, both count. Case does not count in texts; of a list, one item is enough; `ne` also finds files without the key; `gt`, `gte`, `lt` and `lte` compare numbers and dates; `exists` with false finds files without the key */
export interface FileFilter {
  all?: Array<{
    key: string
    op: 'eq' | 'ne'
    value: string | number | boolean
  } | {
    key: string
    op: 'in'
    value: Array<string | number | boolean>
  } | {
    key: string
    op: 'gt' | 'gte' | 'lt' | 'lte'
    value: string | number
  } | {
    key: string
    op: 'exists'
    /** Default: true */
    value: boolean
  }>
  any?: Array<{
    key: string
    op: 'eq' | 'ne'
    value: string | number | boolean
  } | {
    key: string
    op: 'in'
    value: Array<string | number | boolean>
  } | {
    key: string
    op: 'gt' | 'gte' | 'lt' | 'lte'
    value: string | number
  } | {
    key: string
    op: 'exists'
    /** Default: true */
    value: boolean
  }>
}

/** Files whose metadata meets `all` of these conditions, or `any` of them; with both, both count. Case does not count in texts; of a list, one item is enough; `ne` also finds files without the key; `gt`, `gte`, `lt` and `lte` compare numbers and dates; `exists` with false finds files without the key */
export interface FileFilterInput {
  all?: Array<{
    key: string
    op: 'eq' | 'ne'
    value: string | number | boolean
  } | {
    key: string
    op: 'in'
    value: Array<string | number | boolean>
  } | {
    key: string
    op: 'gt' | 'gte' | 'lt' | 'lte'
    value: string | number
  } | {
    key: string
    op: 'exists'
    /** Default: true */
    value?: boolean
  }>
  any?: Array<{
    key: string
    op: 'eq' | 'ne'
    value: string | number | boolean
  } | {
    key: string
    op: 'in'
    value: Array<string | number | boolean>
  } | {
    key: string
    op: 'gt' | 'gte' | 'lt' | 'lte'
    value: string | number
  } | {
    key: string
    op: 'exists'
    /** Default: true */
    value?: boolean
  }>
}

/** Something happened to a file of the folder */
export interface FileHappened {
  /** stage: the file waits to be indexed again, or has come further, told once a second at most and not kept; moved is told in both folders */
  type: 'created' | 'stage' | 'indexed' | 'failed' | 'moved' | 'deleted'
  /** Null for `stage`, which is not kept */
  id: number | null
  data_source_id: ObjectId
  /** Folder that the file is in after it; null where it went out of the reader’s sight or is deleted */
  knowledge_base_id: ObjectId | null
  at: Timestamp
  /** The file as it is when this is sent; null if it is not in this folder any more */
  data_source: DataSource | null
}

/** Facts about a file that filters find it by: texts, numbers, true and false, and lists of these. A text of the form `2026-03-31` or `2026-03-31T09:30:00Z` is a date */
export type FileMetadata = Record<string, string | number | boolean | Array<string | number | boolean>>

/** The first of all, and then every 5 s */
export interface FilePing {
  type: 'ping'
  /** Also the id of the event: resume after it, as Last-Event-ID */
  id: number
}

/** Readers of a file, of those who may read its folder; owners and admins always may. Empty lists: nobody else */
export interface FileReaders {
  /** Members and virtual users by their e-mail, those too whom nobody has yet. Default: [] */
  emails?: Array<string>
  /** Members of groups, by the names of the groups. Default: [] */
  groups?: Array<string>
  /** Everybody with an e-mail at one of these domains. Default: [] */
  domains?: Array<string>
}

/** Some events after the Last-Event-ID are not known any more: list the folder again, and go on from here */
export interface FileReset {
  type: 'reset'
  /** Also the id of the event: resume after it, as Last-Event-ID */
  id: number
}

export interface FileToExpect {
  data_source_id?: string
  /** Id that the system gave which pushed the file */
  external_id?: string
  /** From the outermost folder on: /Handbook/Refunds.md */
  path?: string
  /** Words of the passage that is to be found; null: any passage of the file counts. Default: null */
  passage?: string | null
}

/** Content that a file has or had */
export interface FileVersion {
  /** Number, from 1 */
  version: number
  /** The content that the file has */
  is_current: boolean
  /** The content that searches and answers find now */
  is_found: boolean
  /** upload: through the API or the UI; push: under an external id; sync: from a linked source; restore: an earlier version again */
  origin: 'upload' | 'push' | 'sync' | 'restore'
  /** Key that brought it; null where none did, or not since that is kept */
  api_key_id: ObjectId | null
  api_key_name: string | null
  /** Member who holds that key */
  member_id: ObjectId | null
  virtual_user_id: ObjectId | null
  file_name: string
  media_type: string
  size_bytes: number
  sha256: string
  /** Since when the file had it */
  created_at: Timestamp
  /** Until when; null for the current one */
  replaced_at: Timestamp | null
}

/** Query with which the authorization server sent the person back */
export interface FinishMcpLogin {
  state: string
  code?: string
  /** Issuer, where the page was given one */
  iss?: string
  error?: string
  error_description?: string
}

/** Query with which the provider sent the person back */
export interface FinishSourceLogin {
  state: string
  code?: string
  error?: string
  error_description?: string
}

/** Right of a member to a folder, and the grant that it comes from */
export interface FolderAccessOfPerson {
  /** The member */
  id: ObjectId
  name: string
  /** Path of the picture, another one for each picture; null: initials stand for them */
  picture_url: string | null
  /** none: the folder is not there for them. read, write and manage, which is to say who may, each with those before */
  level: 'none' | 'read' | 'write' | 'manage'
  /** role: owners and admins manage all folders; no_grant: nothing says otherwise, so members read and write; else the kind of the grant that decides */
  because: 'role' | 'member' | 'group' | 'workspace' | 'no_grant'
  /** The group that decides, if one does */
  group_name: string | null
  /** Null for a folder that you may not read */
  knowledge_base_id: ObjectId | null
  knowledge_base_name: string | null
}

export type FolderEvent = FilePing | FileReset | FileHappened

/** Right to a folder and all below it, as far as no folder below has a grant to the same people */
export interface FolderGrant {
  kind: 'member' | 'group' | 'workspace'
  /** The member or group; for `workspace`, which stands for all its members and its keys of the role member, its id */
  id: string
  /** Empty for the workspace */
  name: string
  /** none: the folder is not there for them. read, write and manage, which is to say who may, each with those before */
  level: 'none' | 'read' | 'write' | 'manage'
}

/** Rights of your workspace to a folder: who may do what, and why */
export interface FolderGrants {
  grants: Array<FolderGrant>
  /** Whether the caller manages the folder. Others see their own right and who manages it, but no grants */
  can_change: boolean
  /** Grants of the folders that it lies in, the nearest first */
  inherited: Array<InheritedFolderGrant>
  /** Members of your workspace by name, 1,000 at most */
  people: Array<FolderAccessOfPerson>
  people_total: number
}

export interface ForgottenPassword {
  email: string
}

/** A message that holds what was searched */
export interface FoundMessage {
  message_id: ObjectId
  chat_id: ObjectId
  agent_id: ObjectId
  /** Title of the chat */
  title: string
  found_in: 'query' | 'response'
  /** Text around the first word that was found, on one line */
  snippet: string
  created_at: Timestamp
}

/** How calls of an API are authenticated */
export interface GivenApiAuth {
  /** header, query: a key in the header or the parameter `name`; bearer: a token; basic: a password */
  type: 'header' | 'query' | 'bearer' | 'basic'
  /** For header and query */
  name?: string | null
  /** For basic */
  username?: string | null
  /** Stored encrypted and answered as ***, which in a change keeps what is stored */
  secret: string
}

/** A server whose tools the agent may use */
export interface GivenMcpServer {
  /** Its tools are called NAME__TOOL */
  name: string
  /** http: streamable HTTP; sse: the transport before that; stdio: a program that the setting DOCENT_MCP_COMMANDS names. Default: "http" */
  transport: 'http' | 'sse' | 'stdio'
  /** For http and sse */
  url?: string | null
  /** For http and sse. Secrets: stored encrypted and answered as ***, which in a change keeps what is stored. Default: {} */
  headers: Record<string, string>
  /** For stdio: a name in DOCENT_MCP_COMMANDS */
  command?: string | null
  /** Tools that are switched on, by the server's names; null for all. Default: null */
  tools: Array<string> | null
}

/** A server whose tools the agent may use */
export interface GivenMcpServerInput {
  /** Its tools are called NAME__TOOL */
  name: string
  /** http: streamable HTTP; sse: the transport before that; stdio: a program that the setting DOCENT_MCP_COMMANDS names. Default: "http" */
  transport?: 'http' | 'sse' | 'stdio'
  /** For http and sse */
  url?: string | null
  /** For http and sse. Secrets: stored encrypted and answered as ***, which in a change keeps what is stored. Default: {} */
  headers?: Record<string, string>
  /** For stdio: a name in DOCENT_MCP_COMMANDS */
  command?: string | null
  /** Tools that are switched on, by the server's names; null for all. Default: null */
  tools?: Array<string> | null
}

/** An HTTP API whose operations the agent may call */
export interface GivenOpenApiTools {
  /** Its tools are called NAME__OPERATION */
  name: string
  /** Address of the document */
  url?: string | null
  /** The document itself, JSON or YAML, in the place of a url */
  document?: string | null
  /** The document as it was read before; without it, that of the url is read again */
  document_id?: string | null
  /** As answered, and of no effect */
  title?: string
  /** As answered, and of no effect */
  version?: string
  /** Begin of every address that is asked; default: the first server of the document */
  base_url?: string | null
  /** Default: null */
  auth?: GivenApiAuth | null
  /** Ids of the operations that the agent may call. Default: [] */
  operations?: Array<string>
}

/** Organization, workspace, role and permissions of an API key, and the person behind it */
export interface Identity {
  organization: {
    id: ObjectId
    name: string
  }
  workspace: {
    id: ObjectId
    name: string
  }
  key: {
    id: ObjectId
    name: string
    role: 'owner' | 'admin' | 'member'
    permissions: Array<'create_knowledgebase' | 'manage_agents' | 'manage_keys'>
    scopes: KeyScopes | null
  }
  /** The person who is signed in, or whose key it is; null for a key of a program */
  member: {
    id: ObjectId
    account_id: ObjectId
    email: string
    name: string
    /** Path of the picture, another one for each picture; null: initials stand for them */
    picture_url: string | null
    groups: Array<{
      id: ObjectId
      name: string
    }>
  } | null
  /** Whether the workspace demands a second factor that the person has yet to set up */
  needs_second_factor: boolean
  limits: {
    /** Size of the largest file that can be uploaded */
    upload_bytes: number
    /** Time for which an uploaded file waits to be used */
    upload_seconds: number
  }
}

export interface ImportAgent {
  agent: AgentFileInput
  /** Agent that becomes like the file, which is the whole of it: jobs that it lacks are deleted. null: a new one. Default: null */
  agent_id?: string | null
  /** Changes nothing, and only answers what would change. Default: false */
  dry_run?: boolean
}

export interface ImportedAgent {
  /** In a dry run: what would happen */
  outcome: 'created' | 'updated' | 'unchanged'
  /** As it is now; null if a dry run would make it */
  agent: Agent | null
  changes: Array<AgentFileChange>
  /** Parts of the file that this server could not take */
  unmapped: Array<UnmappedPart>
}

/** How far the indexing of a file is, or how the last one ended */
export interface Indexing {
  /** queued: waits for its turn; unpacking: files of an archive are made; transcribing: a recording is transcribed; reading: its text is read and cut into passages; ocr: text in pictures is recognised; embedding: passages get their vectors; writing: passages go into the search index; done. Of a file that failed: the stage in which it did */
  stage: 'queued' | 'unpacking' | 'transcribing' | 'reading' | 'ocr' | 'embedding' | 'writing' | 'done'
  /** Entries while it is unpacked, seconds of a recording while it is transcribed, pages while it is read (64 KiB of plain text count as one), passages after that */
  done: number
  /** Null while it is not known */
  total: number | null
  /** From 1; 0 while none has begun */
  attempt: number
  /** Why it failed: ENCRYPTED, EMPTY, NO_TEXT, TOO_LARGE, DAMAGED, CONVERT_FIRST, UNKNOWN_FORMAT, NO_SPEECH_MODEL, NOT_TRANSCRIBED, TIMEOUT, MEMORY, CRASHED, PROCESS_ENDED, CANCELLED, ENTRIES_LEFT_OUT, or an error code: INTERNAL_ERROR, QUOTA_EXCEEDED, or that of what the server could not reach */
  reason_code: string | null
}

export interface InheritedFolderGrant {
  kind: 'member' | 'group' | 'workspace'
  /** The member or group; for `workspace`, which stands for all its members and its keys of the role member, its id */
  id: string
  /** Empty for the workspace */
  name: string
  /** none: the folder is not there for them. read, write and manage, which is to say who may, each with those before */
  level: 'none' | 'read' | 'write' | 'manage'
  /** Null for a folder that you may not read */
  knowledge_base_id: ObjectId | null
  knowledge_base_name: string | null
}

/** An integration: keeps a folder in step with a source */
export interface Integration {
  id: ObjectId
  kind: string
  /** The folder that it fills */
  knowledge_base_id: ObjectId
  /** `paused`: nothing is synced until it is resumed, or a sync is asked for */
  status: 'idle' | 'syncing' | 'failed' | 'paused'
  /** When it was last in step with its source */
  last_synced_at: Timestamp | null
  /** Why the last sync failed, or what it left out */
  error_message: string | null
  /** Whether no sync comes by itself */
  is_paused: boolean
  /** Progress of the sync that runs, or else the last one; null before the first */
  progress: {
    /** Files that are in step, or were left out */
    done: number
    /** Files found so far; grows while folders are still being listed */
    total: number
    /** Items that were left out, or that fewer people may read here than at the source */
    problems: number
  } | null
  /** As given, secrets masked */
  config: Record<string, unknown>
  /** Login with which it reads; null where its config holds credentials, or the source asks for none */
  connection: SourceConnection | null
  created_at: Timestamp
}

/** The sync of a linked folder failed; while it goes on failing by its schedule, nothing more is sent */
export interface IntegrationFailedEvent {
  type: 'integration.failed'
  /** When it happened */
  timestamp: Timestamp
  /** Workspace of the endpoint */
  workspace_id: ObjectId
  data: {
    integration_id: ObjectId
    /** The folder that it fills */
    knowledge_base_id: ObjectId
    kind: string
    error_message: string | null
  }
}

/** A link that makes whoever opens it a member, once */
export interface Invitation {
  id: ObjectId
  /** The only e-mail that may use it; null for any */
  email: string | null
  role: 'owner' | 'admin' | 'member'
  group_ids: Array<ObjectId>
  created_at: Timestamp
  expires_at: Timestamp
}

/** Workspace and role of an invitation */
export interface InvitationView {
  organization: string
  workspace: string
  role: 'owner' | 'admin' | 'member'
  /** The only e-mail that may use it; null for any */
  email: string | null
  expires_at: Timestamp
}

/** A specialized task that an agent performs */
export interface Job {
  id: ObjectId
  agent_id: ObjectId
  name: string
  instructions: string
  /** null: all of the agent's tools */
  tools: Array<string> | null
  /** Only these of the agent's folders, and what is below them; null: all */
  knowledge_base_ids: Array<ObjectId> | null
  /** Only these of the files that the agent reads; null: all */
  filters: FileFilter | null
  created_at: Timestamp
  updated_at: Timestamp
}

export interface JoinWorkspace {
  token: string
}

/** A passage that a model was given */
export interface KeptPassage {
  /** The number by which the answer may cite it */
  index: number
  data_source_id: ObjectId
  title: string
  location: Location
  /** Up to 2,000 characters; the model also read what stands around it */
  text: string
  /** Measure by which the passages of this search are ordered */
  score: number
  /** Part of the words alone; 0 where only the meaning was near */
  bm25: number
  is_cited: boolean
}

/** A search that an agent made for an answer */
export interface KeptSearch {
  /** As in the events of the message */
  tool_call_id: string
  /** The sub-agent that searched; null for the agent itself */
  agent: {
    id: ObjectId
    name: string
  } | null
  query: string
  /** Filters of the agent, the job and the query, all of which hold */
  filters: Array<FileFilter>
  /** The query as the search understood it: stems, and the rarer, the heavier */
  terms: Array<{
    term: string
    weight: number
    count: number
  }>
  /** Best first */
  passages: Array<KeptPassage>
}

/** Rate limit of one key, at most the one that the server sets for all */
export interface KeyRateLimit {
  /** Requests that come back each second */
  per_second: number
  /** Requests that a rested key may send at once */
  burst: number
}

/** Agents, folders and people that a key is narrowed to, on top of its role and permissions */
export interface KeyScopes {
  /** operationIds of this document that it may call, or prefixes like chats.* */
  operations?: Array<string> | null
  /** Agents that it may use */
  agent_ids?: Array<string> | null
  /** Folders that it may use, with their sub-folders */
  knowledge_base_ids?: Array<string> | null
  /** Virtual users for whom it speaks: it reads only their chats, and calls only what takes them */
  virtual_user_ids?: Array<string> | null
}

/** A folder of files */
export interface KnowledgeBase {
  _id: ObjectId
  organization_id: ObjectId
  name: string
  parent_kb_id: ObjectId | null
  is_root: boolean
  integration_id: ObjectId | null
  user_defined_tags: Array<string>
  created_at: Timestamp
  /** Folders directly inside, if asked for */
  child_folders_count?: number
}

/** A folder; the counts are of what is directly inside */
export interface KnowledgeBaseDetail {
  _id: ObjectId
  organization_id: ObjectId
  name: string
  parent_kb_id: ObjectId | null
  is_root: boolean
  integration_id: ObjectId | null
  user_defined_tags: Array<string>
  created_at: Timestamp
  /** Folders directly inside, if asked for */
  child_folders_count?: number
  files_count?: number
}

export type Language = 'en' | 'de' | 'fr' | 'es' | 'ru' | 'zh' | 'ar'

/** Part of a link behind its # */
export interface LinkToken {
  token: string
}

/** A model and what it can do */
export interface ListedModel {
  /** PROVIDER/MODEL, as agents name it */
  id: string
  /** Tokens of prompt and answer together; null: a model that cannot be used */
  context_tokens: number | null
  /** Whether nobody tells how many tokens the model holds, so that DOCENT_MODEL_CONTEXT_TOKENS counts */
  context_is_assumed: boolean
  /** Whether pictures go along with a question; null: it is not known, and they do not */
  sees_pictures: boolean | null
  /** null: the provider does not tell */
  takes_tools: boolean | null
  /** US dollars for a million tokens: the one that costs are counted by, the operator’s or else the one that its provider lists */
  price: {
    input: number
    output: number
  } | null
}

/** E-mails, names of groups and domains that a list of readers holds */
export interface ListedReaders {
  emails: Array<string>
  groups: Array<string>
  domains: Array<string>
}

/** A step of the agent */
export interface LiveUpdateEvent {
  type: 'live_update'
  text: string
  extended_text: string | null
  /** From 0, growing, with gaps; what a resumed stream names */
  sequence_number: number
  subtype: 'tool_call_start' | 'tool_call_result' | 'tool_call_end'
  data: {
    tool_name: string
    preview: ToolPreview | null
    /** Id of the call, in all of its updates */
    tool_call_id: string
    /** At the start: what the tool is called with; in a result: what a person changed that to. Null where it is long */
    arguments?: Record<string, unknown> | null
    /** The sub-agent that makes the call */
    agent?: {
      id: ObjectId
      name: string
    }
    /** The call that put the sub-agent to work */
    parent_tool_call_id?: string
  }
  /** Milliseconds since the request began */
  elapsed_ms: number
}

/** Position of a passage in its document, as far as the format tells */
export interface Location {
  page?: number
  slide?: number
  heading_path?: Array<string>
  sheet?: string
  row_start?: number
  row_end?: number
  line_start?: number
  line_end?: number
  /** Second in which it begins to be said */
  time_start?: number
  time_end?: number
  attachment?: string
  /** Somebody gave the passage its text, or added it: it does not stand so in the document */
  by_hand?: 'edited' | 'added'
  /** Id of that change */
  edit_id?: string
}

export interface MadeInvitation {
  id: ObjectId
  /** The only e-mail that may use it; null for any */
  email: string | null
  role: 'owner' | 'admin' | 'member'
  group_ids: Array<ObjectId>
  created_at: Timestamp
  expires_at: Timestamp
  /** The link; shown this once */
  url: string
  /** Whether it was sent to the e-mail, too */
  is_sent: boolean
}

/** A link that works once */
export interface MadeLink {
  /** Shown this once; what is behind the # never reaches a server log */
  url: string
  expires_at: Timestamp
}

/** A passkey that a browser has made */
export interface MadePasskey {
  id: string
  /** response.clientDataJSON of the browser, base64url */
  client_data: string
  attestation_object: string
  /** Default: [] */
  transports?: Array<string>
}

/** A look at an MCP server */
export interface McpCheck {
  is_reachable: boolean
  /** Why not */
  error_message: string | null
  /** Whether it asks for a login: connect the agent with it */
  wants_login: boolean
  /** The login of this agent; null: none */
  connection: McpConnection | null
  /** Name that the server gives itself */
  server_name: string | null
  server_version: string | null
  tools: Array<McpTool>
}

/** Login at an MCP server that asks for one */
export interface McpConnection {
  /** Name of the key, or of the member, that logged in */
  connected_by: string
  connected_at: Timestamp
  /** Whether somebody has to log in again */
  is_lost: boolean
}

/** A server whose tools the agent may use */
export interface McpServer {
  name: string
  transport: 'http' | 'sse' | 'stdio'
  url: string | null
  /** Each value as *** */
  headers: Record<string, string>
  command: string | null
  tools: Array<string> | null
}

export interface McpServerUrl {
  /** URL of the server */
  url: string
}

/** A tool that a server offers */
export interface McpTool {
  /** The server's name of it, as `tools` holds it */
  name: string
  /** Name of the tool for the agent and in approvals: NAME__TOOL */
  tool_name: string
  title: string | null
  description: string
  /** JSON Schema of its arguments */
  input_schema: Record<string, unknown>
  /** As the server says; null if it says nothing */
  is_read_only: boolean | null
  is_destructive: boolean | null
  /** Whether `tools` switches it on */
  is_on: boolean
}

/** An account in a workspace */
export interface Member {
  id: ObjectId
  email: string
  name: string
  /** Path of the picture, another one for each picture; null: initials stand for them */
  picture_url: string | null
  role: 'owner' | 'admin' | 'member'
  groups: Array<{
    id: ObjectId
    name: string
  }>
  created_at: Timestamp
  /** Whether a code or a passkey is asked for after the password */
  has_second_factor: boolean
  /** When the account signed in last, to any workspace */
  signed_in_at: Timestamp | null
}

/** Members of a workspace under one name */
export interface MemberGroup {
  id: ObjectId
  name: string
  /** How many members it has */
  members: number
  created_at: Timestamp
}

export interface MemberGroupFields {
  name: string
}

/** Something that an agent remembers of a person */
export interface Memory {
  id: ObjectId
  /** The agent that remembers it; others do not know it */
  agent_id: ObjectId
  topic: string | null
  text: string
  /** The message in which it was said; it may be deleted by now */
  message_id: ObjectId
  created_at: Timestamp
  updated_at: Timestamp
}

export interface MergeVirtualUser {
  /** Person of the same workspace that stays */
  into_virtual_user_id: ObjectId
}

export interface MergedVirtualUser {
  merged: true
  messages_moved: number
  /** Two memories on one topic: the newer stays */
  memories_moved: number
}

/** A query and its answer */
export interface Message {
  id: ObjectId
  query: string
  response: string
  chat_id: ObjectId
  agent_id: ObjectId
  created_at: Timestamp
  updated_at: Timestamp
  message_type: string
  is_pinned: boolean
  reasoning: string
  ai_resolution_status: 'in_progress' | 'waiting' | 'completed'
  /** The review that it waits for; null on every message that does not */
  review: Review | null
  /** Why it failed; null on every message that did not */
  error_message: string | null
  quick_action_id: ObjectId | null
  quick_action_fields_with_values: Array<{
    field_name: string
    field_value: string | number
  }>
  citations: Array<Citation>
  /** The files that were sent with the query; in the history, and where one message is asked for */
  uploaded_files?: Array<UploadedFile>
  /** It and the other versions of it, oldest first; there only if there are several */
  versions?: Array<ObjectId>
  /** `provider/model` that the query named, if it did */
  asked_model?: string
  /** Usage of the answer; null until it is complete. With `usage=true` */
  usage?: MessageUsage | null
  feedback: {
    rating: 'up' | 'down'
    comment: string | null
  } | null
  downloadable_output?: Record<string, string>
  /** The files behind downloadable_output, in the order in which they were made */
  output_files?: Array<OutputFile>
}

/** Passages that an answer was given, and those that it cites */
export interface MessageRetrieval {
  /** In the order in which they ended */
  searches: Array<KeptSearch>
  citations: Array<Citation>
}

/** Rights with which a message was answered */
export interface MessageRights {
  /** `virtual_user`: by its grants; one without any is answered with the rights of the key. `visitor`: of a link, with the rights of `member` if there is one */
  rights_of: 'member' | 'api_key' | 'virtual_user' | 'visitor'
  /** The member whose rights to folders counted */
  member: {
    id: ObjectId
    name: string
  } | null
  /** The key that asked; for a member, the one that stands for them */
  api_key: {
    id: ObjectId
    name: string
  } | null
  virtual_user_id: ObjectId | null
  /** Folders of the agent, and whether these rights let it read them now */
  folders: Array<{
    id: ObjectId
    path: Array<string>
    can_read: boolean
  }>
}

/** Usage of all models together for one message */
export interface MessageUsage {
  /** Cached ones included */
  input_tokens: number
  cached_input_tokens: number
  /** Reasoning included */
  output_tokens: number
  reasoning_tokens: number
  /** By the prices of then; null where one was not known */
  cost_usd: number | null
  /** `provider/model` of the agent; its sub-agents may have used others */
  model: string
}

/** A message of this workspace waits for a review */
export interface MessageWaitingEvent {
  type: 'message.waiting'
  /** When it happened */
  timestamp: Timestamp
  /** Workspace of the endpoint */
  workspace_id: ObjectId
  data: {
    message_id: ObjectId
    chat_id: ObjectId
    agent_id: ObjectId
    review_id: ObjectId
    /** `approval` of a tool call, or a `question` */
    review_kind: string
    /** When the message ends without a decision */
    expires_at: Timestamp
  }
}

/** The first event: the id of the message */
export interface MetadataEvent {
  type: 'metadata'
  subtype: null
  text: string
  extended_text: string | null
  /** From 0, growing, with gaps; what a resumed stream names */
  sequence_number: number
  data: {
    message_id: ObjectId
  }
  elapsed_ms: null
}

/** Whether a model answers */
export interface ModelCheck {
  model: string
  answers: boolean
  /** Until it began to answer */
  first_token_ms: number | null
  /** Why it does not */
  error_message: string | null
  /** False for a model that only quotes documents */
  can_converse: boolean
}

/** Models that a workspace chose; null: as the server has it */
export interface ModelDefaults {
  answers: string | null
  summaries: string | null
  titles: string | null
  transcription: string | null
  reranking: string | null
  /** Settings of the server, which its operator changes */
  server: {
    /** Model of agents that name none, where the workspace chose none */
    answers: string
    /** Model behind the search of the whole server; null: it searches by words alone */
    embeddings: string | null
    /** Model, or host, that orders what searches find, where the workspace chose none; null: none does */
    reranking: string | null
  }
}

/** US dollars for a million tokens */
export interface ModelPrice {
  /** `provider/model`; * stands for anything */
  model: string
  input: number
  cached_input: number
  output: number
  reasoning: number
  /** US dollars for a minute of sound that is transcribed; null: by its tokens, if at all */
  audio_minute: number | null
}

/** A provider of models */
export interface ModelProvider {
  /** Prefix of the names of its models */
  id: string
  name: string
  is_configured: boolean
  /** Setting that the operator has to give before it can be used */
  missing_setting: string | null
  /** Its models by its own list, as agents name them; some, where it gives none */
  models: Array<string>
  /** Owner of its settings: the operator of the server, or the workspace */
  source: 'environment' | 'workspace'
}

/** A provider of models, without its key */
export interface ModelProviderSettings {
  /** First half of the ids of its models */
  name: string
  /** As people know it */
  label: string
  /** API that it speaks; openai-compatible: any server with chat completions */
  kind: 'openai' | 'anthropic' | 'google' | 'ollama' | 'openai-compatible'
  /** environment: an operator set it on the server, and it cannot be changed here */
  source: 'environment' | 'workspace'
  /** null: the vendor's own, or of the environment */
  base_url: string | null
  has_key: boolean
  /** End of the key, such as …a1b2; null: none, or too short */
  key_hint: string | null
  created_at: Timestamp | null
  updated_at: Timestamp | null
}

/** Models that agents can be given */
export interface Models {
  /** Model of agents that name none */
  default_model: string
  /** Whether the default model writes texts of its own; false where it only quotes documents */
  can_converse: boolean
  providers: Array<ModelProvider>
  /** Models of all providers that are set up */
  models: Array<ListedModel>
  /** Sentence why a provider gave no list of its models, by its id */
  list_problems: Record<string, string>
}

/** A chat as it was created */
export interface NewChat {
  id: ObjectId
  title: string
  chat_type: ChatType
  agent_id: ObjectId
  created_at: Timestamp
}

export interface NewKeyScopes {
  /** operationIds of this document that it may call, or prefixes like chats.* */
  operations?: Array<string> | null
  /** Agents that it may use */
  agent_ids?: Array<string> | null
  /** Folders that it may use, with their sub-folders */
  knowledge_base_ids?: Array<string> | null
  /** Virtual users for whom it speaks: it reads only their chats, and calls only what takes them */
  virtual_user_ids?: Array<string> | null
  /** Virtual users by e-mail, as well as those by id; one that is not there is made */
  virtual_user_emails?: Array<string> | null
}

/** 24 hexadecimal characters */
export type ObjectId = string

/** A look at an OpenAPI document */
export interface OpenApiCheck {
  is_readable: boolean
  /** Why the document cannot be used */
  error_message: string | null
  title: string | null
  version: string | null
  /** Begin of every address that is asked; null: the document does not say */
  base_url: string | null
  operations: Array<ApiOperation>
}

/** An HTTP API whose operations the agent may call */
export interface OpenApiTools {
  name: string
  /** null: the document was given itself */
  url: string | null
  /** Another one after the document was read again */
  document_id: string
  /** As the document has it */
  title: string
  /** As the document has it */
  version: string
  base_url: string
  auth: ApiAuth | null
  operations: Array<string>
}

export interface OpenVisit {
  /** The one from before, even if it has expired a short while ago: the visitor then keeps their chats. Default: null */
  visitor_token?: string | null
}

/** A file that an agent made */
export interface OutputFile {
  /** As in downloadable_output */
  key: string
  file_name: string
  media_type: string
  size_bytes: number
  /** Signed: works for a while, without an API key */
  url: string
}

/** A passage as it is searched and cited */
export interface Passage {
  /** Place in the file, from 0 */
  ordinal: number
  text: string
  location: Location
}

/** Change of a passage by hand */
export interface PassageEdit {
  id: ObjectId
  kind: 'edited' | 'off' | 'added'
  /** waiting: the index does not have it yet; orphaned: the passage that it belongs to is not in the file any more, and nothing is found of it */
  state: 'waiting' | 'applied' | 'orphaned'
  text: string | null
  /** Text, as it was read, of the passage that is changed or after which one was added; empty for the beginning */
  anchor_text: string
  api_key_id: ObjectId | null
  api_key_name: string | null
  /** Member who holds that key */
  member_id: ObjectId | null
  created_at: Timestamp
  updated_at: Timestamp
}

/** A passkey of an account */
export interface Passkey {
  id: ObjectId
  name: string
  created_at: Timestamp
  last_used_at: Timestamp | null
}

/** Answer of a passkey to a challenge */
export interface PasskeyAnswer {
  id: string
  /** response.clientDataJSON of the browser, base64url */
  client_data: string
  authenticator_data: string
  signature: string
  /** Default: null */
  user_handle?: string | null
}

/** The password and, if the account has a second factor, that one, too */
export interface PasskeyProof {
  /** Needed if the account has one */
  password?: string
  /** Six digits of the authenticator app, or a recovery code */
  code?: string
  passkey?: PasskeyAnswer
}

export interface PasskeySignIn {
  passkey: PasskeyAnswer
}

export interface PasswordSignIn {
  email: string
  password: string
}

export interface PersonalKeyScopes {
  /** operationIds of this document that it may call, or prefixes like chats.* */
  operations?: Array<string> | null
  /** Agents that it may use */
  agent_ids?: Array<string> | null
  /** Folders that it may use, with their sub-folders */
  knowledge_base_ids?: Array<string> | null
}

/** Nothing new yet */
export interface PingEvent {
  type: 'ping'
  subtype: null
  text: string
  extended_text: string | null
  /** From 0, growing, with gaps; what a resumed stream names */
  sequence_number: number
  data: null
}

/** A pinned answer */
export interface PinnedMessage {
  message_id: ObjectId
  chat_id: ObjectId
  agent_id: ObjectId
  /** Title of the chat */
  title: string
  /** Its first 500 characters */
  query: string
  /** Its first 500 characters */
  response: string
  /** false: it is in a branch of the chat that is not shown */
  is_shown: boolean
  created_at: Timestamp
}

/** A folder, instructions and chats in one place */
export interface Project {
  id: ObjectId
  name: string
  instructions: string
  /** Folder with its files; who may read it sees the project, who may write it may change the project */
  knowledge_base_id: ObjectId
  agent_id: ObjectId | null
  /** Whether the caller made it */
  is_own: boolean
  /** Whether the caller may change the project and add files to it */
  can_change: boolean
  created_at: Timestamp
  updated_at: Timestamp
}

export interface ProveTwoFactor {
  password: string
  /** Six digits of the authenticator app, or a recovery code */
  code: string
}

export interface ProviderAnswer {
  /** Query of the redirect URI, as the provider sent the browser there */
  query: string
}

export interface ProviderUrl {
  /** The provider's page, for this browser within ten minutes */
  url: string
}

export interface PushFile {
  title: string
  /** Content as text; a title that ends in .md, .html or .csv says which kind */
  text?: string
  /** Content as an upload, instead of text */
  file_id?: string
  /** Readers of the file, of those who may read the folder; null: all of them; left out: it stays */
  readers?: FileReaders | null
  /** In place of all that was set before; left out: it stays */
  metadata?: FileMetadata
  /** When the file changed in the other system; an older version than the last one is refused */
  updated_at?: string
}

export interface PushFiles {
  items: Array<{
    /** Id that the other system gives the file; in a path it is written with percent signs */
    external_id: string
    title: string
    /** Content as text; a title that ends in .md, .html or .csv says which kind */
    text?: string
    /** Content as an upload, instead of text */
    file_id?: string
    /** Readers of the file, of those who may read the folder; null: all of them; left out: it stays */
    readers?: FileReaders | null
    /** In place of all that was set before; left out: it stays */
    metadata?: FileMetadata
    /** When the file changed in the other system; an older version than the last one is refused */
    updated_at?: string
  } | {
    /** Id that the other system gives the file; in a path it is written with percent signs */
    external_id: string
    delete: true
    /** When the file changed in the other system; an older version than the last one is refused */
    updated_at?: string
  }>
}

export interface PushedDataSource {
  _id: ObjectId
  id: ObjectId
  title: string
  source_type: string
  status: 'pending' | 'indexing' | 'successful' | 'failed'
  /** Why it failed, and what to do about it */
  status_reason: string | null
  /** Null for a file that was never asked to be indexed, or not since this is kept */
  indexing: Indexing | null
  knowledge_base_id: ObjectId
  file_name: string
  media_type: string
  size_bytes: number
  /** Number of its content, from 1; raised when that is replaced */
  version: number
  /** Number of the content that searches and answers find: an earlier one while the newest is not indexed, null while there is none */
  found_version: number | null
  virtual_user_id: ObjectId | null
  /** true: a list says who of those who may read its folder may read it */
  is_restricted: boolean
  metadata: FileMetadata
  created_at: Timestamp
  updated_at: Timestamp
  external_id: string
  external_updated_at: Timestamp | null
}

export interface PutModelDefaults {
  /** Model of agents that name none; null: the server's default. Default: null */
  answers?: string | null
  /** Model that sums up long chats; null: that of the agent. Default: null */
  summaries?: string | null
  /** Model that names a chat after its first answer; null: it is named by its first question. Default: null */
  titles?: string | null
  /** Model that transcribes speech, of OpenAI or an OpenAI-compatible server; null: none does. Default: null */
  transcription?: string | null
  /** Model that orders what searches find, of an OpenAI-compatible server with /rerank, or local/NAME for a cross-encoder in DATA_DIR/models; none: nothing is ordered anew; null: the server's, if it has one. Default: null */
  reranking?: string | null
}

export interface PutModelProvider {
  /** API that it speaks; openai-compatible: any server with chat completions */
  kind: 'openai' | 'anthropic' | 'google' | 'ollama' | 'openai-compatible'
  /** null: the vendor's own address; ollama and openai-compatible need one. Default: null */
  base_url?: string | null
  /** Stored encrypted and never returned. Left out, it stays, as long as kind and address stay; null: none */
  api_key?: string | null
}

export interface PutSourceApp {
  /** As the provider gives it where the app is registered */
  client_id: string
  /** Stored encrypted and never returned. Left out, it stays, as long as the client id, the tenant and token_url stay */
  client_secret?: string
  /** Microsoft only: organization whose people may log in, by its id or domain; null: everybody. Default: null */
  tenant?: string | null
  /** For a proxy; null: the provider's own. Default: null */
  authorize_url?: string | null
  /** For a proxy; null: the provider's own. Default: null */
  token_url?: string | null
}

export interface PutWebSearch {
  /** API that it speaks */
  kind: 'brave' | 'tavily' | 'searxng'
  /** null: the vendor's own address; searxng needs one. Default: null */
  base_url?: string | null
  /** Stored encrypted and never returned. Left out, it stays, as long as kind and address stay; null: none */
  api_key?: string | null
}

/** How much somebody may use in a day or a month */
export interface Quota {
  id: ObjectId
  subject: {
    type: 'workspace' | 'api_key' | 'virtual_user' | 'any_virtual_user'
    id: ObjectId | null
  }
  /** Calendar day or month, UTC */
  period: 'day' | 'month'
  max_messages: number | null
  max_tokens: number | null
  max_cost_usd: number | null
  /** In the present period; null for any_virtual_user, of which everybody has their own */
  used: {
    messages: number
    tokens: number
    cost_usd: number
  } | null
  resets_at: Timestamp
  created_at: Timestamp
  updated_at: Timestamp
}

export interface RecoveryCodes {
  /** Each works once; shown this once */
  recovery_codes: Array<string>
}

export interface RenamePasskey {
  name: string
}

export interface ReplaceContent {
  /** As returned by the upload */
  file_id: string
}

/** All settings of a provider: what is left out gets its default */
export interface ReplaceSignInProvider {
  /** Stands on the button of the sign-in page */
  name: string
  /** As the provider calls itself; https (http on this machine alone) */
  issuer: string
  client_id: string
  /** Default: client_secret_basic with a secret, none without */
  client_auth?: 'client_secret_basic' | 'client_secret_post' | 'none'
  /** Default: "openid email profile" */
  scope?: string
  /** Default: "id_token" */
  claims_from?: 'id_token' | 'userinfo'
  /** Default: "email_verified" */
  email_verified_claim?: string
  /** Domains of the e-mails that are let in; none: only people who linked the provider to their account. Default: [] */
  domains?: Array<string>
  /** Whether somebody who is no member yet becomes one when they first sign in. Default: true */
  makes_accounts?: boolean
  /** Default: "member" */
  default_role?: 'owner' | 'admin' | 'member'
  role_claim?: string
  /** Values of the claim, and the roles that they give; none above your own. Default: {} */
  roles?: Record<string, 'owner' | 'admin' | 'member'>
  groups_claim?: string
  /** Values of the claim, and names of groups; default: the same names */
  groups?: Record<string, string>
  required_claim?: {
    name: string
    value?: string
  }
  /** Left out, it stays, as long as the issuer stays; null: none */
  client_secret?: string | null
}

/** A review: a run waits for the decision of a person */
export interface Review {
  id: ObjectId
  /** approval: a tool waits to be allowed; question: the agent asks something */
  kind: 'approval' | 'question'
  status: 'pending' | 'approved' | 'rejected' | 'answered' | 'expired' | 'cancelled'
  agent_id: ObjectId
  chat_id: ObjectId
  message_id: ObjectId
  /** The agent that asks: the one of the chat, or a sub-agent of it */
  asked_by: ObjectId
  tool_name: string
  /** The question, in words */
  text: string
  /** Arguments of the call that waits */
  arguments: Record<string, unknown> | null
  /** Arguments that the person who approved put in their place; null if none */
  changed_arguments: Record<string, unknown> | null
  /** Answers to choose from; any other text is fine, too */
  options: Array<string>
  /** The answer, or what was said along with the decision */
  note: string | null
  decided_at: Timestamp | null
  /** The API key */
  decided_by: ObjectId | null
  created_at: Timestamp
  expires_at: Timestamp
}

export interface ReviewDecision {
  /** answer: for a question, with the answer in `note` */
  decision: 'approve' | 'reject' | 'answer'
  /** Default: null */
  note?: string | null
  /** With approve: what to call the tool with, all of it, in place of the model's arguments. Default: null */
  arguments?: Record<string, unknown> | null
}

/** The run waits for a person; `text` says what is asked. A query ends with [DONE] here; the events of the message go on after the review. */
export interface ReviewRequestEvent {
  type: 'review_request'
  subtype: null
  text: string
  extended_text: string | null
  /** From 0, growing, with gaps; what a resumed stream names */
  sequence_number: number
  data: {
    message_id: ObjectId
    review: Review
  }
}

export interface RotateApiKey {
  /** Time during which the earlier secret works beside the new one; 0 ends it within 5 seconds. Default: 86400 */
  overlap_seconds?: number
}

/** A token with which a company's directory manages the members by SCIM 2.0 */
export interface ScimToken {
  id: ObjectId
  name: string
  /** The first 8 characters, to recognise it by */
  prefix: string
  /** Role of whoever made it: the token ends no membership of a higher one */
  role: 'owner' | 'admin' | 'member'
  expires_at: Timestamp | null
  created_at: Timestamp
  /** To the minute */
  last_used_at: Timestamp | null
}

/** Why a passage was found */
export interface SearchExplanation {
  /** Limits of the search, beside what the caller may read */
  filters: {
    /** Folder that was searched */
    knowledge_base_id: ObjectId
    /** Whether its sub-folders were, too */
    recursive: boolean
    /** Filter on the metadata of files; null without one */
    files: FileFilter | null
  }
  /** Place of the passage in its file, as `start` of its text takes it */
  ordinal: number
  /** BM25 of the words; 0 when the passage is only near in meaning */
  words: number
  /** Part of the score for words that stand close together and in order; null where meaning is ranked along with words */
  closeness: number | null
  /** Part for words in the title and the headings; null likewise */
  heading: number | null
  /** Part for words that the best passages have in common; null likewise */
  subject: number | null
  /** Places in the lists that are put together, from 1; null where a list lacks the passage */
  ranks: {
    /** By the words alone */
    words: number | null
    /** By the words with the other parts of the score */
    reranked: number | null
    /** By meaning */
    meaning: number | null
  }
  /** Order of a reranker, which then is that of the results; null where none read the passage */
  reranker: {
    /** Place that it gave the passage, from 1 */
    rank: number
    /** As the model gave it */
    score: number
  } | null
  /** Terms of the question, as they were understood */
  terms: Array<{
    /** As it is indexed: stemmed */
    term: string
    /** The rarer, the higher */
    weight: number
    /** How often it stands in the text */
    count: number
    /** Whether the title or a heading holds it */
    in_title: boolean
  }>
  /** Positions of the words in `text`, in UTF-16 units; at most 200 */
  matches: Array<{
    start: number
    end: number
  }>
}

/** A passage of a document */
export interface SearchHit {
  data_source_id: ObjectId
  title: string
  metadata: FileMetadata
  text: string
  /** Higher is better; comparable within one answer only */
  score: number
  location: Location
  explanation?: SearchExplanation
}

/** Search index of all workspaces of an organization */
export interface SearchIndex {
  /** Index that searches go to */
  serving: {
    /** environment: as the server's operator set it; workspace: a model that a workspace chose; none: search by words alone */
    source: 'environment' | 'workspace' | 'none'
    /** Embedding model; null: words alone */
    model: string | null
  }
  /** Choice of the server's operator */
  environment: {
    /** Embedding model; null: words alone */
    model: string | null
  }
  /** Models on disk that can be chosen: folders in DATA_DIR/models */
  local_models: Array<string>
  /** Index that takes its place once it is whole; null: none */
  building: {
    /** environment: as the server's operator set it; workspace: a model that a workspace chose; none: search by words alone */
    source: 'environment' | 'workspace' | 'none'
    /** Embedding model; null: words alone */
    model: string | null
    /** failed: choose it again to go on */
    state: 'building' | 'failed'
    files_done: number
    /** null: not counted yet */
    files_total: number | null
    /** Files that have to be read anew, which happens once the index serves */
    files_skipped: number
    passages_done: number
    /** Why it does not go on; while it is building, it is tried again */
    error_message: string | null
    started_at: Timestamp
    updated_at: Timestamp
  } | null
}

/** Whether a workspace demands a second factor of its members */
export interface SecondFactorDemand {
  is_demanded: boolean
  /** Members with a password and without a second factor, by name, at most 100 */
  members_without: Array<{
    id: ObjectId
    name: string
  }>
  members_without_total: number
}

/** A code, or what a passkey answers */
export interface SecondFactor {
  /** Six digits of the authenticator app, or a recovery code */
  code?: string
  passkey?: PasskeyAnswer
}

export interface SendAsyncQuery {
  /** Message text; required unless shortcut_id is given. Default: null */
  query?: string | null
  /** Made up when absent. Also the retry key: the same id with the same content runs once */
  message_id?: string | null
  /** Default: null */
  job_id?: string | null
  /** Answers from these of the agent's folders, and what is below them; an empty list: from none. Without it: from all */
  knowledge_base_ids?: Array<string> | null
  /** Answers only from files whose metadata meets this */
  filters?: FileFilterInput | null
  /** Message of the chat beside which the query stands as another version, with the memory of what came before: the chat branches. Without it the query follows the branch that is shown */
  version_of?: string | null
  /** `provider/model` for this answer instead of the agent's; takes the permission manage_agents */
  model?: string | null | null
  /** Default: null */
  virtual_user_email?: string | null
  /** Default: false */
  pin_response?: boolean
  /** Default: [] */
  uploaded_files?: Array<string>
  /** Default: null */
  shortcut_id?: string | null
  /** Default: [] */
  shortcut_fields_with_values?: Array<{
    field_name: string
    field_value: string | number
  }>
  /** http or https; receives a POST with the result */
  webhook_url: string
}

export interface SendQuery {
  /** Message text; required unless shortcut_id is given. Default: null */
  query?: string | null
  /** Made up when absent. Also the retry key: the same id with the same content runs once */
  message_id?: string | null
  /** Default: null */
  job_id?: string | null
  /** Answers from these of the agent's folders, and what is below them; an empty list: from none. Without it: from all */
  knowledge_base_ids?: Array<string> | null
  /** Answers only from files whose metadata meets this */
  filters?: FileFilterInput | null
  /** Message of the chat beside which the query stands as another version, with the memory of what came before: the chat branches. Without it the query follows the branch that is shown */
  version_of?: string | null
  /** `provider/model` for this answer instead of the agent's; takes the permission manage_agents */
  model?: string | null | null
  /** Default: null */
  virtual_user_email?: string | null
  /** Default: false */
  pin_response?: boolean
  /** Default: [] */
  uploaded_files?: Array<string>
  /** Default: null */
  shortcut_id?: string | null
  /** Default: [] */
  shortcut_fields_with_values?: Array<{
    field_name: string
    field_value: string | number
  }>
  /** Default: false */
  is_stream?: boolean
}

/** All grants of an agent from then on */
export interface SetAgentGrants {
  grants: Array<{
    /** admins: owners and admins of the workspace, who are granted `threads` alone, as they may do all else */
    kind: 'member' | 'group' | 'workspace' | 'admins'
    /** The member or group; for `workspace`, which stands for all its members and its keys of the role member, its id */
    id: string
    /** use: without any such grant, everyone may use the agent. edit: to change it, and use it. threads: to see the chats that begin with it from then on, and use it. none: only for the workspace, so that nobody may use it but those who are granted it */
    level: 'none' | 'use' | 'edit' | 'threads'
  }>
}

export interface SetFileReaders {
  /** null: whoever may read its folder */
  readers: FileReaders | null
}

/** All grants of a folder to people of your workspace, from then on */
export interface SetFolderGrants {
  grants: Array<{
    kind: 'member' | 'group' | 'workspace'
    /** The member or group; for `workspace`, which stands for all its members and its keys of the role member, its id */
    id: string
    /** none: the folder is not there for them. read, write and manage, which is to say who may, each with those before */
    level: 'none' | 'read' | 'write' | 'manage'
  }>
}

export interface SetPicture {
  /** PNG, JPEG or WebP in Base64; it is shown as a circle, from 256 pixels square */
  content: string
}

export interface SetQuota {
  subject: {
    type: 'workspace' | 'api_key' | 'virtual_user' | 'any_virtual_user'
    /** Id of the API key or the virtual user */
    id?: string
    /** E-mail of the virtual user, instead of its id */
    email?: string
  }
  /** Calendar day or month, UTC */
  period: 'day' | 'month'
  /** Queries that are accepted. Default: null */
  max_messages?: number | null
  /** Input and output, cached and reasoning included. Default: null */
  max_tokens?: number | null
  /** Cost of models that have a price; to the millionth. Default: null */
  max_cost_usd?: number | null
}

export interface SetSecondFactorDemand {
  is_demanded: boolean
}

export interface SetVirtualUserGrants {
  /** All folders that answers to the virtual user may come from, each with what is below it; none if it is empty; null: no grants, so all that the key may read */
  knowledge_base_ids: Array<string> | null
}

/** Another organization that may read a folder and all below it */
export interface Share {
  organization_id: ObjectId
  organization_name: string
  created_at: Timestamp
}

export interface ShareChat {
  /** true: readers see the chat as it is at any time; false: as it is now, until it is shared again. Default: false */
  follows?: boolean
}

/** An agent as visitors see it */
export interface SharedAgent {
  agent_id: ObjectId
  name: string
  description: string
  greeting: string
  audience: AgentLinkAudience
  /** Colour of buttons and links, as `#rrggbb`; null: that of Docent */
  color: string | null
  /** Corner of the website in which the button is */
  position: 'left' | 'right'
  /** Questions that visitors are offered at the start */
  starter_questions: Array<string>
  /** Language of the page; null: that of the visitor's browser */
  language: Language | null
  /** Path of the logo on this server, which changes with the logo; null: none */
  logo_url: string | null
}

/** A question with its answer in a shared chat */
export interface SharedMessage {
  id: ObjectId
  query: string
  response: string
  error_message: string | null
  created_at: Timestamp
  /** Passages of files that the reader may read */
  citations: Array<Citation>
  /** Number of passages that the reader may not read */
  hidden_citations: number
}

/** A predefined action, also called quick action */
export interface Shortcut {
  id: ObjectId
  agent_id: ObjectId
  name: string
  /** With {{field_name}} where a value goes */
  prompt: string
  fields: Array<ShortcutField>
  job_id: ObjectId | null
  created_at: Timestamp
  updated_at: Timestamp
}

/** A value that the person fills in */
export interface ShortcutField {
  name: string
  /** Default: "text" */
  type: 'text' | 'number' | 'select'
  /** Default: false */
  required: boolean
  /** Default: [] */
  options: Array<string>
}

/** A value that the person fills in */
export interface ShortcutFieldInput {
  name: string
  /** Default: "text" */
  type?: 'text' | 'number' | 'select'
  /** Default: false */
  required?: boolean
  /** Default: [] */
  options?: Array<string>
}

export interface ShownReaders {
  /** false: whoever may read its folder may read it */
  is_restricted: boolean
  /** Null where all may, and for those who do not manage the folder */
  readers: ListedReaders | null
  /** Origin of the list: people here, the system that pushed the file, or the source of its folder */
  from: 'people' | 'push' | 'source' | null
  can_change: boolean
}

/** The key that the session stands for */
export interface SignIn {
  api_key: string
}

/** Ways to sign in */
export interface SignInOptions {
  /** Whether a link for a forgotten password is sent on request */
  password_by_email: boolean
  /** Whether passkeys work at the address of this server */
  passkeys: boolean
  /** OpenID Connect providers, for /session/providers/{provider_id} */
  providers: Array<{
    id: string
    name: string
  }>
}

/** An OpenID Connect provider, without its secret */
export interface SignInProvider {
  id: string
  name: string
  issuer: string
  client_id: string
  has_secret: boolean
  client_auth: string
  scope: string
  claims_from: 'id_token' | 'userinfo'
  email_verified_claim: string
  domains: Array<string>
  makes_accounts: boolean
  default_role: 'owner' | 'admin' | 'member'
  role_claim: string | null
  roles: Record<string, 'owner' | 'admin' | 'member'>
  groups_claim: string | null
  groups: Record<string, string> | null
  required_claim: {
    name: string
    value?: string
  } | null
  /** To be registered at the provider, exactly */
  redirect_uri: string
  /** Set by an operator: it cannot be changed here */
  is_by_environment: boolean
  can_change: boolean
  created_at: Timestamp | null
  updated_at: Timestamp | null
}

/** App at a provider of documents, without its secret */
export interface SourceApp {
  /** Provider of documents */
  provider: 'google' | 'microsoft' | 'notion' | 'atlassian' | 'slack'
  name: string
  client_id: string
  /** End of the secret, such as …a1b2; null: set by the environment, or too short */
  secret_hint: string | null
  tenant: string | null
  /** null: the provider's own */
  authorize_url: string | null
  /** null: the provider's own */
  token_url: string | null
  /** Address to register there, to which people come back */
  redirect_url: string
  /** Set by an operator: it cannot be changed here */
  is_by_environment: boolean
}

/** Login with which an integration reads its source */
export interface SourceConnection {
  /** Provider of documents */
  provider: 'google' | 'microsoft' | 'notion' | 'atlassian' | 'slack'
  /** Account at the provider; empty where it does not say */
  account: string
  /** Name of the key, or of the member, that logged in */
  connected_by: string
  connected_at: Timestamp
  /** Whether somebody has to connect again */
  is_lost: boolean
}

export interface StreamCheckEvent {
  type: 'tick' | 'ping' | 'end'
  /** From 0, one up with each event */
  number: number
  /** When the server sent it, since the first event */
  elapsed_ms: number
}

/** The JSON of one `data:` line. The last line is `data: [DONE]`. More types and fields may come: ignore what you do not know. */
export type StreamEvent = MetadataEvent | PingEvent | DeltaEvent | EndReasoningEvent | EndResponseEvent | LiveUpdateEvent | ReviewRequestEvent | ErrorEvent

/** A sub-folder in a recursive listing */
export interface SubFolder {
  id: ObjectId
  name: string
  parent_kb_id: ObjectId | null
  created_at: Timestamp
}

export interface TestEmbeddingModel {
  /** PROVIDER/MODEL, or local/FOLDER */
  model: string
}

/** Settings to try before they are stored; without kind, the stored ones are tried. Default: {"base_url":null} */
export interface TestModelProvider {
  /** API that it speaks; openai-compatible: any server with chat completions */
  kind?: 'openai' | 'anthropic' | 'google' | 'ollama' | 'openai-compatible'
  /** null: the vendor's own address; ollama and openai-compatible need one. Default: null */
  base_url?: string | null
  /** Stored encrypted and never returned. Left out, it stays, as long as kind and address stay; null: none */
  api_key?: string | null
}

export interface TestReranker {
  /** Reranker to test, as PROVIDER/MODEL or local/NAME */
  model: string
}

export interface TestSignInProvider {
  /** Provider whose stored secret is used, where none is given and the issuer is the same */
  id?: string
  /** As the provider calls itself; https (http on this machine alone) */
  issuer: string
  client_id: string
  client_secret?: string
  /** Default: client_secret_basic with a secret, none without */
  client_auth?: 'client_secret_basic' | 'client_secret_post' | 'none'
  /** Default: "openid email profile" */
  scope?: string
}

/** Settings to try before they are stored; without kind, the stored ones are tried. Default: {"base_url":null,"query":"weather"} */
export interface TestWebSearch {
  /** API that it speaks */
  kind?: 'brave' | 'tavily' | 'searxng'
  /** null: the vendor's own address; searxng needs one. Default: null */
  base_url?: string | null
  /** Stored encrypted and never returned. Left out, it stays, as long as kind and address stay; null: none */
  api_key?: string | null
  /** Words to search for. Default: "weather" */
  query?: string
}

/** Whether a model makes vectors */
export interface TestedEmbeddingModel {
  is_ok: boolean
  /** Length of its vectors */
  dimensions: number | null
  /** Milliseconds until it had answered */
  latency_ms: number
  /** Why it cannot be used */
  error_message: string | null
}

/** Whether a provider lists its models with the key that it has */
export interface TestedModelProvider {
  is_ok: boolean
  /** Milliseconds until it had answered */
  latency_ms: number
  /** Number of models that it lists */
  models: number | null
  /** Why it cannot be used */
  error_message: string | null
}

/** Whether a reranker scored two short texts */
export interface TestedReranker {
  is_ok: boolean
  /** Milliseconds until it had answered */
  latency_ms: number
  /** Why it cannot be used */
  error_message: string | null
}

/** Checks in order, up to one that failed and that the rest needs */
export interface TestedSignInProvider {
  is_ok: boolean
  findings: Array<{
    check: 'discovery' | 'issuer' | 'endpoints' | 'keys' | 'features' | 'client'
    is_ok: boolean
    message: string
  }>
}

/** Whether a provider of web search answers with the key that it has */
export interface TestedWebSearch {
  is_ok: boolean
  /** Milliseconds until it had answered */
  latency_ms: number
  /** The first ones that it found */
  results: Array<{
    title: string
    url: string
    snippet: string
  }>
  /** Why it cannot be used */
  error_message: string | null
}

/** A chat with what became of it */
export interface Thread {
  id: ObjectId
  title: string
  chat_type: ChatType
  agent_id: ObjectId
  created_at: Timestamp
  metadata: ChatMetadata
  /** Project that it is in; null for none */
  project_id: ObjectId | null
  /** Put away by its owner: the UI lists it apart */
  is_archived: boolean
  /** Kept by its owner above other chats */
  is_pinned: boolean
  /** When the newest message was asked */
  last_message_at: Timestamp | null
  message_count: number
  /** Input and output of all messages */
  total_tokens: number
  /** waiting: a message waits for a review; in_progress: one is being answered; failed: one failed; empty: no message */
  status: 'empty' | 'in_progress' | 'waiting' | 'failed' | 'completed'
  /** Answers rated so */
  feedback: {
    up: number
    down: number
  }
  /** Ten of those who asked in it; only keys of admins and owners see them */
  virtual_users: Array<{
    id: ObjectId
    email: string
    name: string | null
  }>
  /** Virtual users who asked in it */
  virtual_user_count: number
}

/** ISO 8601, UTC, milliseconds */
export type Timestamp = string

/** Preview of a tool call's result */
export interface ToolPreview {
  title: string
  content: string
  /** text, markdown, json, html, image, or one that a later version adds */
  content_type: string
  status: 'completed' | 'error'
}

/** A built-in tool, SERVER__TOOL of an MCP server or an API, or SERVER__* for all of it */
export type ToolReference = string

export interface Transcription {
  /** Words that were said; empty where none were heard */
  text: string
}

/** Whether speech can be transcribed */
export interface TranscriptionAbility {
  /** Whether the workspace chose a model for speech */
  is_available: boolean
}

/** Secret for an authenticator app */
export interface TwoFactorSecret {
  /** Base32, to type into an app; shown this once */
  secret: string
  /** otpauth address, for a QR code */
  uri: string
}

/** A part of an agent that was left out, and why */
export interface UnmappedPart {
  /** Place in the file */
  path: string
  /** Text that stands there */
  value: string
  reason: string
}

export interface UpdateAccount {
  name?: string
  /** Language of the web UI; null for that of the browser */
  language?: Language | null
}

export interface UpdateAgent {
  name?: string
  description?: string
  instructions?: string
  model?: string | null
  knowledge_base_ids?: Array<string>
  tools?: Array<'search_knowledge' | 'read_file' | 'list_files' | 'create_file' | 'web_search' | 'fetch_page' | 'run_javascript' | 'ask_person' | 'remember' | 'call_agent'> | null
  visibility?: AgentVisibility
  sub_agent_ids?: Array<string>
  tools_needing_approval?: Array<ToolReference>
  limits?: AgentLimitsInput
  mcp_servers?: Array<GivenMcpServerInput>
  openapi_tools?: Array<GivenOpenApiTools>
  filters?: FileFilterInput | null
}

export interface UpdateAgentLink {
  name?: string
  audience?: AgentLinkAudience
  allowed_origins?: Array<string>
  greeting?: string
  /** Colour of buttons and links, as `#rrggbb`; null: that of Docent */
  color?: string | null
  /** Corner of the website in which the button is */
  position?: 'left' | 'right'
  /** Questions that visitors are offered at the start */
  starter_questions?: Array<string>
  /** Language of the page; null: that of the visitor's browser */
  language?: Language | null
  /** PNG, JPEG or WebP in Base64, at most 200,000 bytes; null: none */
  logo?: string | null
  queries_per_minute?: number
  queries_per_visitor_per_minute?: number
}

/** Fields that are left out stay */
export interface UpdateApiKey {
  name?: string
  expires_at?: string | null
  rate_limit?: KeyRateLimit | null
  /** Takes the place of all that it had */
  scopes?: NewKeyScopes | null
}

/** Fields that are left out stay as they are; metadata is replaced as a whole */
export interface UpdateChat {
  title?: string
  metadata?: ChatMetadata
  /** Moves it into a project, or with null out of its own */
  project_id?: ObjectId | null
  is_archived?: boolean
  is_pinned?: boolean
  /** Shows the newest branch with this message, which the next query continues */
  shown_message_id?: string
}

export interface UpdateEvaluationCase {
  question?: string
  /** Texts of which a right answer has one: a number, a name, a sentence of the document */
  expected_answers?: Array<string>
  /** A good answer, for the judge to compare with */
  reference_answer?: string | null
  expected_files?: Array<FileToExpect>
  tags?: Array<string>
  /** false: the agent should say that it does not know */
  answerable?: boolean
}

export interface UpdateEvaluationSet {
  name?: string
  /** `provider/model` that judges each answer; null: none does */
  judge_model?: string | null
  /** Every night a run begins at this hour, with your rights; null: none does */
  schedule?: {
    hour: number
    /** Default: "UTC" */
    time_zone?: string
    /** Default: [] */
    alerts?: Array<EvaluationAlert>
  } | null
}

export interface UpdateJob {
  name?: string
  instructions?: string
  tools?: Array<ToolReference> | null
  knowledge_base_ids?: Array<string> | null
  filters?: FileFilterInput | null
}

/** group_ids are all groups of the member from then on */
export interface UpdateMember {
  role?: 'owner' | 'admin' | 'member'
  group_ids?: Array<string>
}

export interface UpdateMessage {
  is_pinned?: boolean
}

/** Fields that are left out stay as they are */
export interface UpdateProject {
  name?: string
  /** Instructions to the model in every chat of the project, after those of its agent */
  instructions?: string
  /** Agent that the UI begins new chats of the project with; null: the person chooses */
  agent_id?: string | null
}

export interface UpdateShortcut {
  name?: string
  prompt?: string
  fields?: Array<ShortcutFieldInput>
  job_id?: string | null
}

export interface UpdateWebhookEndpoint {
  /** http or https; events are sent there with POST */
  url?: string
  event_types?: Array<'data_source.indexed' | 'data_source.failed' | 'integration.failed' | 'message.waiting' | 'evaluation.finished' | 'evaluation.regressed'>
  description?: string
  /** false: no event is sent, and what is on its way is given up */
  is_enabled?: boolean
}

/** A file that was sent with a query */
export interface UploadedFile {
  /** As in uploaded_files of the query */
  id: ObjectId
  file_name: string
  media_type: string
  size_bytes: number
}

/** Usage of a day, an agent, a virtual user, a key or a model */
export interface UsageGroup {
  /** By day */
  day?: string
  /** By agent; sub-agents have the tokens that they used. null: sound that was transcribed */
  agent_id?: ObjectId | null
  /** By virtual user; null: of none */
  virtual_user_id?: ObjectId | null
  /** By virtual user */
  email?: string | null
  /** By API key; null: before keys were noted */
  api_key_id?: ObjectId | null
  /** By model */
  model?: string
  /** Name of the agent, the virtual user or the API key */
  name?: string | null
  /** Answered, failed and cancelled, each for the agent that was asked */
  messages: number
  /** Cached ones included */
  input_tokens: number
  cached_input_tokens: number
  /** Reasoning included */
  output_tokens: number
  reasoning_tokens: number
  /** Cost of models with a price; null where none has one */
  cost_usd: number | null
  /** Tokens of models without a price: not in the cost */
  unpriced_tokens: number
  /** Sound that was transcribed: dictation and recordings */
  audio_seconds: number
  /** Sound whose cost is not known: not in the cost */
  unpriced_audio_seconds: number
}

export interface UsageTotal {
  /** Answered, failed and cancelled, each for the agent that was asked */
  messages: number
  /** Cached ones included */
  input_tokens: number
  cached_input_tokens: number
  /** Reasoning included */
  output_tokens: number
  reasoning_tokens: number
  /** Cost of models with a price; null where none has one */
  cost_usd: number | null
  /** Tokens of models without a price: not in the cost */
  unpriced_tokens: number
  /** Sound that was transcribed: dictation and recordings */
  audio_seconds: number
  /** Sound whose cost is not known: not in the cost */
  unpriced_audio_seconds: number
}

export interface UsePasswordLink {
  token: string
  password: string
}

/** A chat with any agent, and when it was last used */
export interface UsedChat {
  id: ObjectId
  title: string
  chat_type: ChatType
  agent_id: ObjectId
  created_at: Timestamp
  metadata: ChatMetadata
  /** Project that it is in; null for none */
  project_id: ObjectId | null
  /** Put away by its owner: the UI lists it apart */
  is_archived: boolean
  /** Kept by its owner above other chats */
  is_pinned: boolean
  /** When the newest message was asked */
  last_message_at: Timestamp | null
  message_count: number
}

/** Opens one virtual user's own chats with certain agents, and nothing else */
export interface UserToken {
  /** Sent like an API key: in x-api-key, or as Authorization: Bearer */
  token: string
  expires_at: Timestamp
  virtual_user_id: ObjectId
}

/** A person on whose behalf an application sends requests */
export interface VirtualUser {
  id: ObjectId
  organization_id: ObjectId
  email: string
  name: string | null
  origin: string | null
  metadata: Record<string, unknown>
  created_at: Timestamp
  updated_at: Timestamp | null
}

/** Folders from which agents find, read, list and cite for a virtual user */
export interface VirtualUserGrants {
  /** Granted folders that are there, by name; null: no grants, so all that the key may read */
  knowledge_base_ids: Array<ObjectId> | null
  /** Their names */
  knowledge_bases: Array<{
    id: ObjectId
    name: string
  }> | null
}

export interface VirtualUserUsage {
  messages: number
  chats: number
  input_tokens: number
  cached_input_tokens: number
  output_tokens: number
  reasoning_tokens: number
  first_message_at: Timestamp | null
  last_message_at: Timestamp | null
}

/** Token and agent that a visitor needs to chat */
export interface Visit {
  /** For `Authorization: Bearer`, until it expires */
  visitor_token: string
  expires_at: Timestamp
  visitor_id: ObjectId
  agent: SharedAgent
}

/** Web search of the agents of a workspace */
export interface WebSearch {
  /** null: none was set up */
  provider: WebSearchSettings | null
}

/** A provider of web search, without its key */
export interface WebSearchSettings {
  /** API that it speaks */
  kind: 'brave' | 'tavily' | 'searxng'
  /** As people know it */
  label: string
  /** null: the vendor's own */
  base_url: string | null
  has_key: boolean
  /** End of the key, such as …a1b2; null: none, or too short */
  key_hint: string | null
  created_at: Timestamp
  updated_at: Timestamp
}

/** Whether a browser is signed in, and as whom */
export interface WebSession {
  /** second_factor: the password was right, and a code or a passkey is to follow within five minutes */
  state: 'signed_in' | 'signed_out' | 'second_factor'
  /** Factors that may follow the password; empty unless the state is second_factor */
  second_factors: Array<'code' | 'passkey'>
  /** For a person: why a session that was there has ended */
  reason: string | null
  /** Null unless signed in */
  identity: Identity | null
  created_at: Timestamp | null
  /** Moves on while the session is used, at most to 30 days */
  expires_at: Timestamp | null
}

export interface WebhookAttempt {
  /** From 1 */
  number: number
  started_at: Timestamp
  duration_ms: number
  /** HTTP status; null where no answer came */
  status: number | null
  /** The first 2 KiB of the answer */
  reply: string | null
  /** Why no answer came */
  error: string | null
}

/** The result of an asynchronous query */
export interface WebhookBody {
  status: 'success' | 'error'
  /** Why it failed; null when it did not */
  error_message: string | null
  data: {
    id: ObjectId
    query: string
    response: string
    chat_id: ObjectId
    agent_id: ObjectId
    created_at: Timestamp
    updated_at: Timestamp
    message_type: string
    is_pinned: boolean
    downloadable_output?: Record<string, string>
    reasoning: string
    quick_action_id: ObjectId | null
    quick_action_fields_with_values: Array<{
      field_name: string
      field_value: string | number
    }>
    citations: Array<Citation>
  }
}

/** An event that has just happened, or the result of an asynchronous query */
export interface WebhookDelivered {
  type: 'delivery'
  /** webhook-id, webhook-timestamp and webhook-signature, with the secret of the workspace */
  headers: Record<string, string>
  /** JSON of the event, as an endpoint is sent it, or of a result, as its webhook_url is sent it */
  body: string
}

/** The result of an async query on its way to its webhook */
export interface WebhookDelivery {
  /** The webhook-id of every attempt */
  id: ObjectId
  message_id: ObjectId
  url: string
  status: WebhookDeliveryStatus
  attempt_count: number
  /** Why the last attempt, or the delivery, failed */
  error_message: string | null
  next_attempt_at: Timestamp | null
  delivered_at: Timestamp | null
  created_at: Timestamp
  updated_at: Timestamp
}

/** waiting: the message is being answered; pending: to be delivered, at once or at next_attempt_at; delivered; failed: given up, until it is asked for again */
export type WebhookDeliveryStatus = 'waiting' | 'pending' | 'delivered' | 'failed'

/** URL to which a workspace has its events sent */
export interface WebhookEndpoint {
  id: ObjectId
  url: string
  description: string
  event_types: Array<'data_source.indexed' | 'data_source.failed' | 'integration.failed' | 'message.waiting' | 'evaluation.finished' | 'evaluation.regressed'>
  is_enabled: boolean
  disabled_at: Timestamp | null
  /** failing: nothing arrived for three days; gone: it answered 410; asked: somebody switched it off */
  disabled_reason: 'asked' | 'failing' | 'gone' | null
  /** Since when no attempt has arrived; null while they do */
  failing_since: Timestamp | null
  /** Until when the secret before signs along */
  old_secret_until: Timestamp | null
  created_at: Timestamp
  updated_at: Timestamp
}

/** An endpoint with its new secret */
export interface WebhookEndpointWithSecret {
  id: ObjectId
  url: string
  description: string
  event_types: Array<'data_source.indexed' | 'data_source.failed' | 'integration.failed' | 'message.waiting' | 'evaluation.finished' | 'evaluation.regressed'>
  is_enabled: boolean
  disabled_at: Timestamp | null
  /** failing: nothing arrived for three days; gone: it answered 410; asked: somebody switched it off */
  disabled_reason: 'asked' | 'failing' | 'gone' | null
  /** Since when no attempt has arrived; null while they do */
  failing_since: Timestamp | null
  /** Until when the secret before signs along */
  old_secret_until: Timestamp | null
  created_at: Timestamp
  updated_at: Timestamp
  /** Signs the deliveries; it is not shown again */
  secret: string
}

/** An event on its way to an endpoint */
export interface WebhookEventDelivery {
  /** The webhook-id of every attempt */
  id: ObjectId
  endpoint_id: ObjectId
  event_type: string
  status: WebhookDeliveryStatus
  attempt_count: number
  /** Why the last attempt, or the delivery, failed */
  error_message: string | null
  next_attempt_at: Timestamp | null
  delivered_at: Timestamp | null
  created_at: Timestamp
  updated_at: Timestamp
}

export type WebhookListenEvent = WebhookPing | WebhookDelivered

/** The first of all, and then every 5 s */
export interface WebhookPing {
  type: 'ping'
}

export interface WebhookSecret {
  /** whsec_ and base64, as the Standard Webhooks specification has it */
  secret: string
  created_at: Timestamp
  /** Earlier secrets that still sign along, newest first */
  previous: Array<{
    created_at: Timestamp
    expires_at: Timestamp
  }>
}

/** Somebody asked for a test of the endpoint */
export interface WebhookTestEvent {
  type: 'webhook.test'
  /** When it happened */
  timestamp: Timestamp
  /** Workspace of the endpoint */
  workspace_id: ObjectId
  data: {
    endpoint_id: ObjectId
  }
}

/** Parameters, body and response of each operation, by its operation id. */
export interface Operations {
  /** Make a personal API key for this workspace, with the rights of the member; it is shown this once */
  'account.apiKeys.create': {
    body: CreatePersonalKey
    reply: {
      data: CreatedApiKey
    }
  }
  /** The personal API keys that one has in this workspace, newest first */
  'account.apiKeys.list': {
    reply: {
      data: {
        api_keys: Array<ApiKey>
      }
    }
  }
  /** Revoke a personal API key; it stops working within 5 seconds */
  'account.apiKeys.revoke': {
    path: {
      key_id: string
    }
    reply: {
      data: {
        deleted: true
      }
    }
  }
  /** Give a personal API key a new secret; the earlier one works for some time beside it */
  'account.apiKeys.rotate': {
    path: {
      key_id: string
    }
    body: RotateApiKey
    reply: {
      data: CreatedApiKey
    }
  }
  /** Show what an app asks for that sent the browser to the consent page */
  'account.apps.check': {
    body: CheckAppRequest
    reply: {
      data: AppRequest
    }
  }
  /** Show which program without a browser waits for a code that it shows */
  'account.apps.checkDevice': {
    body: CheckDevice
    reply: {
      data: DeviceRequest
    }
  }
  /** Let an app act for oneself in this workspace, or refuse it */
  'account.apps.decide': {
    body: DecideAppRequest
    reply: {
      data: AppDecision
    }
  }
  /** Let a program without a browser act for oneself in this workspace, or refuse it */
  'account.apps.decideDevice': {
    body: DecideDevice
    reply: {
      data: DeviceDecision
    }
  }
  /** Apps that act for oneself in this workspace, newest first */
  'account.apps.list': {
    reply: {
      data: {
        apps: Array<ConnectedApp>
      }
    }
  }
  /** Disconnect an app; its tokens stop working within 5 seconds */
  'account.apps.revoke': {
    path: {
      app_id: ObjectId
    }
    reply: {
      data: {
        deleted: true
      }
    }
  }
  /** Change the password; all other sessions of the account end */
  'account.changePassword': {
    body: ChangePassword
    reply: {
      data: WebSession
    }
  }
  /** Go on in another workspace of the account; the cookie changes with it */
  'account.chooseWorkspace': {
    body: ChooseWorkspace
    reply: {
      data: WebSession
    }
  }
  /** Delete the account with its memberships, keys and sessions; what it made in workspaces stays */
  'account.delete': {
    body: DeleteAccount
    reply: {
      data: WebSession
    }
  }
  /** The account that is signed in, with its workspaces */
  'account.get': {
    reply: {
      data: Account
    }
  }
  /** Sign in with this provider no more; refused for the only way into an account without a password */
  'account.identities.unlink': {
    path: {
      identity_id: string
    }
    reply: {
      data: {
        deleted: true
      }
    }
  }
  /** Use an invitation with the account that is signed in, and go on in its workspace */
  'account.join': {
    body: JoinWorkspace
    reply: {
      data: WebSession
    }
  }
  /** Add the passkey; if it is the first second factor, all other sessions of the account end */
  'account.passkeys.add': {
    body: AddPasskey
    reply: {
      data: Passkey
    }
  }
  /** Begin to add a passkey; the answer sets a cookie that the end needs */
  'account.passkeys.begin': {
    body: PasskeyProof
    reply: {
      data: {
        /** PublicKeyCredentialCreationOptionsJSON of WebAuthn, for this browser within five minutes */
        options: Record<string, unknown>
      }
    }
  }
  /** Make a challenge for a passkey of the account, as proof for a change of its passkeys */
  'account.passkeys.challenge': {
    reply: {
      data: {
        /** PublicKeyCredentialRequestOptionsJSON of WebAuthn, for this browser within five minutes */
        options: Record<string, unknown>
      }
    }
  }
  /** Remove a passkey; refused for the only way into an account without a password */
  'account.passkeys.remove': {
    path: {
      passkey_id: string
    }
    body: PasskeyProof
    reply: {
      data: {
        deleted: true
      }
    }
  }
  /** Give a passkey another name */
  'account.passkeys.update': {
    path: {
      passkey_id: string
    }
    body: RenamePasskey
    reply: {
      data: Passkey
    }
  }
  /** Remove the picture; initials stand in its place */
  'account.picture.remove': {
    reply: {
      data: {
        deleted: true
      }
    }
  }
  /** Set the picture that others of the workspaces see */
  'account.picture.set': {
    body: SetPicture
    reply: {
      data: {
        updated: true
      }
    }
  }
  /** Sign one browser out */
  'account.sessions.end': {
    path: {
      session_id: string
    }
    reply: {
      data: {
        deleted: true
      }
    }
  }
  /** Sign all other browsers out */
  'account.sessions.endOthers': {
    reply: {
      data: {
        deleted: true
      }
    }
  }
  /** Browsers that are signed in to the account, the last used first */
  'account.sessions.list': {
    reply: {
      data: {
        sessions: Array<AccountSession>
      }
    }
  }
  /** Make the secret of an authenticator app; it counts once a code was confirmed */
  'account.twoFactor.begin': {
    body: BeginTwoFactor
    reply: {
      data: TwoFactorSecret
    }
  }
  /** Turn the second factor on with a code of the app; all other sessions of the account end */
  'account.twoFactor.confirm': {
    body: ConfirmTwoFactor
    reply: {
      data: RecoveryCodes
    }
  }
  /** Turn the second factor off, with a code of the app or a recovery code */
  'account.twoFactor.remove': {
    body: ProveTwoFactor
    reply: {
      data: {
        deleted: true
      }
    }
  }
  /** Make ten other recovery codes; the ones until now end */
  'account.twoFactor.renewRecoveryCodes': {
    body: ProveTwoFactor
    reply: {
      data: RecoveryCodes
    }
  }
  /** Change the name or the language of the account */
  'account.update': {
    body: UpdateAccount
    reply: {
      data: Account
    }
  }
  /** Create an agent */
  'agents.create': {
    body: CreateAgent
    reply: {
      data: Agent
    }
  }
  /** Delete an agent; its chats are out of reach from then on */
  'agents.delete': {
    path: {
      agent_id: string
    }
    reply: {
      data: {
        deleted: true
      }
    }
  }
  /** Get an agent as a file: with its jobs and shortcuts, folders by path, without ids and secrets */
  'agents.export': {
    path: {
      agent_id: string
    }
    query: {
      /** skills: each job as a folder in the Agent Skills format. Default: "fields" */
      jobs?: 'fields' | 'skills'
    }
    reply: {
      data: {
        agent: AgentFile
        unmapped: Array<UnmappedPart>
      }
    }
  }
  /** Get an agent */
  'agents.get': {
    path: {
      agent_id: string
    }
    reply: {
      data: Agent
    }
  }
  /** Show who may use and change the agent, and who sees its threads */
  'agents.grants.get': {
    path: {
      agent_id: string
    }
    reply: {
      data: AgentGrants
    }
  }
  /** Say who may use and change the agent, and who sees its threads */
  'agents.grants.set': {
    path: {
      agent_id: string
    }
    body: SetAgentGrants
    reply: {
      data: AgentGrants
    }
  }
  /** Make an agent of a file, or make one like a file; what could not be mapped is named */
  'agents.import': {
    body: ImportAgent
    reply: {
      data: ImportedAgent
    }
  }
  /** Give an agent a job */
  'agents.jobs.create': {
    path: {
      agent_id: string
    }
    body: CreateJob
    reply: {
      data: Job
    }
  }
  /** Delete a job; shortcuts that used it go on without one */
  'agents.jobs.delete': {
    path: {
      agent_id: string
      job_id: string
    }
    reply: {
      data: {
        deleted: true
      }
    }
  }
  /** Get a job */
  'agents.jobs.get': {
    path: {
      agent_id: string
      job_id: string
    }
    reply: {
      data: Job
    }
  }
  /** List the jobs of an agent, newest first */
  'agents.jobs.list': {
    path: {
      agent_id: string
    }
    query: {
      /** Default: 1 */
      page?: number
      /** Default: 50 */
      page_size?: number
    }
    reply: {
      data: {
        jobs: Array<Job>
        total: number
        page: number
        page_size: number
        has_more: boolean
      }
    }
  }
  /** Change a job; what is left out stays */
  'agents.jobs.update': {
    path: {
      agent_id: string
      job_id: string
    }
    body: UpdateJob
    reply: {
      data: Job
    }
  }
  /** Make a link through which people chat with the agent without a key */
  'agents.links.create': {
    path: {
      agent_id: string
    }
    body: CreateAgentLink
    reply: {
      data: AgentLink
    }
  }
  /** Delete a link; its visitors are out within seconds, and their chats stay */
  'agents.links.delete': {
    path: {
      agent_id: string
      link_id: string
    }
    reply: {
      data: {
        deleted: true
      }
    }
  }
  /** Get a link of an agent */
  'agents.links.get': {
    path: {
      agent_id: string
      link_id: string
    }
    reply: {
      data: AgentLink
    }
  }
  /** List the links of an agent, newest first */
  'agents.links.list': {
    path: {
      agent_id: string
    }
    query: {
      /** Default: 1 */
      page?: number
      /** Default: 50 */
      page_size?: number
    }
    reply: {
      data: {
        links: Array<AgentLink>
        total: number
        page: number
        page_size: number
        has_more: boolean
      }
    }
  }
  /** Change a link; what is left out stays */
  'agents.links.update': {
    path: {
      agent_id: string
      link_id: string
    }
    body: UpdateAgentLink
    reply: {
      data: AgentLink
    }
  }
  /** List agents, newest first */
  'agents.list': {
    query: {
      /** Default: 1 */
      page?: number
      /** Default: 50 */
      page_size?: number
      search?: string
    }
    reply: {
      data: {
        agents: Array<Agent>
        total: number
        page: number
        page_size: number
        has_more: boolean
      }
    }
  }
  /** Look whether an MCP server can be reached, and which tools it offers */
  'agents.mcpServers.check': {
    path: {
      agent_id: string
    }
    body: CheckMcpServer
    reply: {
      data: McpCheck
    }
  }
  /** Begin the login at an MCP server that asks for one */
  'agents.mcpServers.connect': {
    path: {
      agent_id: string
    }
    body: McpServerUrl
    reply: {
      data: {
        /** Page of the authorization server to send the person to */
        authorization_url: string
      }
    }
  }
  /** Log an agent out at an MCP server, and forget its tokens */
  'agents.mcpServers.disconnect': {
    path: {
      agent_id: string
    }
    body: McpServerUrl
    reply: {
      data: {
        deleted: true
      }
    }
  }
  /** Finish the login at an MCP server, with the session or key that began it */
  'agents.mcpServers.finishConnect': {
    path: {
      agent_id: string
    }
    body: FinishMcpLogin
    reply: {
      data: {
        /** URL of the server */
        url: string
        connection: McpConnection
      }
    }
  }
  /** Get the model that an agent answers with, and what it can do */
  'agents.model.get': {
    path: {
      agent_id: string
    }
    reply: {
      data: AgentModel
    }
  }
  /** Look whether an OpenAPI document can be used, and which operations it describes */
  'agents.openApiTools.check': {
    path: {
      agent_id: string
    }
    body: {
      /** One of the APIs that the agent has */
      name?: string
      source?: GivenOpenApiTools
    }
    reply: {
      data: OpenApiCheck
    }
  }
  /** Give an agent a shortcut */
  'agents.shortcuts.create': {
    path: {
      agent_id: string
    }
    body: CreateShortcut
    reply: {
      data: Shortcut
    }
  }
  /** Delete a shortcut */
  'agents.shortcuts.delete': {
    path: {
      agent_id: string
      shortcut_id: string
    }
    reply: {
      data: {
        deleted: true
      }
    }
  }
  /** Get a shortcut */
  'agents.shortcuts.get': {
    path: {
      agent_id: string
      shortcut_id: string
    }
    reply: {
      data: Shortcut
    }
  }
  /** List the shortcuts of an agent, newest first */
  'agents.shortcuts.list': {
    path: {
      agent_id: string
    }
    query: {
      /** Default: 1 */
      page?: number
      /** Default: 50 */
      page_size?: number
    }
    reply: {
      data: {
        shortcuts: Array<Shortcut>
        total: number
        page: number
        page_size: number
        has_more: boolean
      }
    }
  }
  /** Change a shortcut; what is left out stays */
  'agents.shortcuts.update': {
    path: {
      agent_id: string
      shortcut_id: string
    }
    body: UpdateShortcut
    reply: {
      data: Shortcut
    }
  }
  /** Change an agent; what is left out stays */
  'agents.update': {
    path: {
      agent_id: string
    }
    body: UpdateAgent
    reply: {
      data: Agent
    }
  }
  /** Make an API key; it is shown this once */
  'apiKeys.create': {
    path: {
      workspace_id: string
    }
    body: CreateApiKey
    reply: {
      data: CreatedApiKey
    }
  }
  /** List the API keys of a workspace, newest first */
  'apiKeys.list': {
    path: {
      workspace_id: string
    }
    query: {
      /** Default: 1 */
      page?: number
      /** Default: 50 */
      page_size?: number
    }
    reply: {
      data: {
        api_keys: Array<ApiKey>
        total: number
        page: number
        page_size: number
        has_more: boolean
      }
    }
  }
  /** Revoke an API key; it stops working within 5 seconds */
  'apiKeys.revoke': {
    path: {
      workspace_id: string
      key_id: string
    }
    reply: {
      data: {
        deleted: true
      }
    }
  }
  /** Give an API key a new secret; the earlier one works for some time beside it */
  'apiKeys.rotate': {
    path: {
      workspace_id: string
      key_id: string
    }
    body: RotateApiKey
    reply: {
      data: CreatedApiKey
    }
  }
  /** Change the name, the expiry, the rate limit or the scopes of an API key */
  'apiKeys.update': {
    path: {
      workspace_id: string
      key_id: string
    }
    body: UpdateApiKey
    reply: {
      data: ApiKey
    }
  }
  /** List what was done in the workspace, and in what its organization shares, newest first */
  'auditLog.list': {
    path: {
      workspace_id: string
    }
    query: {
      /** Default: 1 */
      page?: number
      /** Default: 50 */
      page_size?: number
      action?: 'organization.created' | 'workspace.created' | 'workspace.origins_changed' | 'workspace.second_factor_changed' | 'api_key.created' | 'api_key.revoked' | 'api_key.rotated' | 'api_key.updated' | 'app.connected' | 'app.disconnected' | 'scim_token.created' | 'scim_token.revoked' | 'sign_in_provider.created' | 'sign_in_provider.updated' | 'sign_in_provider.deleted' | 'model_provider.created' | 'model_provider.updated' | 'model_provider.deleted' | 'workspace.models_changed' | 'workspace.web_search_changed' | 'workspace.source_app_changed' | 'workspace.search_index_changed' | 'workspace.search_index_cancelled' | 'member.joined' | 'member.updated' | 'member.removed' | 'member.password_changed' | 'member.provider_linked' | 'member.provider_unlinked' | 'member.two_factor_on' | 'member.two_factor_off' | 'member.recovery_code_used' | 'member.recovery_codes_made' | 'member.passkey_added' | 'member.passkey_removed' | 'password_link.created' | 'invitation.created' | 'invitation.revoked' | 'group.created' | 'group.updated' | 'group.deleted' | 'webhook_secret.rotated' | 'webhook_endpoint.created' | 'webhook_endpoint.updated' | 'webhook_endpoint.rotated' | 'webhook_endpoint.disabled' | 'webhook_endpoint.deleted' | 'agent.created' | 'agent.updated' | 'agent.visibility_changed' | 'agent.deleted' | 'agent.access_changed' | 'agent.mcp_connected' | 'agent.mcp_disconnected' | 'job.created' | 'job.updated' | 'job.deleted' | 'shortcut.created' | 'shortcut.updated' | 'shortcut.deleted' | 'evaluation_set.created' | 'evaluation_set.updated' | 'evaluation_set.deleted' | 'evaluation_run.started' | 'evaluation_run.cancelled' | 'agent_link.created' | 'agent_link.updated' | 'agent_link.deleted' | 'knowledge_base.created' | 'knowledge_base.updated' | 'knowledge_base.deleted' | 'knowledge_base.access_changed' | 'knowledge_base.shared' | 'knowledge_base.unshared' | 'data_source.replaced' | 'data_source.restored' | 'data_source.passages_changed' | 'data_source.readers_changed' | 'project.created' | 'project.updated' | 'project.deleted' | 'chat.shared' | 'chat.unshared' | 'integration.created' | 'integration.updated' | 'integration.deleted' | 'virtual_user.deleted' | 'virtual_user.erased' | 'virtual_user.merged' | 'virtual_user.exported' | 'virtual_user.grants_changed' | 'quota.updated' | 'review.decided' | 'tasks.retried' | 'data.backed_up' | 'data.mended' | 'data.moved' | 'data.restored'
      /** The id of an API key, or operator */
      actor?: 'operator' | string
      /** Entries of a member, signed in and with personal keys; also of one who was removed */
      member_id?: string
      target_type?: 'organization' | 'workspace' | 'api_key' | 'app' | 'scim_token' | 'sign_in_provider' | 'model_provider' | 'member' | 'invitation' | 'group' | 'webhook_secret' | 'webhook_endpoint' | 'agent' | 'job' | 'shortcut' | 'evaluation_set' | 'evaluation_run' | 'agent_link' | 'knowledge_base' | 'data_source' | 'project' | 'chat' | 'integration' | 'virtual_user' | 'message'
      target_id?: string
      /** This time, or the begin of this day (UTC), and later */
      from?: string
      /** Before this time, or before the begin of this day (UTC) */
      to?: string
    }
    reply: {
      data: {
        entries: Array<AuditEntry>
        total: number
        page: number
        page_size: number
        has_more: boolean
      }
    }
  }
  /** List the origins whose pages may call with the token of a virtual user */
  'browserOrigins.get': {
    path: {
      workspace_id: string
    }
    reply: {
      data: {
        origins: Array<string>
      }
    }
  }
  /** Set the origins whose pages may call with the token of a virtual user */
  'browserOrigins.put': {
    path: {
      workspace_id: string
    }
    body: BrowserOrigins
    reply: {
      data: {
        origins: Array<string>
      }
    }
  }
  /** Archive, pin or delete up to 100 chats at once */
  'chats.changeMany': {
    body: ChangeChats
    reply: {
      data: {
        changed_ids: Array<ObjectId>
        /** Ids of chats that are not there, or that are not to be changed by the caller */
        missing_ids: Array<string>
      }
    }
  }
  /** Create a chat with an agent */
  'chats.create': {
    path: {
      agent_id: string
    }
    body: CreateChat
    reply: {
      data: {
        chat: NewChat
      }
    }
  }
  /** Delete a chat with its messages; what runs in it is cancelled */
  'chats.delete': {
    path: {
      agent_id: string
      chat_id: string
    }
    reply: {
      data: {
        deleted: true
      }
    }
  }
  /** Download a chat as Markdown, PDF or JSON */
  'chats.export': {
    path: {
      agent_id: string
      chat_id: string
    }
    query: {
      /** md and pdf: a document to read; json: the chat with its messages, as this API has them */
      format: 'md' | 'pdf' | 'json'
    }
    reply: Blob
  }
  /** Get a chat */
  'chats.get': {
    path: {
      agent_id: string
      chat_id: string
    }
    reply: {
      data: Chat
    }
  }
  /** List the chats of an agent, by default newest first, with what became of them */
  'chats.list': {
    path: {
      agent_id: string
    }
    query: {
      /** Default: 1 */
      page?: number
      /** Default: 50 */
      page_size?: number
      chat_type?: ChatType
      /** Chats in which this person asked something */
      virtual_user_email?: string
      /** Case-insensitive substring of the title */
      search?: string
      project_id?: ObjectId
      /** true: only archived chats; false: only the others */
      archived?: boolean
      /** true: only pinned chats; false: only the others */
      pinned?: boolean
      /** own: what stands in a member's own list; all: also what they may see of others. Default: "all" */
      scope?: 'own' | 'all'
      /** Chats with a message that is being answered, waits for a review, or failed */
      status?: 'in_progress' | 'waiting' | 'failed'
      /** Chats with an answer that was rated so */
      feedback?: 'up' | 'down'
      /** Created at this time, or on this day (UTC), or later */
      from?: string
      /** Created before this time, or before this day (UTC) */
      to?: string
      /** Default: created_at; is_pinned: pinned ones first, then by creation */
      sort?: 'created_at' | 'last_message_at' | 'total_tokens' | 'title' | 'is_pinned'
      /** Default: desc */
      order?: 'asc' | 'desc'
    }
    reply: {
      data: {
        chats: Array<Thread>
        total: number
        page: number
        page_size: number
        has_more: boolean
      }
    }
  }
  /** List own chats with all agents, the last used first */
  'chats.listOwn': {
    query: {
      /** Default: 1 */
      page?: number
      /** Default: 50 */
      page_size?: number
      /** true: only archived chats; false: only the others */
      archived?: boolean
      /** true: only pinned chats; false: only the others */
      pinned?: boolean
      chat_type?: ChatType
      /** Case-insensitive substring of the title */
      search?: string
    }
    reply: {
      data: {
        chats: Array<UsedChat>
        total: number
        page: number
        page_size: number
        has_more: boolean
      }
    }
  }
  /** List chats that the caller shared, the newest share first */
  'chats.listShared': {
    query: {
      /** Default: 1 */
      page?: number
      /** Default: 50 */
      page_size?: number
      chat_id?: ObjectId
    }
    reply: {
      data: {
        shares: Array<ChatShare>
        total: number
        page: number
        page_size: number
        has_more: boolean
      }
    }
  }
  /** Ask the agent; the answer comes whole, or as Server-Sent Events with is_stream */
  'chats.queries.create': {
    path: {
      agent_id: string
      chat_id: string
    }
    body: SendQuery
    reply: {
      data: {
        /** The answer; of a message that waits, what it said and what is asked */
        text: string
        message_id: ObjectId
        ai_resolution_status?: 'waiting'
        review?: Review
      }
    } | StreamEvent
  }
  /** Ask the agent; the answer is sent to a webhook */
  'chats.queries.createAsync': {
    path: {
      agent_id: string
      chat_id: string
    }
    body: SendAsyncQuery
    reply: {
      data: {
        message_id: ObjectId
      }
    }
  }
  /** Read a chat that a member of the workspace shared, oldest message first */
  'chats.readShared': {
    path: {
      shared_chat_id: string
    }
    query: {
      /** Default: 1 */
      page?: number
      /** Default: 50 */
      page_size?: number
    }
    reply: {
      data: {
        messages: Array<SharedMessage>
        total: number
        page: number
        page_size: number
        has_more: boolean
        title: string
        agent_name: string
        /** Name of the member who shared it */
        shared_by: string
        /** Whether the caller shared it */
        is_own: boolean
        agent_id: ObjectId
        chat_id: ObjectId
        follows: boolean
        created_at: Timestamp
        updated_at: Timestamp
      }
    }
  }
  /** Find messages in the caller's own chats, newest chats first */
  'chats.search': {
    query: {
      /** Words or parts of words, at most eight; a message that is found holds all of them */
      query: string
      /** Default: 20 */
      limit?: number
    }
    reply: {
      data: {
        messages: Array<FoundMessage>
        /** false: there may be more in older chats than the limit, or what is looked through, let in */
        is_complete: boolean
      }
    }
  }
  /** Share an own chat with the workspace by a link, or change what is shown of it */
  'chats.share': {
    path: {
      agent_id: string
      chat_id: string
    }
    body: ShareChat
    reply: {
      data: ChatShare
    }
  }
  /** Stop sharing a chat: its link leads nowhere from then on */
  'chats.unshare': {
    path: {
      shared_chat_id: string
    }
    reply: {
      data: {
        deleted: true
      }
    }
  }
  /** Rename, archive or pin a chat, replace its metadata, move it to a project, or show another branch */
  'chats.update': {
    path: {
      agent_id: string
      chat_id: string
    }
    body: UpdateChat
    reply: {
      data: Chat
    }
  }
  /** Add an uploaded file to a folder */
  'dataSources.addDocument': {
    path: {
      /** Id of the folder */
      knowledge_base_id: string
    }
    body: {
      /** As returned by the upload */
      file_id: string
      data_source_title: string
      metadata?: FileMetadata
      /** Makes a folder of a ZIP archive, named like it: its files and folders, in the background. The archive goes when all of it is there; where entries had to be left out it stays, failed, and status_reason names them. Default: false */
      unpack?: boolean
      /** false leaves the file pending. Default: true */
      trigger_indexing?: boolean
    }
    reply: {
      status: 'success'
      data: AddedDataSource
    }
  }
  /** End the indexing of files that wait for it or are being read; other ids are skipped */
  'dataSources.cancelIndexing': {
    path: {
      /** Id of the folder */
      knowledge_base_id: string
    }
    query: {
      data_source_id: string
    }
    reply: {
      status: 'success'
      message: string
      data: {
        data_sources: Array<DataSource>
      }
    }
  }
  /** Set and remove keys of the metadata of many files; unknown ids are skipped */
  'dataSources.changeMetadata': {
    path: {
      /** Id of the folder */
      knowledge_base_id: string
    }
    body: ChangeMetadata
    reply: {
      status: 'success'
      message: string
    }
  }
  /** Read the bytes of a file, or a part of them */
  'dataSources.content': {
    path: {
      /** Id of the folder */
      knowledge_base_id: string
      data_source_id: string
    }
    reply: Blob
  }
  /** Delete files of a folder; unknown ids are skipped */
  'dataSources.delete': {
    path: {
      /** Id of the folder */
      knowledge_base_id: string
    }
    query: {
      data_source_id: string
    }
    reply: {
      status: 'success'
      message: string
    }
  }
  /** Download files of a folder as a ZIP archive; unknown ids are skipped */
  'dataSources.download': {
    path: {
      /** Id of the folder */
      knowledge_base_id: string
    }
    query: {
      data_source_id: string
    }
    reply: Blob
  }
  /** Get a file of a folder */
  'dataSources.get': {
    path: {
      /** Id of the folder */
      knowledge_base_id: string
      data_source_id: string
    }
    reply: {
      status: 'success'
      data: DataSourceDetail
    }
  }
  /** Index files, or index them again; unknown ids are skipped */
  'dataSources.index': {
    path: {
      /** Id of the folder */
      knowledge_base_id: string
    }
    query: {
      data_source_id: string
    }
    reply: {
      status: 'success'
      message: string
      data: {
        data_sources: Array<DataSource>
      }
    }
  }
  /** List the files of a folder, by default newest first, or all files and folders below it */
  'dataSources.list': {
    path: {
      /** Id of the folder */
      knowledge_base_id: string
    }
    query: {
      /** Default: 0 */
      page?: number
      /** Default: 20 */
      page_size?: number
      /** Default: false */
      recursive?: boolean
      search_str?: string
      /** A FileFilter as JSON, for instance {"all":[{"key":"year","op":"gte","value":2025}]} */
      filters?: string
      /** Default: "created_at" */
      order_by?: 'created_at' | 'title' | 'size_bytes'
      /** By default titles begin with A, dates and sizes with the newest and largest */
      order?: 'asc' | 'desc'
    }
    reply: {
      status: 'success'
      data: {
        data_sources: Array<DataSource | SubFolder>
        data_sources_count: {
          total: number
          successful: number
        }
        folder_info: {
          id: ObjectId
          name: string
          is_root: boolean
          parent_kb_id: ObjectId | null
        }
        query_info: {
          recursive: boolean
          folders_queried: number
        }
      }
    }
  }
  /** Get a file by its id alone, with the folder that it is in now */
  'dataSources.locate': {
    path: {
      data_source_id: string
    }
    reply: {
      status: 'success'
      data: DataSourceDetail
    }
  }
  /** Edit a passage of a file, switch it off, or add one after it */
  'dataSources.passageEdits.create': {
    path: {
      /** Id of the folder */
      knowledge_base_id: string
      data_source_id: string
    }
    body: ChangePassage
    reply: {
      status: 'success'
      data: PassageEdit | null
    }
  }
  /** List the changes of a file’s passages by hand */
  'dataSources.passageEdits.list': {
    path: {
      /** Id of the folder */
      knowledge_base_id: string
      data_source_id: string
    }
    reply: {
      data: {
        passage_edits: Array<PassageEdit>
      }
    }
  }
  /** Take a change of a passage back: it is again as it was read */
  'dataSources.passageEdits.undo': {
    path: {
      /** Id of the folder */
      knowledge_base_id: string
      data_source_id: string
      passage_edit_id: string
    }
    reply: {
      status: 'success'
    }
  }
  /** Make, replace and delete up to 1,000 files by ids of another system, with a result for each */
  'dataSources.pushed.batch': {
    path: {
      /** Id of the folder */
      knowledge_base_id: string
    }
    body: PushFiles
    reply: {
      data: {
        /** One for each item, in their order */
        items: Array<{
          external_id: string
          /** null: it failed */
          outcome: 'created' | 'replaced' | 'updated' | 'unchanged' | 'deleted' | null
          data_source_id: ObjectId | null
          error: {
            error_code: string
            message: string
          } | null
        }>
      }
    }
  }
  /** Delete the file with an id of another system; one that is not there is no error */
  'dataSources.pushed.delete': {
    path: {
      /** Id of the folder */
      knowledge_base_id: string
      /** Id that the other system gives the file; in a path it is written with percent signs */
      external_id: string
    }
    query: {
      /** When the file changed in the other system; an older version than the last one is refused */
      updated_at?: string
    }
    reply: {
      status: 'success'
      message: string
    }
  }
  /** Get the file with an id of another system */
  'dataSources.pushed.get': {
    path: {
      /** Id of the folder */
      knowledge_base_id: string
      /** Id that the other system gives the file; in a path it is written with percent signs */
      external_id: string
    }
    reply: {
      status: 'success'
      data: PushedDataSource
    }
  }
  /** Make or replace the file with an id of another system; the same again changes nothing */
  'dataSources.pushed.put': {
    path: {
      /** Id of the folder */
      knowledge_base_id: string
      /** Id that the other system gives the file; in a path it is written with percent signs */
      external_id: string
    }
    body: PushFile
    reply: {
      status: 'success'
      /** replaced: it has other content now; updated: another title, other metadata or other readers; unchanged: it was so */
      outcome: 'created' | 'replaced' | 'updated' | 'unchanged' | 'deleted'
      data: PushedDataSource
    }
  }
  /** Read a file as it is searched: its passages in order, with their places */
  'dataSources.readText': {
    path: {
      /** Id of the folder */
      knowledge_base_id: string
      data_source_id: string
    }
    query: {
      /** Place of the first passage. Default: 0 */
      start?: number
      /** Default: 50 */
      limit?: number
      /** Only what stands on this page or slide; 0 for all. Default: 0 */
      page?: number
      /** Begin at the first passage that holds these words; `start` counts if there is none */
      find?: string
      /** How many passages before the one that `find` finds. Default: 0 */
      before?: number
    }
    reply: {
      data: {
        title: string
        passages: Array<Passage>
        /** Passages of the whole file */
        total: number
        /** `start` of the next page */
        next: number | null
        /** Place of the passage that `find` found */
        found: number | null
      }
    }
  }
  /** Tell who of those who may read its folder may read a file */
  'dataSources.readers.get': {
    path: {
      /** Id of the folder */
      knowledge_base_id: string
      data_source_id: string
    }
    reply: {
      data: ShownReaders
    }
  }
  /** Say who of those who may read its folder may read a file; it counts at once */
  'dataSources.readers.set': {
    path: {
      /** Id of the folder */
      knowledge_base_id: string
      data_source_id: string
    }
    body: SetFileReaders
    reply: {
      data: ShownReaders
    }
  }
  /** Give a file other content; it keeps its id, and what it had becomes an earlier version */
  'dataSources.replaceContent': {
    path: {
      /** Id of the folder */
      knowledge_base_id: string
      data_source_id: string
    }
    body: ReplaceContent
    reply: {
      status: 'success'
      data: DataSourceDetail
    }
  }
  /** Rename a file, move it to another folder or set its metadata */
  'dataSources.update': {
    path: {
      /** Id of the folder */
      knowledge_base_id: string
      data_source_id: string
    }
    body: {
      data_source_title?: string
      metadata?: FileMetadata
      /** Moves the file to this folder */
      knowledge_base_id?: string
    }
    reply: {
      status: 'success'
      data: DataSourceDetail
    }
  }
  /** Read the bytes of a version of a file, or a part of them */
  'dataSources.versions.content': {
    path: {
      /** Id of the folder */
      knowledge_base_id: string
      data_source_id: string
      /** Number of the version */
      version: string
    }
    reply: Blob
  }
  /** List the contents that a file has and had, as far as they are kept */
  'dataSources.versions.list': {
    path: {
      /** Id of the folder */
      knowledge_base_id: string
      data_source_id: string
    }
    reply: {
      data: {
        /** The newest first */
        versions: Array<FileVersion>
      }
    }
  }
  /** Give a file the content of an earlier version again, as a new version */
  'dataSources.versions.restore': {
    path: {
      /** Id of the folder */
      knowledge_base_id: string
      data_source_id: string
      /** Number of the version */
      version: string
    }
    reply: {
      status: 'success'
      data: DataSourceDetail
    }
  }
  /** Look for damage in the database, the stored files and the search index */
  'doctor.examine': {
    reply: {
      data: Diagnosis
    }
  }
  /** Add cases to a question set: given, of a table, of rated answers, or made from documents */
  'evaluation.cases.add': {
    path: {
      agent_id: string
      evaluation_set_id: string
    }
    body: AddEvaluationCases
    reply: {
      data: {
        added: number
        /** Questions that the set has already */
        left_out: number
      }
    }
  }
  /** Delete a case; runs that asked it keep their results */
  'evaluation.cases.delete': {
    path: {
      agent_id: string
      evaluation_set_id: string
      evaluation_case_id: string
    }
    reply: {
      data: {
        deleted: true
      }
    }
  }
  /** List the cases of a question set, oldest first */
  'evaluation.cases.list': {
    path: {
      agent_id: string
      evaluation_set_id: string
    }
    query: {
      /** Default: 1 */
      page?: number
      /** Default: 100 */
      page_size?: number
    }
    reply: {
      data: {
        cases: Array<EvaluationCase>
        total: number
        page: number
        page_size: number
        has_more: boolean
      }
    }
  }
  /** Change a case; what is left out stays */
  'evaluation.cases.update': {
    path: {
      agent_id: string
      evaluation_set_id: string
      evaluation_case_id: string
    }
    body: UpdateEvaluationCase
    reply: {
      data: EvaluationCase
    }
  }
  /** End a run; the results that it has stay */
  'evaluation.runs.cancel': {
    path: {
      agent_id: string
      evaluation_run_id: string
    }
    reply: {
      data: EvaluationRun
    }
  }
  /** Compare a run with an earlier one of the same set, case by case */
  'evaluation.runs.compare': {
    path: {
      agent_id: string
      evaluation_run_id: string
    }
    query: {
      before_id: ObjectId
    }
    reply: {
      data: EvaluationComparison
    }
  }
  /** Get the results of a run as a table, comma-separated */
  'evaluation.runs.export': {
    path: {
      agent_id: string
      evaluation_run_id: string
    }
    reply: string
  }
  /** Get a run with its progress and, once it has ended, its measures in sum */
  'evaluation.runs.get': {
    path: {
      agent_id: string
      evaluation_run_id: string
    }
    reply: {
      data: EvaluationRun
    }
  }
  /** List the runs of an agent, or of one of its sets, newest first */
  'evaluation.runs.list': {
    path: {
      agent_id: string
    }
    query: {
      /** Default: 1 */
      page?: number
      /** Default: 50 */
      page_size?: number
      evaluation_set_id?: ObjectId
    }
    reply: {
      data: {
        evaluation_runs: Array<EvaluationRun>
        total: number
        page: number
        page_size: number
        has_more: boolean
      }
    }
  }
  /** List the results of a run, case by case */
  'evaluation.runs.results': {
    path: {
      agent_id: string
      evaluation_run_id: string
    }
    query: {
      /** Default: 1 */
      page?: number
      /** Default: 50 */
      page_size?: number
    }
    reply: {
      data: {
        results: Array<EvaluationResult>
        total: number
        page: number
        page_size: number
        has_more: boolean
      }
    }
  }
  /** Ask an agent the questions of a set, in the background, and measure the answers */
  'evaluation.runs.start': {
    path: {
      agent_id: string
      evaluation_set_id: string
    }
    reply: {
      data: EvaluationRun
    }
  }
  /** Make a question set for an agent */
  'evaluation.sets.create': {
    path: {
      agent_id: string
    }
    body: CreateEvaluationSet
    reply: {
      data: EvaluationSet
    }
  }
  /** Delete a question set with its cases and runs */
  'evaluation.sets.delete': {
    path: {
      agent_id: string
      evaluation_set_id: string
    }
    reply: {
      data: {
        deleted: true
      }
    }
  }
  /** Get a question set */
  'evaluation.sets.get': {
    path: {
      agent_id: string
      evaluation_set_id: string
    }
    reply: {
      data: EvaluationSet
    }
  }
  /** List the question sets of an agent, newest first */
  'evaluation.sets.list': {
    path: {
      agent_id: string
    }
    query: {
      /** Default: 1 */
      page?: number
      /** Default: 50 */
      page_size?: number
    }
    reply: {
      data: {
        evaluation_sets: Array<EvaluationSet>
        total: number
        page: number
        page_size: number
        has_more: boolean
      }
    }
  }
  /** Change a question set; what is left out stays */
  'evaluation.sets.update': {
    path: {
      agent_id: string
      evaluation_set_id: string
    }
    body: UpdateEvaluationSet
    reply: {
      data: EvaluationSet
    }
  }
  /** Make a group */
  'groups.create': {
    body: MemberGroupFields
    reply: {
      data: MemberGroup
    }
  }
  /** Delete a group; its members stay in the workspace */
  'groups.delete': {
    path: {
      group_id: string
    }
    reply: {
      data: {
        deleted: true
      }
    }
  }
  /** Get a group */
  'groups.get': {
    path: {
      group_id: string
    }
    reply: {
      data: MemberGroup
    }
  }
  /** List the groups of a workspace by name */
  'groups.list': {
    query: {
      /** Default: 1 */
      page?: number
      /** Default: 50 */
      page_size?: number
    }
    reply: {
      data: {
        groups: Array<MemberGroup>
        total: number
        page: number
        page_size: number
        has_more: boolean
      }
    }
  }
  /** Rename a group */
  'groups.update': {
    path: {
      group_id: string
    }
    body: MemberGroupFields
    reply: {
      data: {
        updated: true
      }
    }
  }
  /** List the providers at which people can log in to link their documents */
  'integrations.apps': {
    reply: {
      data: {
        /** Address to register at each provider */
        redirect_url: string
        apps: Array<SourceApp>
      }
    }
  }
  /** Stop the sync that runs; what it brought stays, and the next comes after the interval */
  'integrations.cancel': {
    path: {
      /** Id of the integration */
      integration_id: string
    }
    reply: {
      data: Integration
    }
  }
  /** Begin the login at a provider of documents */
  'integrations.connect': {
    body: BeginSourceLogin
    reply: {
      data: {
        /** Page of the provider to send the person to */
        authorization_url: string
      }
    }
  }
  /** Make a folder that is filled from a source and kept in step with it */
  'integrations.create': {
    body: {
      /** Kind of source */
      kind: string
      /** Name of the folder that is made and filled */
      knowledge_base_name: string
      /** Parent of that folder; null or absent for the root */
      parent_kb_id?: string | null
      /** Settings of the kind of source; docs/linked-folders.md lists those of each. All kinds: `include` and `exclude` (patterns such as `*.md` or `drafts/**`), `interval_seconds` (from one sync to the next). `directory`: `path` (an absolute folder of the server, below one of DOCENT_DIRECTORY_ROOTS). `s3`: `bucket`, `prefix`, `endpoint`, `region`, `access_key_id`, `secret_access_key`. `webdav`: `url`, `username`, `password`. `web`: `url`, `discover` (`links` or `sitemap`), `sitemaps`, `path_prefix`, `max_depth`, `max_pages`, `documents`. `git`: `url`, `branch`, `path`, `username`, `token`. `imap`: `host`, `port`, `security` (`tls`, `starttls` or `none`), `username`, `password`, `mailboxes`, `since`. `google_drive`: `folder`, `connection` (id of a login), or `credentials` and `impersonate`, `endpoint`. `notion`: `connection` (id of a login), or `token`, `endpoint`. `sharepoint`: `site` and `library`, or `user`, `folder`, `connection` (id of a login), or `tenant`, `client_id` and `client_secret`, `endpoint`, `login_endpoint`. `confluence`: `site`, `spaces`, `pages_only`, `connection` (id of a login), or `email` and `api_token`, `endpoint`. `slack`: `channels`, `messages_only`, `reread_days`, `connection` (id of a login), or `token`, `endpoint`.. Default: {} */
      config?: Record<string, unknown>
    }
    reply: {
      data: Integration
    }
  }
  /** End an integration and delete its folder with all that it brought */
  'integrations.delete': {
    path: {
      /** Id of the integration */
      integration_id: string
    }
    reply: {
      data: {
        deleted: true
      }
    }
  }
  /** Remove the app at a provider; folders that are linked by it keep their files and ask for a new login */
  'integrations.deleteApp': {
    path: {
      workspace_id: string
      /** Provider of documents */
      provider: 'google' | 'microsoft' | 'notion' | 'atlassian' | 'slack'
    }
    reply: {
      data: {
        deleted: true
      }
    }
  }
  /** Finish the login at a provider of documents, with the session or key that began it */
  'integrations.finishConnect': {
    body: FinishSourceLogin
    reply: {
      data: {
        id: ObjectId
        connection: SourceConnection
      }
    }
  }
  /** Get an integration, with its state */
  'integrations.get': {
    path: {
      /** Id of the integration */
      integration_id: string
    }
    reply: {
      data: Integration
    }
  }
  /** List the integrations, newest first */
  'integrations.list': {
    query: {
      /** Default: 1 */
      page?: number
      /** Default: 50 */
      page_size?: number
    }
    reply: {
      data: {
        integrations: Array<Integration>
        total: number
        page: number
        page_size: number
        has_more: boolean
      }
    }
  }
  /** List the items that a sync left out, 1,000 at most */
  'integrations.problems': {
    path: {
      /** Id of the integration */
      integration_id: string
    }
    query: {
      /** Default: 1 */
      page?: number
      /** Default: 50 */
      page_size?: number
    }
    reply: {
      data: {
        problems: Array<{
          /** From the root of the source; empty for the root itself */
          path: string
          /** Why it was left out; what an earlier sync brought of it stays */
          reason: string
        }>
        total: number
        page: number
        page_size: number
        has_more: boolean
      }
    }
  }
  /** Set the app with which people of a workspace log in at a provider of documents */
  'integrations.putApp': {
    path: {
      workspace_id: string
      /** Provider of documents */
      provider: 'google' | 'microsoft' | 'notion' | 'atlassian' | 'slack'
    }
    body: PutSourceApp
    reply: {
      data: SourceApp
    }
  }
  /** Bring the folder in step with its source now; answers at once */
  'integrations.sync': {
    path: {
      /** Id of the integration */
      integration_id: string
    }
    reply: {
      data: Integration
    }
  }
  /** Look whether a source can be read with these settings; nothing is stored */
  'integrations.test': {
    body: {
      /** Kind of source */
      kind: string
      /** Settings of the kind of source; docs/linked-folders.md lists those of each. All kinds: `include` and `exclude` (patterns such as `*.md` or `drafts/**`), `interval_seconds` (from one sync to the next). `directory`: `path` (an absolute folder of the server, below one of DOCENT_DIRECTORY_ROOTS). `s3`: `bucket`, `prefix`, `endpoint`, `region`, `access_key_id`, `secret_access_key`. `webdav`: `url`, `username`, `password`. `web`: `url`, `discover` (`links` or `sitemap`), `sitemaps`, `path_prefix`, `max_depth`, `max_pages`, `documents`. `git`: `url`, `branch`, `path`, `username`, `token`. `imap`: `host`, `port`, `security` (`tls`, `starttls` or `none`), `username`, `password`, `mailboxes`, `since`. `google_drive`: `folder`, `connection` (id of a login), or `credentials` and `impersonate`, `endpoint`. `notion`: `connection` (id of a login), or `token`, `endpoint`. `sharepoint`: `site` and `library`, or `user`, `folder`, `connection` (id of a login), or `tenant`, `client_id` and `client_secret`, `endpoint`, `login_endpoint`. `confluence`: `site`, `spaces`, `pages_only`, `connection` (id of a login), or `email` and `api_token`, `endpoint`. `slack`: `channels`, `messages_only`, `reread_days`, `connection` (id of a login), or `token`, `endpoint`.. Default: {} */
      config?: Record<string, unknown>
      /** Integration whose settings `config` changes; its secrets are used where none are given */
      integration_id?: string | null
    }
    reply: {
      data: {
        /** The first files and folders at its root, 10 at most */
        entries: Array<{
          name: string
          kind: 'file' | 'folder'
        }>
      }
    }
  }
  /** Change the settings of an integration, pause it, or resume it */
  'integrations.update': {
    path: {
      /** Id of the integration */
      integration_id: string
    }
    body: {
      /** Fields to change, as when it was made: others stay, null takes one back to its default. Secrets that are left out, or given as they are shown, stay. */
      config?: Record<string, unknown>
      /** Whether syncs by themselves are paused; true also stops the one that runs. False begins one. */
      is_paused?: boolean
    }
    reply: {
      data: Integration
    }
  }
  /** Use an invitation: makes an account, or takes the one with this e-mail and password, and signs in */
  'invitations.accept': {
    body: AcceptInvitation
    reply: {
      data: WebSession
    }
  }
  /** Invite somebody by a link, which is shown this once and sent if SMTP_URL is set; it ends with the rights of whoever made it */
  'invitations.create': {
    body: CreateInvitation
    reply: {
      data: MadeInvitation
    }
  }
  /** List the invitations that nobody used yet, newest first */
  'invitations.list': {
    query: {
      /** Default: 1 */
      page?: number
      /** Default: 50 */
      page_size?: number
    }
    reply: {
      data: {
        invitations: Array<Invitation>
        total: number
        page: number
        page_size: number
        has_more: boolean
      }
    }
  }
  /** Show the workspace and the role of an invitation */
  'invitations.look': {
    body: LinkToken
    reply: {
      data: InvitationView
    }
  }
  /** Revoke an invitation; its link stops working at once */
  'invitations.revoke': {
    path: {
      invitation_id: string
    }
    reply: {
      data: {
        deleted: true
      }
    }
  }
  /** Create a folder */
  'knowledgeBases.create': {
    body: {
      knowledge_base_name: string
      /** Default: [] */
      user_defined_tags?: Array<string>
      /** Parent folder; null or absent for the root */
      parent_kb_id?: string | null
    }
    reply: {
      status: 'success'
      data: CreatedKnowledgeBase
    }
  }
  /** Delete a folder with all its sub-folders and files, for good */
  'knowledgeBases.delete': {
    path: {
      /** Id of the folder */
      knowledge_base_id: string
    }
    reply: {
      status: 'success'
      message: string
    }
  }
  /** Download a folder with all folders and files below it as a ZIP archive */
  'knowledgeBases.download': {
    path: {
      /** Id of the folder */
      knowledge_base_id: string
    }
    query: {
      /** Path of an entry, as it stands in the archive: entries come in the same order each time. */
      after?: string
    }
    reply: Blob
  }
  /** A stream of what happens to the files of a folder, which resumes after the Last-Event-ID */
  'knowledgeBases.follow': {
    path: {
      /** Id of the folder */
      knowledge_base_id: string
    }
    reply: FolderEvent
  }
  /** Get a folder, with the number of its sub-folders and files if asked for */
  'knowledgeBases.get': {
    path: {
      /** Id of the folder */
      knowledge_base_id: string
    }
    query: {
      /** Default: false */
      include_counts?: boolean
    }
    reply: {
      status: 'success'
      data: KnowledgeBaseDetail
    }
  }
  /** Tell who of your workspace may do what with a folder, and why */
  'knowledgeBases.grants.get': {
    path: {
      /** Id of the folder */
      knowledge_base_id: string
    }
    reply: {
      data: FolderGrants
    }
  }
  /** Say who of your workspace may do what with a folder and all below it */
  'knowledgeBases.grants.set': {
    path: {
      /** Id of the folder */
      knowledge_base_id: string
    }
    body: SetFolderGrants
    reply: {
      data: FolderGrants
    }
  }
  /** List the folders at the root or in a parent, by name, with the number of their sub-folders if asked for */
  'knowledgeBases.list': {
    query: {
      /** Default: "org" */
      scope?: 'org' | 'shared' | 'all'
      parent_kb_id?: string
      /** Adds `child_folders_count` to each folder. Default: false */
      include_counts?: boolean
    }
    reply: {
      status: 'success'
      data: {
        org_knowledge_bases: Array<KnowledgeBase>
        shared_knowledge_bases: Array<KnowledgeBase>
      }
    }
  }
  /** Find passages in a folder, best first */
  'knowledgeBases.search': {
    path: {
      knowledge_base_id: string
    }
    query: {
      query: string
      /** Default: 10 */
      limit?: number
      /** Search the sub-folders, too. Default: true */
      recursive?: boolean
      /** A FileFilter as JSON, for instance {"all":[{"key":"year","op":"gte","value":2025}]} */
      filters?: string
      /** Tell of each passage why it was found. Default: false */
      explain?: boolean
    }
    reply: {
      data: {
        results: Array<SearchHit>
      }
    }
  }
  /** Rename, tag or move a folder */
  'knowledgeBases.update': {
    path: {
      /** Id of the folder */
      knowledge_base_id: string
    }
    body: {
      knowledge_base_name?: string
      user_defined_tags?: Array<string>
      /** Moves the folder; null for the root */
      parent_kb_id?: string | null
    }
    reply: {
      status: 'success'
      data: KnowledgeBaseDetail
    }
  }
  /** Show the key's organization, workspace and permissions */
  'me.get': {
    reply: {
      data: Identity
    }
  }
  /** Make somebody a member at once, with an account if they have none */
  'members.create': {
    body: CreateMember
    reply: {
      data: Member
    }
  }
  /** Make a link for a member who forgot the password: it works once, for an hour */
  'members.createPasswordLink': {
    path: {
      member_id: string
    }
    reply: {
      data: MadeLink
    }
  }
  /** Get a member; everybody may get themselves */
  'members.get': {
    path: {
      member_id: string
    }
    reply: {
      data: Member
    }
  }
  /** List the members of a workspace by name */
  'members.list': {
    query: {
      /** Default: 1 */
      page?: number
      /** Default: 50 */
      page_size?: number
    }
    reply: {
      data: {
        members: Array<Member>
        total: number
        page: number
        page_size: number
        has_more: boolean
      }
    }
  }
  /** Read the picture of a member */
  'members.picture': {
    path: {
      member_id: string
    }
    query: {
      /** Tells pictures apart */
      v?: string
    }
    reply: Blob
  }
  /** End a membership with its personal keys and sessions, within 5 seconds; everybody may end their own */
  'members.remove': {
    path: {
      member_id: string
    }
    reply: {
      data: {
        deleted: true
      }
    }
  }
  /** Turn the second factor of a member off who lost the app and the recovery codes */
  'members.removeTwoFactor': {
    path: {
      member_id: string
    }
    reply: {
      data: {
        deleted: true
      }
    }
  }
  /** Whether the workspace demands a second factor of its members, and who has none */
  'members.secondFactor.get': {
    path: {
      workspace_id: string
    }
    reply: {
      data: SecondFactorDemand
    }
  }
  /** Demand a second factor of the members of the workspace, or no longer */
  'members.secondFactor.set': {
    path: {
      workspace_id: string
    }
    body: SetSecondFactorDemand
    reply: {
      data: SecondFactorDemand
    }
  }
  /** Change the role or the groups of a member; it counts within 5 seconds */
  'members.update': {
    path: {
      member_id: string
    }
    body: UpdateMember
    reply: {
      data: {
        updated: true
      }
    }
  }
  /** End a run early; what it said so far stays */
  'messages.cancel': {
    path: {
      agent_id: string
      chat_id: string
      message_id: string
    }
    reply: {
      data: Message
    }
  }
  /** Delete a message; one that runs is cancelled first */
  'messages.delete': {
    path: {
      agent_id: string
      chat_id: string
      message_id: string
    }
    reply: Record<string, never>
  }
  /** Read the stream of a message from any event on, while it runs and after */
  'messages.events': {
    path: {
      agent_id: string
      chat_id: string
      message_id: string
    }
    query: {
      /** Number of the last event that was read; -1: none */
      starting_after?: number
    }
    reply: StreamEvent
  }
  /** Get a message */
  'messages.get': {
    path: {
      agent_id: string
      chat_id: string
      message_id: string
    }
    query: {
      /** Default: false */
      downloadable_output?: boolean
      /** Default: false */
      usage?: boolean
    }
    reply: {
      data: Message
    }
  }
  /** Say whether the answer was good */
  'messages.giveFeedback': {
    path: {
      agent_id: string
      chat_id: string
      message_id: string
    }
    body: Feedback
    reply: {
      data: Message
    }
  }
  /** Get the message history: parameters in the JSON body, or in the query string */
  'messages.list': {
    path: {
      agent_id: string
      chat_id: string
    }
    query: {
      /** This message and all later ones */
      from_message?: string
      /** Default: 1 */
      page?: number
      /** Default: 50 */
      page_size?: number
      /** Default: "asc" */
      order?: 'asc' | 'desc'
      /** Whether to tell what each message took. Default: false */
      usage?: boolean
    }
    reply: {
      data: {
        messages: Array<Message>
        total: number
        page: number
        page_size: number
        count: number
        has_more: boolean
      }
    }
  }
  /** List pinned answers of own chats with all agents, newest first */
  'messages.listPinned': {
    query: {
      /** Default: 1 */
      page?: number
      /** Default: 50 */
      page_size?: number
    }
    reply: {
      data: {
        messages: Array<PinnedMessage>
        total: number
        page: number
        page_size: number
        has_more: boolean
      }
    }
  }
  /** Show what the searches of an answer found, as its model was given it, and what it cites */
  'messages.retrieval': {
    path: {
      agent_id: string
      chat_id: string
      message_id: string
    }
    reply: {
      data: MessageRetrieval
    }
  }
  /** Decide what a message waits for: approve or reject a tool call, or answer a question */
  'messages.review': {
    path: {
      agent_id: string
      chat_id: string
      message_id: string
    }
    body: ReviewDecision
    reply: {
      data: Message
    }
  }
  /** Show as which rights a message was answered, to admins who may read the chat */
  'messages.rights': {
    path: {
      agent_id: string
      chat_id: string
      message_id: string
    }
    reply: {
      data: MessageRights
    }
  }
  /** Pin or unpin a message */
  'messages.update': {
    path: {
      agent_id: string
      chat_id: string
      message_id: string
    }
    body: UpdateMessage
    reply: {
      data: Message
    }
  }
  /** Get the models that a workspace chose for answers, summaries, titles, speech and reranking */
  'modelDefaults.get': {
    path: {
      workspace_id: string
    }
    reply: {
      data: ModelDefaults
    }
  }
  /** Choose the models for answers, summaries, titles, speech and reranking; what is left out is as the server has it */
  'modelDefaults.put': {
    path: {
      workspace_id: string
    }
    body: PutModelDefaults
    reply: {
      data: ModelDefaults
    }
  }
  /** Ask a reranker for the scores of two short texts */
  'modelDefaults.testReranking': {
    path: {
      workspace_id: string
    }
    body: TestReranker
    reply: {
      data: TestedReranker
    }
  }
  /** Remove a model provider that no agent uses */
  'modelProviders.delete': {
    path: {
      workspace_id: string
      /** First half of the ids of its models */
      name: string
    }
    reply: {
      data: {
        deleted: true
      }
    }
  }
  /** List the model providers of a workspace, and those that an operator set */
  'modelProviders.list': {
    path: {
      workspace_id: string
    }
    reply: {
      data: {
        model_providers: Array<ModelProviderSettings>
      }
    }
  }
  /** Add or change a model provider; agents can use its models at once, as NAME/MODEL */
  'modelProviders.put': {
    path: {
      workspace_id: string
      /** First half of the ids of its models */
      name: string
    }
    body: PutModelProvider
    reply: {
      data: ModelProviderSettings
    }
  }
  /** Ask a model provider for its models, before or after it was added */
  'modelProviders.test': {
    path: {
      workspace_id: string
      /** First half of the ids of its models */
      name: string
    }
    body: TestModelProvider
    reply: {
      data: TestedModelProvider
    }
  }
  /** Ask a model for one word, to see whether it answers */
  'models.check': {
    body: CheckModel
    reply: {
      data: ModelCheck
    }
  }
  /** List the models of this server: its providers, and the model of agents that name none */
  'models.list': {
    reply: {
      data: Models
    }
  }
  /** Download a file that an agent made, by its signed link */
  'outputs.download': {
    path: {
      organization_id: string
      message_id: string
      key: string
    }
    query: {
      expires?: string
      signature?: string
    }
    reply: unknown
  }
  /** Have a link for a forgotten password sent; the answer is the same whether there is such an account */
  'passwordLinks.request': {
    body: ForgottenPassword
    reply: {
      data: {
        requested: true
      }
    }
  }
  /** Set another password with a link; all sessions of the account end */
  'passwordLinks.use': {
    body: UsePasswordLink
    reply: {
      data: {
        email: string
      }
    }
  }
  /** List own chats of a project, with any agent, the last used first */
  'projects.chats.list': {
    path: {
      project_id: string
    }
    query: {
      /** Default: 1 */
      page?: number
      /** Default: 50 */
      page_size?: number
      /** true: only archived chats; false: only the others */
      archived?: boolean
      /** true: only pinned chats; false: only the others */
      pinned?: boolean
      /** Case-insensitive substring of the title */
      search?: string
    }
    reply: {
      data: {
        chats: Array<UsedChat>
        total: number
        page: number
        page_size: number
        has_more: boolean
      }
    }
  }
  /** Make a project, with a folder of its own */
  'projects.create': {
    body: CreateProject
    reply: {
      data: Project
    }
  }
  /** Delete a project; by default its chats leave it and its folder stays */
  'projects.delete': {
    path: {
      project_id: string
    }
    query: {
      /** Deletes the caller's own chats in it; otherwise they leave it, as those of others always do. Default: false */
      delete_chats?: boolean
      /** Deletes its folder with all files; otherwise it stays. Default: false */
      delete_folder?: boolean
    }
    reply: {
      data: {
        deleted: true
      }
    }
  }
  /** Get a project */
  'projects.get': {
    path: {
      project_id: string
    }
    reply: {
      data: Project
    }
  }
  /** List the projects whose folder the caller may read, by name */
  'projects.list': {
    query: {
      /** Default: 1 */
      page?: number
      /** Default: 50 */
      page_size?: number
      /** Case-insensitive substring of the name */
      search?: string
    }
    reply: {
      data: {
        projects: Array<Project>
        total: number
        page: number
        page_size: number
        has_more: boolean
      }
    }
  }
  /** Change a project; what is left out stays */
  'projects.update': {
    path: {
      project_id: string
    }
    body: UpdateProject
    reply: {
      data: Project
    }
  }
  /** Delete a quota: nothing limits its subject in that period any more */
  'quotas.delete': {
    path: {
      workspace_id: string
      quota_id: string
    }
    reply: {
      data: {
        deleted: true
      }
    }
  }
  /** List the quotas of a workspace and what was used of them, newest first */
  'quotas.list': {
    path: {
      workspace_id: string
    }
    query: {
      /** Default: 1 */
      page?: number
      /** Default: 50 */
      page_size?: number
    }
    reply: {
      data: {
        quotas: Array<Quota>
        total: number
        page: number
        page_size: number
        has_more: boolean
      }
    }
  }
  /** Set how much the workspace, a key, a virtual user or each of them may use in a day or a month */
  'quotas.set': {
    path: {
      workspace_id: string
    }
    body: SetQuota
    reply: {
      data: Quota
    }
  }
  /** The inbox: what the messages of a workspace wait for, newest first */
  'reviews.list': {
    path: {
      workspace_id: string
    }
    query: {
      /** Default: 1 */
      page?: number
      /** Default: 50 */
      page_size?: number
      status?: 'pending' | 'approved' | 'rejected' | 'answered' | 'expired' | 'cancelled'
    }
    reply: {
      data: {
        reviews: Array<Review>
        total: number
        page: number
        page_size: number
        has_more: boolean
      }
    }
  }
  /** Make a token for a company's directory (SCIM 2.0); it is shown this once */
  'scimTokens.create': {
    path: {
      workspace_id: string
    }
    body: CreateScimToken
    reply: {
      data: CreatedScimToken
    }
  }
  /** List the SCIM tokens of a workspace, newest first */
  'scimTokens.list': {
    path: {
      workspace_id: string
    }
    reply: {
      data: {
        /** Address to enter in the directory, as tenant or base URL */
        base_url: string
        scim_tokens: Array<ScimToken>
      }
    }
  }
  /** Revoke a SCIM token; it stops working at once */
  'scimTokens.revoke': {
    path: {
      workspace_id: string
      scim_token_id: string
    }
    reply: {
      data: {
        deleted: true
      }
    }
  }
  /** Stop building an index: the one that serves stays */
  'searchIndex.cancel': {
    path: {
      workspace_id: string
    }
    reply: {
      data: SearchIndex
    }
  }
  /** Choose the embedding model of the search; the old index serves until the new one is whole */
  'searchIndex.choose': {
    path: {
      workspace_id: string
    }
    body: ChooseSearchIndex
    reply: {
      data: SearchIndex
    }
  }
  /** Get the embedding model behind the search, and the index that is being built for another */
  'searchIndex.get': {
    path: {
      workspace_id: string
    }
    reply: {
      data: SearchIndex
    }
  }
  /** Ask an embedding model for one vector */
  'searchIndex.test': {
    path: {
      workspace_id: string
    }
    body: TestEmbeddingModel
    reply: {
      data: TestedEmbeddingModel
    }
  }
  /** Begin to sign in with a passkey; the answer sets a cookie that the end needs */
  'session.beginWithPasskey': {
    body: BeginPasskeySignIn
    reply: {
      data: {
        /** PublicKeyCredentialRequestOptionsJSON of WebAuthn, for this browser within five minutes */
        options: Record<string, unknown>
      }
    }
  }
  /** Begin to sign in with an OpenID Connect provider; the answer sets a cookie that the end needs */
  'session.beginWithProvider': {
    path: {
      provider_id: string
    }
    body: BeginProviderSignIn
    reply: {
      data: ProviderUrl
    }
  }
  /** Sign a browser in with an API key; the answer sets a cookie that stands for it */
  'session.create': {
    body: SignIn
    reply: {
      data: WebSession
    }
  }
  /** Sign a browser in with a passkey alone, which checks PIN, finger or face; the answer sets its cookie */
  'session.createWithPasskey': {
    body: PasskeySignIn
    reply: {
      data: WebSession
    }
  }
  /** Sign a browser in with e-mail and password; the answer sets its cookie, or asks for a second factor */
  'session.createWithPassword': {
    body: PasswordSignIn
    reply: {
      data: WebSession
    }
  }
  /** Sign a browser in with a provider's answer; the answer sets its cookie */
  'session.createWithProvider': {
    path: {
      provider_id: string
    }
    body: ProviderAnswer
    reply: {
      data: WebSession
    }
  }
  /** Sign a browser in whose password was right, with a code or a passkey; the answer sets its cookie */
  'session.createWithSecondFactor': {
    body: SecondFactor
    reply: {
      data: WebSession
    }
  }
  /** Sign this browser out */
  'session.delete': {
    reply: {
      data: WebSession
    }
  }
  /** Whether this browser is signed in, and as whom */
  'session.get': {
    reply: {
      data: WebSession
    }
  }
  /** Ways to sign in that this server offers */
  'session.options': {
    reply: {
      data: SignInOptions
    }
  }
  /** Show the agent that a link leads to */
  'shared.get': {
    path: {
      token: string
    }
    reply: {
      data: SharedAgent
    }
  }
  /** Read the logo of a link */
  'shared.logo': {
    path: {
      token: string
    }
    query: {
      /** Tells pictures apart */
      v?: string
    }
    reply: Blob
  }
  /** Get the token with which a visitor chats: it opens their own chats with this agent, and nothing else */
  'shared.visits.create': {
    path: {
      token: string
    }
    body: OpenVisit
    reply: {
      data: Visit
    }
  }
  /** Let another organization read a folder and all below it */
  'shares.create': {
    path: {
      /** Id of the folder */
      knowledge_base_id: string
    }
    body: {
      /** The organization that shall read the folder and all below it */
      organization_id: string
    }
    reply: {
      data: Share
    }
  }
  /** End the sharing of a folder with an organization, at once */
  'shares.delete': {
    path: {
      /** Id of the folder */
      knowledge_base_id: string
      /** The organization that may read the folder */
      organization_id: string
    }
    reply: {
      data: {
        deleted: true
      }
    }
  }
  /** List the organizations that a folder is shared with */
  'shares.list': {
    path: {
      /** Id of the folder */
      knowledge_base_id: string
    }
    query: {
      /** Default: 1 */
      page?: number
      /** Default: 50 */
      page_size?: number
    }
    reply: {
      data: {
        shares: Array<Share>
        total: number
        page: number
        page_size: number
        has_more: boolean
      }
    }
  }
  /** Add an OpenID Connect provider; it is on the sign-in page at once */
  'signInProviders.create': {
    path: {
      workspace_id: string
    }
    body: CreateSignInProvider
    reply: {
      data: SignInProvider
    }
  }
  /** Remove an OpenID Connect provider; people who are signed in stay so */
  'signInProviders.delete': {
    path: {
      workspace_id: string
      sign_in_provider_id: string
    }
    reply: {
      data: {
        deleted: true
      }
    }
  }
  /** List the OpenID Connect providers of a workspace, and those that an operator set */
  'signInProviders.list': {
    path: {
      workspace_id: string
    }
    reply: {
      data: {
        /** Redirect URIs are this with the id of the provider behind it */
        redirect_base: string
        sign_in_providers: Array<SignInProvider>
      }
    }
  }
  /** Change an OpenID Connect provider; it counts from the next sign-in */
  'signInProviders.replace': {
    path: {
      workspace_id: string
      sign_in_provider_id: string
    }
    body: ReplaceSignInProvider
    reply: {
      data: SignInProvider
    }
  }
  /** Try whether a provider can be asked and knows the client, before or after it was added */
  'signInProviders.test': {
    path: {
      workspace_id: string
    }
    body: TestSignInProvider
    reply: {
      data: TestedSignInProvider
    }
  }
  /** A stream to test the way to the server with: ten events 200 ms apart, a pause with pings, the end */
  'streamCheck.run': {
    query: {
      /** Default: 12 */
      pause_seconds?: number
    }
    reply: StreamCheckEvent
  }
  /** Write down a recording with the model that the workspace chose for speech */
  'transcription.create': {
    body: CreateTranscription
    reply: {
      data: Transcription
    }
  }
  /** Get whether the workspace has a transcription model */
  'transcription.get': {
    reply: {
      data: TranscriptionAbility
    }
  }
  /** Upload a file; its id can be added to a folder or sent with a query */
  'uploadedFiles.create': {
    body: {
      file: Blob
      /** Person on whose behalf the file is uploaded */
      virtual_user_email?: string
    }
    reply: {
      data: ObjectId
    }
  }
  /** Report the usage and cost of a workspace, by day, agent, virtual user, API key or model */
  'usage.get': {
    path: {
      workspace_id: string
    }
    query: {
      /** First day, UTC. Default: 30 days up to `to` */
      from?: string
      /** Last day, counted as well. Default: today. At most 366 days */
      to?: string
      /** Default: "day" */
      group_by?: 'day' | 'agent' | 'virtual_user' | 'api_key' | 'model'
      /** Only of this agent */
      agent_id?: string
      /** Only of this virtual user */
      virtual_user_email?: string
      /** Only of this key */
      api_key_id?: string
      /** Only of this model: `provider/model` */
      model?: string
      /** `csv`: all groups as a file, not a page. Default: "json" */
      format?: 'json' | 'csv'
      /** Default: 1 */
      page?: number
      /** Default: 400 */
      page_size?: number
    }
    reply: {
      data: {
        from: string
        to: string
        group_by: 'day' | 'agent' | 'virtual_user' | 'api_key' | 'model'
        usage: Array<UsageGroup>
        total: UsageTotal
        /** Groups on all pages */
        count: number
        page: number
        page_size: number
        has_more: boolean
      }
    } | string
  }
  /** The prices that the operator set for models; the first that fits a model holds, else the one that its provider lists */
  'usage.prices': {
    path: {
      workspace_id: string
    }
    reply: {
      data: {
        prices: Array<ModelPrice>
      }
    }
  }
  /** Get a token with which a virtual user chats by themselves, from a browser */
  'userTokens.create': {
    body: CreateUserToken
    reply: {
      data: UserToken
    }
  }
  /** List the chats in which a person asked something, newest first */
  'virtualUsers.chats': {
    path: {
      workspace_id: string
      virtual_user_id: ObjectId
    }
    query: {
      /** Default: 1 */
      page?: number
      /** Default: 50 */
      page_size?: number
    }
    reply: {
      data: {
        chats: Array<Chat>
        total: number
        page: number
        page_size: number
        has_more: boolean
      }
    }
  }
  /** Create a virtual user, or get the one that has the e-mail already */
  'virtualUsers.create': {
    path: {
      workspace_id: string
    }
    body: {
      /** E-mail of the person on whose behalf the request is sent */
      email: string
      name?: string | null
      /** Application that the person comes from */
      origin?: string | null
      /** Any data; keys and text values are stored in lower case */
      metadata?: Record<string, unknown>
    }
    reply: {
      data: VirtualUser
    }
  }
  /** Remove a virtual user; its e-mail brings it back */
  'virtualUsers.delete': {
    path: {
      workspace_id: string
      virtual_user_id: ObjectId
    }
    reply: {
      data: {
        deleted: true
      }
    }
  }
  /** Remove a person and what they left, for good */
  'virtualUsers.erase': {
    path: {
      workspace_id: string
      virtual_user_id: ObjectId
    }
    reply: {
      data: ErasedVirtualUser
    }
  }
  /** Export all that is kept about a person as a ZIP archive */
  'virtualUsers.export': {
    path: {
      workspace_id: string
      virtual_user_id: ObjectId
    }
    query: {
      /** Messages of this time, or the begin of this day (UTC), and later */
      from?: string
      /** Messages before this time, or before the begin of this day (UTC) */
      to?: string
    }
    reply: Blob
  }
  /** Get a virtual user */
  'virtualUsers.get': {
    path: {
      workspace_id: string
      virtual_user_id: ObjectId
    }
    reply: {
      data: VirtualUser
    }
  }
  /** Tell from which folders a virtual user is answered */
  'virtualUsers.grants.get': {
    path: {
      workspace_id: string
      virtual_user_id: ObjectId
    }
    reply: {
      data: VirtualUserGrants
    }
  }
  /** Say from which folders a virtual user is answered */
  'virtualUsers.grants.set': {
    path: {
      workspace_id: string
      virtual_user_id: ObjectId
    }
    body: SetVirtualUserGrants
    reply: {
      data: VirtualUserGrants
    }
  }
  /** List the virtual users, newest first, or find some */
  'virtualUsers.list': {
    path: {
      workspace_id: string
    }
    query: {
      /** Exactly this e-mail, whatever its case */
      email?: string
      /** Part of the e-mail, name or origin, whatever its case */
      search?: string
      /** Default: 0 */
      page?: number
      /** Default: 50 */
      page_size?: number
    }
    reply: {
      data: {
        virtual_users: Array<VirtualUser>
        pagination: {
          page: number
          page_size: number
          total_count: number
        }
      }
    }
  }
  /** Make an agent forget something about a person */
  'virtualUsers.memories.delete': {
    path: {
      workspace_id: string
      virtual_user_id: ObjectId
      memory_id: ObjectId
    }
    reply: {
      data: {
        deleted: true
      }
    }
  }
  /** List what agents remember of a person, newest first */
  'virtualUsers.memories.list': {
    path: {
      workspace_id: string
      virtual_user_id: ObjectId
    }
    query: {
      agent_id?: ObjectId
      /** Default: 1 */
      page?: number
      /** Default: 50 */
      page_size?: number
    }
    reply: {
      data: {
        memories: Array<Memory>
        total: number
        page: number
        page_size: number
        has_more: boolean
      }
    }
  }
  /** Merge a person into another one: chats, usage, memories, uploads and the e-mail are then theirs */
  'virtualUsers.merge': {
    path: {
      workspace_id: string
      virtual_user_id: ObjectId
    }
    body: MergeVirtualUser
    reply: {
      data: MergedVirtualUser
    }
  }
  /** Update a virtual user; its e-mail cannot be changed */
  'virtualUsers.update': {
    path: {
      workspace_id: string
      virtual_user_id: ObjectId
    }
    body: {
      /** null clears */
      name?: string | null
      /** null clears */
      origin?: string | null
      /** Replaces all that was there */
      metadata?: Record<string, unknown>
      email?: never
    }
    reply: {
      data: VirtualUser
    }
  }
  /** Report the usage of a person so far */
  'virtualUsers.usage': {
    path: {
      workspace_id: string
      virtual_user_id: ObjectId
    }
    reply: {
      data: VirtualUserUsage
    }
  }
  /** Remove the provider of web search */
  'webSearch.delete': {
    path: {
      workspace_id: string
    }
    reply: {
      data: {
        deleted: true
      }
    }
  }
  /** Get the provider with which the agents of a workspace search the web */
  'webSearch.get': {
    path: {
      workspace_id: string
    }
    reply: {
      data: WebSearch
    }
  }
  /** Set the provider of web search; agents with the tool web_search use it at once */
  'webSearch.put': {
    path: {
      workspace_id: string
    }
    body: PutWebSearch
    reply: {
      data: WebSearch
    }
  }
  /** Search the web with a provider, before or after it was set */
  'webSearch.test': {
    path: {
      workspace_id: string
    }
    body: TestWebSearch
    reply: {
      data: TestedWebSearch
    }
  }
  /** Get a delivery with its attempts */
  'webhooks.deliveries.get': {
    path: {
      workspace_id: string
      delivery_id: string
    }
    reply: {
      data: {
        id: ObjectId
        message_id: ObjectId
        url: string
        status: WebhookDeliveryStatus
        attempt_count: number
        /** Why the last attempt, or the delivery, failed */
        error_message: string | null
        next_attempt_at: Timestamp | null
        delivered_at: Timestamp | null
        created_at: Timestamp
        updated_at: Timestamp
        attempts: Array<WebhookAttempt>
      }
    }
  }
  /** List the deliveries, newest first */
  'webhooks.deliveries.list': {
    path: {
      workspace_id: string
    }
    query: {
      status?: WebhookDeliveryStatus
      /** Only those of this message */
      message_id?: string
      /** Default: 1 */
      page?: number
      /** Default: 50 */
      page_size?: number
    }
    reply: {
      data: {
        deliveries: Array<WebhookDelivery>
        total: number
        page: number
        page_size: number
        has_more: boolean
      }
    }
  }
  /** Deliver again, now */
  'webhooks.deliveries.redeliver': {
    path: {
      workspace_id: string
      delivery_id: string
    }
    reply: {
      data: WebhookDelivery
    }
  }
  /** Add a URL to which events of this workspace are sent; its secret is shown this once */
  'webhooks.endpoints.create': {
    path: {
      workspace_id: string
    }
    body: CreateWebhookEndpoint
    reply: {
      data: WebhookEndpointWithSecret
    }
  }
  /** Send no more events there; what is on its way is given up */
  'webhooks.endpoints.delete': {
    path: {
      workspace_id: string
      webhook_endpoint_id: string
    }
    reply: {
      data: {
        deleted: true
      }
    }
  }
  /** Get an event that was sent there, with its attempts */
  'webhooks.endpoints.deliveries.get': {
    path: {
      workspace_id: string
      webhook_endpoint_id: string
      delivery_id: string
    }
    reply: {
      data: {
        id: ObjectId
        endpoint_id: ObjectId
        event_type: string
        status: WebhookDeliveryStatus
        attempt_count: number
        /** Why the last attempt, or the delivery, failed */
        error_message: string | null
        next_attempt_at: Timestamp | null
        delivered_at: Timestamp | null
        created_at: Timestamp
        updated_at: Timestamp
        /** JSON, as it is sent */
        body: string
        attempts: Array<WebhookAttempt>
      }
    }
  }
  /** List the events that were sent there, newest first */
  'webhooks.endpoints.deliveries.list': {
    path: {
      workspace_id: string
      webhook_endpoint_id: string
    }
    query: {
      status?: WebhookDeliveryStatus
      /** Default: 1 */
      page?: number
      /** Default: 50 */
      page_size?: number
    }
    reply: {
      data: {
        deliveries: Array<WebhookEventDelivery>
        total: number
        page: number
        page_size: number
        has_more: boolean
      }
    }
  }
  /** Send the event again, now */
  'webhooks.endpoints.deliveries.redeliver': {
    path: {
      workspace_id: string
      webhook_endpoint_id: string
      delivery_id: string
    }
    reply: {
      data: WebhookEventDelivery
    }
  }
  /** Get a URL to which events are sent */
  'webhooks.endpoints.get': {
    path: {
      workspace_id: string
      webhook_endpoint_id: string
    }
    reply: {
      data: WebhookEndpoint
    }
  }
  /** List the URLs to which events are sent, oldest first */
  'webhooks.endpoints.list': {
    path: {
      workspace_id: string
    }
    query: {
      /** Default: 1 */
      page?: number
      /** Default: 50 */
      page_size?: number
    }
    reply: {
      data: {
        webhook_endpoints: Array<WebhookEndpoint>
        total: number
        page: number
        page_size: number
        has_more: boolean
      }
    }
  }
  /** Make a new secret, shown this once; the old one signs along for 24 hours */
  'webhooks.endpoints.rotate': {
    path: {
      workspace_id: string
      webhook_endpoint_id: string
    }
    reply: {
      data: WebhookEndpointWithSecret
    }
  }
  /** Send a test event, also to a URL that is switched off */
  'webhooks.endpoints.test': {
    path: {
      workspace_id: string
      webhook_endpoint_id: string
    }
    reply: {
      data: WebhookEventDelivery
    }
  }
  /** Change where events are sent and which, or switch that off and on */
  'webhooks.endpoints.update': {
    path: {
      workspace_id: string
      webhook_endpoint_id: string
    }
    body: UpdateWebhookEndpoint
    reply: {
      data: WebhookEndpoint
    }
  }
  /** A stream of the events and results of this workspace from now on, signed with its secret; for development */
  'webhooks.listen': {
    path: {
      workspace_id: string
    }
    reply: WebhookListenEvent
  }
  /** Get the secret that signs the webhooks of this workspace */
  'webhooks.secret.get': {
    path: {
      workspace_id: string
    }
    reply: {
      data: WebhookSecret
    }
  }
  /** Make a new secret; the old one signs along for 24 hours */
  'webhooks.secret.rotate': {
    path: {
      workspace_id: string
    }
    reply: {
      data: WebhookSecret
    }
  }
}

/** The operation of each route, and the ids in its path, in order. */
export interface Routes {
  'DELETE /account/api-keys/{key_id}': { operation: 'account.apiKeys.revoke'; ids: [key_id: string] }
  'DELETE /account/apps/{app_id}': { operation: 'account.apps.revoke'; ids: [app_id: string] }
  'DELETE /account/identities/{identity_id}': { operation: 'account.identities.unlink'; ids: [identity_id: string] }
  'DELETE /account/picture': { operation: 'account.picture.remove'; ids: [] }
  'DELETE /account/sessions': { operation: 'account.sessions.endOthers'; ids: [] }
  'DELETE /account/sessions/{session_id}': { operation: 'account.sessions.end'; ids: [session_id: string] }
  'DELETE /agents/{agent_id}': { operation: 'agents.delete'; ids: [agent_id: string] }
  'DELETE /agents/{agent_id}/chats/{chat_id}': { operation: 'chats.delete'; ids: [agent_id: string, chat_id: string] }
  'DELETE /agents/{agent_id}/chats/{chat_id}/message/{message_id}': { operation: 'messages.delete'; ids: [agent_id: string, chat_id: string, message_id: string] }
  'DELETE /agents/{agent_id}/evaluation-sets/{evaluation_set_id}': { operation: 'evaluation.sets.delete'; ids: [agent_id: string, evaluation_set_id: string] }
  'DELETE /agents/{agent_id}/evaluation-sets/{evaluation_set_id}/cases/{evaluation_case_id}': { operation: 'evaluation.cases.delete'; ids: [agent_id: string, evaluation_set_id: string, evaluation_case_id: string] }
  'DELETE /agents/{agent_id}/jobs/{job_id}': { operation: 'agents.jobs.delete'; ids: [agent_id: string, job_id: string] }
  'DELETE /agents/{agent_id}/links/{link_id}': { operation: 'agents.links.delete'; ids: [agent_id: string, link_id: string] }
  'DELETE /agents/{agent_id}/shortcuts/{shortcut_id}': { operation: 'agents.shortcuts.delete'; ids: [agent_id: string, shortcut_id: string] }
  'DELETE /groups/{group_id}': { operation: 'groups.delete'; ids: [group_id: string] }
  'DELETE /integrations/{integration_id}': { operation: 'integrations.delete'; ids: [integration_id: string] }
  'DELETE /invitations/{invitation_id}': { operation: 'invitations.revoke'; ids: [invitation_id: string] }
  'DELETE /knowledge-bases/{knowledge_base_id}': { operation: 'knowledgeBases.delete'; ids: [knowledge_base_id: string] }
  'DELETE /knowledge-bases/{knowledge_base_id}/data-sources': { operation: 'dataSources.delete'; ids: [knowledge_base_id: string] }
  'DELETE /knowledge-bases/{knowledge_base_id}/data-sources/by-external-id/{external_id}': { operation: 'dataSources.pushed.delete'; ids: [knowledge_base_id: string, external_id: string] }
  'DELETE /knowledge-bases/{knowledge_base_id}/data-sources/{data_source_id}/passage-edits/{passage_edit_id}': { operation: 'dataSources.passageEdits.undo'; ids: [knowledge_base_id: string, data_source_id: string, passage_edit_id: string] }
  'DELETE /knowledge-bases/{knowledge_base_id}/shares/{organization_id}': { operation: 'shares.delete'; ids: [knowledge_base_id: string, organization_id: string] }
  'DELETE /members/{member_id}': { operation: 'members.remove'; ids: [member_id: string] }
  'DELETE /members/{member_id}/two-factor': { operation: 'members.removeTwoFactor'; ids: [member_id: string] }
  'DELETE /projects/{project_id}': { operation: 'projects.delete'; ids: [project_id: string] }
  'DELETE /session': { operation: 'session.delete'; ids: [] }
  'DELETE /shared-chats/{shared_chat_id}': { operation: 'chats.unshare'; ids: [shared_chat_id: string] }
  'DELETE /workspaces/{workspace_id}/api-keys/{key_id}': { operation: 'apiKeys.revoke'; ids: [workspace_id: string, key_id: string] }
  'DELETE /workspaces/{workspace_id}/model-providers/{name}': { operation: 'modelProviders.delete'; ids: [workspace_id: string, name: string] }
  'DELETE /workspaces/{workspace_id}/quotas/{quota_id}': { operation: 'quotas.delete'; ids: [workspace_id: string, quota_id: string] }
  'DELETE /workspaces/{workspace_id}/scim-tokens/{scim_token_id}': { operation: 'scimTokens.revoke'; ids: [workspace_id: string, scim_token_id: string] }
  'DELETE /workspaces/{workspace_id}/search-index/build': { operation: 'searchIndex.cancel'; ids: [workspace_id: string] }
  'DELETE /workspaces/{workspace_id}/sign-in-providers/{sign_in_provider_id}': { operation: 'signInProviders.delete'; ids: [workspace_id: string, sign_in_provider_id: string] }
  'DELETE /workspaces/{workspace_id}/source-apps/{provider}': { operation: 'integrations.deleteApp'; ids: [workspace_id: string, provider: string] }
  'DELETE /workspaces/{workspace_id}/virtual-users/{virtual_user_id}': { operation: 'virtualUsers.delete'; ids: [workspace_id: string, virtual_user_id: string] }
  'DELETE /workspaces/{workspace_id}/virtual-users/{virtual_user_id}/memories/{memory_id}': { operation: 'virtualUsers.memories.delete'; ids: [workspace_id: string, virtual_user_id: string, memory_id: string] }
  'DELETE /workspaces/{workspace_id}/web-search': { operation: 'webSearch.delete'; ids: [workspace_id: string] }
  'DELETE /workspaces/{workspace_id}/webhook-endpoints/{webhook_endpoint_id}': { operation: 'webhooks.endpoints.delete'; ids: [workspace_id: string, webhook_endpoint_id: string] }
  'GET /account': { operation: 'account.get'; ids: [] }
  'GET /account/api-keys': { operation: 'account.apiKeys.list'; ids: [] }
  'GET /account/apps': { operation: 'account.apps.list'; ids: [] }
  'GET /account/sessions': { operation: 'account.sessions.list'; ids: [] }
  'GET /agents': { operation: 'agents.list'; ids: [] }
  'GET /agents/{agent_id}': { operation: 'agents.get'; ids: [agent_id: string] }
  'GET /agents/{agent_id}/chats': { operation: 'chats.list'; ids: [agent_id: string] }
  'GET /agents/{agent_id}/chats/{chat_id}': { operation: 'chats.get'; ids: [agent_id: string, chat_id: string] }
  'GET /agents/{agent_id}/chats/{chat_id}/export': { operation: 'chats.export'; ids: [agent_id: string, chat_id: string] }
  'GET /agents/{agent_id}/chats/{chat_id}/message/{message_id}': { operation: 'messages.get'; ids: [agent_id: string, chat_id: string, message_id: string] }
  'GET /agents/{agent_id}/chats/{chat_id}/message/{message_id}/events': { operation: 'messages.events'; ids: [agent_id: string, chat_id: string, message_id: string] }
  'GET /agents/{agent_id}/chats/{chat_id}/message/{message_id}/retrieval': { operation: 'messages.retrieval'; ids: [agent_id: string, chat_id: string, message_id: string] }
  'GET /agents/{agent_id}/chats/{chat_id}/message/{message_id}/rights': { operation: 'messages.rights'; ids: [agent_id: string, chat_id: string, message_id: string] }
  'GET /agents/{agent_id}/chats/{chat_id}/messages': { operation: 'messages.list'; ids: [agent_id: string, chat_id: string] }
  'GET /agents/{agent_id}/evaluation-runs': { operation: 'evaluation.runs.list'; ids: [agent_id: string] }
  'GET /agents/{agent_id}/evaluation-runs/{evaluation_run_id}': { operation: 'evaluation.runs.get'; ids: [agent_id: string, evaluation_run_id: string] }
  'GET /agents/{agent_id}/evaluation-runs/{evaluation_run_id}/compare': { operation: 'evaluation.runs.compare'; ids: [agent_id: string, evaluation_run_id: string] }
  'GET /agents/{agent_id}/evaluation-runs/{evaluation_run_id}/results': { operation: 'evaluation.runs.results'; ids: [agent_id: string, evaluation_run_id: string] }
  'GET /agents/{agent_id}/evaluation-runs/{evaluation_run_id}/results.csv': { operation: 'evaluation.runs.export'; ids: [agent_id: string, evaluation_run_id: string] }
  'GET /agents/{agent_id}/evaluation-sets': { operation: 'evaluation.sets.list'; ids: [agent_id: string] }
  'GET /agents/{agent_id}/evaluation-sets/{evaluation_set_id}': { operation: 'evaluation.sets.get'; ids: [agent_id: string, evaluation_set_id: string] }
  'GET /agents/{agent_id}/evaluation-sets/{evaluation_set_id}/cases': { operation: 'evaluation.cases.list'; ids: [agent_id: string, evaluation_set_id: string] }
  'GET /agents/{agent_id}/export': { operation: 'agents.export'; ids: [agent_id: string] }
  'GET /agents/{agent_id}/grants': { operation: 'agents.grants.get'; ids: [agent_id: string] }
  'GET /agents/{agent_id}/jobs': { operation: 'agents.jobs.list'; ids: [agent_id: string] }
  'GET /agents/{agent_id}/jobs/{job_id}': { operation: 'agents.jobs.get'; ids: [agent_id: string, job_id: string] }
  'GET /agents/{agent_id}/links': { operation: 'agents.links.list'; ids: [agent_id: string] }
  'GET /agents/{agent_id}/links/{link_id}': { operation: 'agents.links.get'; ids: [agent_id: string, link_id: string] }
  'GET /agents/{agent_id}/model': { operation: 'agents.model.get'; ids: [agent_id: string] }
  'GET /agents/{agent_id}/shortcuts': { operation: 'agents.shortcuts.list'; ids: [agent_id: string] }
  'GET /agents/{agent_id}/shortcuts/{shortcut_id}': { operation: 'agents.shortcuts.get'; ids: [agent_id: string, shortcut_id: string] }
  'GET /chats': { operation: 'chats.listOwn'; ids: [] }
  'GET /chats/pinned-messages': { operation: 'messages.listPinned'; ids: [] }
  'GET /chats/search': { operation: 'chats.search'; ids: [] }
  'GET /chats/shared': { operation: 'chats.listShared'; ids: [] }
  'GET /data-sources/{data_source_id}': { operation: 'dataSources.locate'; ids: [data_source_id: string] }
  'GET /doctor': { operation: 'doctor.examine'; ids: [] }
  'GET /groups': { operation: 'groups.list'; ids: [] }
  'GET /groups/{group_id}': { operation: 'groups.get'; ids: [group_id: string] }
  'GET /integrations': { operation: 'integrations.list'; ids: [] }
  'GET /integrations/apps': { operation: 'integrations.apps'; ids: [] }
  'GET /integrations/{integration_id}': { operation: 'integrations.get'; ids: [integration_id: string] }
  'GET /integrations/{integration_id}/problems': { operation: 'integrations.problems'; ids: [integration_id: string] }
  'GET /invitations': { operation: 'invitations.list'; ids: [] }
  'GET /knowledge-bases': { operation: 'knowledgeBases.list'; ids: [] }
  'GET /knowledge-bases/{knowledge_base_id}': { operation: 'knowledgeBases.get'; ids: [knowledge_base_id: string] }
  'GET /knowledge-bases/{knowledge_base_id}/actions/download': { operation: 'knowledgeBases.download'; ids: [knowledge_base_id: string] }
  'GET /knowledge-bases/{knowledge_base_id}/data-sources': { operation: 'dataSources.list'; ids: [knowledge_base_id: string] }
  'GET /knowledge-bases/{knowledge_base_id}/data-sources/actions/download': { operation: 'dataSources.download'; ids: [knowledge_base_id: string] }
  'GET /knowledge-bases/{knowledge_base_id}/data-sources/by-external-id/{external_id}': { operation: 'dataSources.pushed.get'; ids: [knowledge_base_id: string, external_id: string] }
  'GET /knowledge-bases/{knowledge_base_id}/data-sources/{data_source_id}': { operation: 'dataSources.get'; ids: [knowledge_base_id: string, data_source_id: string] }
  'GET /knowledge-bases/{knowledge_base_id}/data-sources/{data_source_id}/content': { operation: 'dataSources.content'; ids: [knowledge_base_id: string, data_source_id: string] }
  'GET /knowledge-bases/{knowledge_base_id}/data-sources/{data_source_id}/passage-edits': { operation: 'dataSources.passageEdits.list'; ids: [knowledge_base_id: string, data_source_id: string] }
  'GET /knowledge-bases/{knowledge_base_id}/data-sources/{data_source_id}/readers': { operation: 'dataSources.readers.get'; ids: [knowledge_base_id: string, data_source_id: string] }
  'GET /knowledge-bases/{knowledge_base_id}/data-sources/{data_source_id}/text': { operation: 'dataSources.readText'; ids: [knowledge_base_id: string, data_source_id: string] }
  'GET /knowledge-bases/{knowledge_base_id}/data-sources/{data_source_id}/versions': { operation: 'dataSources.versions.list'; ids: [knowledge_base_id: string, data_source_id: string] }
  'GET /knowledge-bases/{knowledge_base_id}/data-sources/{data_source_id}/versions/{version}/content': { operation: 'dataSources.versions.content'; ids: [knowledge_base_id: string, data_source_id: string, version: string] }
  'GET /knowledge-bases/{knowledge_base_id}/events': { operation: 'knowledgeBases.follow'; ids: [knowledge_base_id: string] }
  'GET /knowledge-bases/{knowledge_base_id}/grants': { operation: 'knowledgeBases.grants.get'; ids: [knowledge_base_id: string] }
  'GET /knowledge-bases/{knowledge_base_id}/search': { operation: 'knowledgeBases.search'; ids: [knowledge_base_id: string] }
  'GET /knowledge-bases/{knowledge_base_id}/shares': { operation: 'shares.list'; ids: [knowledge_base_id: string] }
  'GET /me': { operation: 'me.get'; ids: [] }
  'GET /members': { operation: 'members.list'; ids: [] }
  'GET /members/{member_id}': { operation: 'members.get'; ids: [member_id: string] }
  'GET /members/{member_id}/picture': { operation: 'members.picture'; ids: [member_id: string] }
  'GET /models': { operation: 'models.list'; ids: [] }
  'GET /outputs/{organization_id}/{message_id}/{key}': { operation: 'outputs.download'; ids: [organization_id: string, message_id: string, key: string] }
  'GET /projects': { operation: 'projects.list'; ids: [] }
  'GET /projects/{project_id}': { operation: 'projects.get'; ids: [project_id: string] }
  'GET /projects/{project_id}/chats': { operation: 'projects.chats.list'; ids: [project_id: string] }
  'GET /session': { operation: 'session.get'; ids: [] }
  'GET /session/options': { operation: 'session.options'; ids: [] }
  'GET /shared-chats/{shared_chat_id}': { operation: 'chats.readShared'; ids: [shared_chat_id: string] }
  'GET /shared/{token}': { operation: 'shared.get'; ids: [token: string] }
  'GET /shared/{token}/logo': { operation: 'shared.logo'; ids: [token: string] }
  'GET /stream-check': { operation: 'streamCheck.run'; ids: [] }
  'GET /transcription': { operation: 'transcription.get'; ids: [] }
  'GET /workspaces/{workspace_id}/api-keys': { operation: 'apiKeys.list'; ids: [workspace_id: string] }
  'GET /workspaces/{workspace_id}/audit-log': { operation: 'auditLog.list'; ids: [workspace_id: string] }
  'GET /workspaces/{workspace_id}/model-defaults': { operation: 'modelDefaults.get'; ids: [workspace_id: string] }
  'GET /workspaces/{workspace_id}/model-providers': { operation: 'modelProviders.list'; ids: [workspace_id: string] }
  'GET /workspaces/{workspace_id}/origins': { operation: 'browserOrigins.get'; ids: [workspace_id: string] }
  'GET /workspaces/{workspace_id}/quotas': { operation: 'quotas.list'; ids: [workspace_id: string] }
  'GET /workspaces/{workspace_id}/reviews': { operation: 'reviews.list'; ids: [workspace_id: string] }
  'GET /workspaces/{workspace_id}/scim-tokens': { operation: 'scimTokens.list'; ids: [workspace_id: string] }
  'GET /workspaces/{workspace_id}/search-index': { operation: 'searchIndex.get'; ids: [workspace_id: string] }
  'GET /workspaces/{workspace_id}/second-factor': { operation: 'members.secondFactor.get'; ids: [workspace_id: string] }
  'GET /workspaces/{workspace_id}/sign-in-providers': { operation: 'signInProviders.list'; ids: [workspace_id: string] }
  'GET /workspaces/{workspace_id}/usage': { operation: 'usage.get'; ids: [workspace_id: string] }
  'GET /workspaces/{workspace_id}/usage/prices': { operation: 'usage.prices'; ids: [workspace_id: string] }
  'GET /workspaces/{workspace_id}/virtual-users': { operation: 'virtualUsers.list'; ids: [workspace_id: string] }
  'GET /workspaces/{workspace_id}/virtual-users/{virtual_user_id}': { operation: 'virtualUsers.get'; ids: [workspace_id: string, virtual_user_id: string] }
  'GET /workspaces/{workspace_id}/virtual-users/{virtual_user_id}/chats': { operation: 'virtualUsers.chats'; ids: [workspace_id: string, virtual_user_id: string] }
  'GET /workspaces/{workspace_id}/virtual-users/{virtual_user_id}/export': { operation: 'virtualUsers.export'; ids: [workspace_id: string, virtual_user_id: string] }
  'GET /workspaces/{workspace_id}/virtual-users/{virtual_user_id}/grants': { operation: 'virtualUsers.grants.get'; ids: [workspace_id: string, virtual_user_id: string] }
  'GET /workspaces/{workspace_id}/virtual-users/{virtual_user_id}/memories': { operation: 'virtualUsers.memories.list'; ids: [workspace_id: string, virtual_user_id: string] }
  'GET /workspaces/{workspace_id}/virtual-users/{virtual_user_id}/usage': { operation: 'virtualUsers.usage'; ids: [workspace_id: string, virtual_user_id: string] }
  'GET /workspaces/{workspace_id}/web-search': { operation: 'webSearch.get'; ids: [workspace_id: string] }
  'GET /workspaces/{workspace_id}/webhook-deliveries': { operation: 'webhooks.deliveries.list'; ids: [workspace_id: string] }
  'GET /workspaces/{workspace_id}/webhook-deliveries/{delivery_id}': { operation: 'webhooks.deliveries.get'; ids: [workspace_id: string, delivery_id: string] }
  'GET /workspaces/{workspace_id}/webhook-endpoints': { operation: 'webhooks.endpoints.list'; ids: [workspace_id: string] }
  'GET /workspaces/{workspace_id}/webhook-endpoints/{webhook_endpoint_id}': { operation: 'webhooks.endpoints.get'; ids: [workspace_id: string, webhook_endpoint_id: string] }
  'GET /workspaces/{workspace_id}/webhook-endpoints/{webhook_endpoint_id}/deliveries': { operation: 'webhooks.endpoints.deliveries.list'; ids: [workspace_id: string, webhook_endpoint_id: string] }
  'GET /workspaces/{workspace_id}/webhook-endpoints/{webhook_endpoint_id}/deliveries/{delivery_id}': { operation: 'webhooks.endpoints.deliveries.get'; ids: [workspace_id: string, webhook_endpoint_id: string, delivery_id: string] }
  'GET /workspaces/{workspace_id}/webhook-events': { operation: 'webhooks.listen'; ids: [workspace_id: string] }
  'GET /workspaces/{workspace_id}/webhook-secret': { operation: 'webhooks.secret.get'; ids: [workspace_id: string] }
  'PATCH /account': { operation: 'account.update'; ids: [] }
  'PATCH /account/passkeys/{passkey_id}': { operation: 'account.passkeys.update'; ids: [passkey_id: string] }
  'PATCH /agents/{agent_id}': { operation: 'agents.update'; ids: [agent_id: string] }
  'PATCH /agents/{agent_id}/chats/{chat_id}': { operation: 'chats.update'; ids: [agent_id: string, chat_id: string] }
  'PATCH /agents/{agent_id}/chats/{chat_id}/message/{message_id}': { operation: 'messages.update'; ids: [agent_id: string, chat_id: string, message_id: string] }
  'PATCH /agents/{agent_id}/evaluation-sets/{evaluation_set_id}': { operation: 'evaluation.sets.update'; ids: [agent_id: string, evaluation_set_id: string] }
  'PATCH /agents/{agent_id}/evaluation-sets/{evaluation_set_id}/cases/{evaluation_case_id}': { operation: 'evaluation.cases.update'; ids: [agent_id: string, evaluation_set_id: string, evaluation_case_id: string] }
  'PATCH /agents/{agent_id}/jobs/{job_id}': { operation: 'agents.jobs.update'; ids: [agent_id: string, job_id: string] }
  'PATCH /agents/{agent_id}/links/{link_id}': { operation: 'agents.links.update'; ids: [agent_id: string, link_id: string] }
  'PATCH /agents/{agent_id}/shortcuts/{shortcut_id}': { operation: 'agents.shortcuts.update'; ids: [agent_id: string, shortcut_id: string] }
  'PATCH /groups/{group_id}': { operation: 'groups.update'; ids: [group_id: string] }
  'PATCH /integrations/{integration_id}': { operation: 'integrations.update'; ids: [integration_id: string] }
  'PATCH /knowledge-bases/{knowledge_base_id}': { operation: 'knowledgeBases.update'; ids: [knowledge_base_id: string] }
  'PATCH /knowledge-bases/{knowledge_base_id}/data-sources/{data_source_id}': { operation: 'dataSources.update'; ids: [knowledge_base_id: string, data_source_id: string] }
  'PATCH /members/{member_id}': { operation: 'members.update'; ids: [member_id: string] }
  'PATCH /projects/{project_id}': { operation: 'projects.update'; ids: [project_id: string] }
  'PATCH /workspaces/{workspace_id}/api-keys/{key_id}': { operation: 'apiKeys.update'; ids: [workspace_id: string, key_id: string] }
  'PATCH /workspaces/{workspace_id}/virtual-users/{virtual_user_id}': { operation: 'virtualUsers.update'; ids: [workspace_id: string, virtual_user_id: string] }
  'PATCH /workspaces/{workspace_id}/webhook-endpoints/{webhook_endpoint_id}': { operation: 'webhooks.endpoints.update'; ids: [workspace_id: string, webhook_endpoint_id: string] }
  'POST /account/api-keys': { operation: 'account.apiKeys.create'; ids: [] }
  'POST /account/api-keys/{key_id}/rotate': { operation: 'account.apiKeys.rotate'; ids: [key_id: string] }
  'POST /account/apps/actions/check': { operation: 'account.apps.check'; ids: [] }
  'POST /account/apps/actions/decide': { operation: 'account.apps.decide'; ids: [] }
  'POST /account/deletion': { operation: 'account.delete'; ids: [] }
  'POST /account/devices/actions/check': { operation: 'account.apps.checkDevice'; ids: [] }
  'POST /account/devices/actions/decide': { operation: 'account.apps.decideDevice'; ids: [] }
  'POST /account/invitations': { operation: 'account.join'; ids: [] }
  'POST /account/passkeys': { operation: 'account.passkeys.add'; ids: [] }
  'POST /account/passkeys/challenge': { operation: 'account.passkeys.challenge'; ids: [] }
  'POST /account/passkeys/options': { operation: 'account.passkeys.begin'; ids: [] }
  'POST /account/passkeys/{passkey_id}/removal': { operation: 'account.passkeys.remove'; ids: [passkey_id: string] }
  'POST /account/two-factor': { operation: 'account.twoFactor.begin'; ids: [] }
  'POST /account/two-factor/confirmation': { operation: 'account.twoFactor.confirm'; ids: [] }
  'POST /account/two-factor/recovery-codes': { operation: 'account.twoFactor.renewRecoveryCodes'; ids: [] }
  'POST /account/two-factor/removal': { operation: 'account.twoFactor.remove'; ids: [] }
  'POST /agents': { operation: 'agents.create'; ids: [] }
  'POST /agents/import': { operation: 'agents.import'; ids: [] }
  'POST /agents/{agent_id}/chats': { operation: 'chats.create'; ids: [agent_id: string] }
  'POST /agents/{agent_id}/chats/{chat_id}/async_query': { operation: 'chats.queries.createAsync'; ids: [agent_id: string, chat_id: string] }
  'POST /agents/{agent_id}/chats/{chat_id}/message/{message_id}/cancel': { operation: 'messages.cancel'; ids: [agent_id: string, chat_id: string, message_id: string] }
  'POST /agents/{agent_id}/chats/{chat_id}/message/{message_id}/feedback': { operation: 'messages.giveFeedback'; ids: [agent_id: string, chat_id: string, message_id: string] }
  'POST /agents/{agent_id}/chats/{chat_id}/message/{message_id}/review': { operation: 'messages.review'; ids: [agent_id: string, chat_id: string, message_id: string] }
  'POST /agents/{agent_id}/chats/{chat_id}/query': { operation: 'chats.queries.create'; ids: [agent_id: string, chat_id: string] }
  'POST /agents/{agent_id}/evaluation-runs/{evaluation_run_id}/cancel': { operation: 'evaluation.runs.cancel'; ids: [agent_id: string, evaluation_run_id: string] }
  'POST /agents/{agent_id}/evaluation-sets': { operation: 'evaluation.sets.create'; ids: [agent_id: string] }
  'POST /agents/{agent_id}/evaluation-sets/{evaluation_set_id}/cases': { operation: 'evaluation.cases.add'; ids: [agent_id: string, evaluation_set_id: string] }
  'POST /agents/{agent_id}/evaluation-sets/{evaluation_set_id}/runs': { operation: 'evaluation.runs.start'; ids: [agent_id: string, evaluation_set_id: string] }
  'POST /agents/{agent_id}/jobs': { operation: 'agents.jobs.create'; ids: [agent_id: string] }
  'POST /agents/{agent_id}/links': { operation: 'agents.links.create'; ids: [agent_id: string] }
  'POST /agents/{agent_id}/mcp-servers/actions/check': { operation: 'agents.mcpServers.check'; ids: [agent_id: string] }
  'POST /agents/{agent_id}/mcp-servers/actions/connect': { operation: 'agents.mcpServers.connect'; ids: [agent_id: string] }
  'POST /agents/{agent_id}/mcp-servers/actions/disconnect': { operation: 'agents.mcpServers.disconnect'; ids: [agent_id: string] }
  'POST /agents/{agent_id}/mcp-servers/actions/finish-connect': { operation: 'agents.mcpServers.finishConnect'; ids: [agent_id: string] }
  'POST /agents/{agent_id}/openapi-tools/actions/check': { operation: 'agents.openApiTools.check'; ids: [agent_id: string] }
  'POST /agents/{agent_id}/shortcuts': { operation: 'agents.shortcuts.create'; ids: [agent_id: string] }
  'POST /chats/batch': { operation: 'chats.changeMany'; ids: [] }
  'POST /groups': { operation: 'groups.create'; ids: [] }
  'POST /integrations': { operation: 'integrations.create'; ids: [] }
  'POST /integrations/actions/connect': { operation: 'integrations.connect'; ids: [] }
  'POST /integrations/actions/finish-connect': { operation: 'integrations.finishConnect'; ids: [] }
  'POST /integrations/test': { operation: 'integrations.test'; ids: [] }
  'POST /integrations/{integration_id}/cancel': { operation: 'integrations.cancel'; ids: [integration_id: string] }
  'POST /integrations/{integration_id}/sync': { operation: 'integrations.sync'; ids: [integration_id: string] }
  'POST /invitations': { operation: 'invitations.create'; ids: [] }
  'POST /invitations/accept': { operation: 'invitations.accept'; ids: [] }
  'POST /invitations/look': { operation: 'invitations.look'; ids: [] }
  'POST /knowledge-bases': { operation: 'knowledgeBases.create'; ids: [] }
  'POST /knowledge-bases/{knowledge_base_id}/data-sources/actions/cancel-indexing': { operation: 'dataSources.cancelIndexing'; ids: [knowledge_base_id: string] }
  'POST /knowledge-bases/{knowledge_base_id}/data-sources/actions/index': { operation: 'dataSources.index'; ids: [knowledge_base_id: string] }
  'POST /knowledge-bases/{knowledge_base_id}/data-sources/actions/metadata': { operation: 'dataSources.changeMetadata'; ids: [knowledge_base_id: string] }
  'POST /knowledge-bases/{knowledge_base_id}/data-sources/batch': { operation: 'dataSources.pushed.batch'; ids: [knowledge_base_id: string] }
  'POST /knowledge-bases/{knowledge_base_id}/data-sources/documents': { operation: 'dataSources.addDocument'; ids: [knowledge_base_id: string] }
  'POST /knowledge-bases/{knowledge_base_id}/data-sources/{data_source_id}/passage-edits': { operation: 'dataSources.passageEdits.create'; ids: [knowledge_base_id: string, data_source_id: string] }
  'POST /knowledge-bases/{knowledge_base_id}/data-sources/{data_source_id}/versions/{version}/restore': { operation: 'dataSources.versions.restore'; ids: [knowledge_base_id: string, data_source_id: string, version: string] }
  'POST /knowledge-bases/{knowledge_base_id}/shares': { operation: 'shares.create'; ids: [knowledge_base_id: string] }
  'POST /members': { operation: 'members.create'; ids: [] }
  'POST /members/{member_id}/password-link': { operation: 'members.createPasswordLink'; ids: [member_id: string] }
  'POST /models/actions/check': { operation: 'models.check'; ids: [] }
  'POST /password-links': { operation: 'passwordLinks.request'; ids: [] }
  'POST /password-links/use': { operation: 'passwordLinks.use'; ids: [] }
  'POST /projects': { operation: 'projects.create'; ids: [] }
  'POST /session': { operation: 'session.create'; ids: [] }
  'POST /session/passkey': { operation: 'session.createWithPasskey'; ids: [] }
  'POST /session/passkey/challenge': { operation: 'session.beginWithPasskey'; ids: [] }
  'POST /session/password': { operation: 'session.createWithPassword'; ids: [] }
  'POST /session/providers/{provider_id}': { operation: 'session.beginWithProvider'; ids: [provider_id: string] }
  'POST /session/providers/{provider_id}/finish': { operation: 'session.createWithProvider'; ids: [provider_id: string] }
  'POST /session/second-factor': { operation: 'session.createWithSecondFactor'; ids: [] }
  'POST /shared/{token}/visits': { operation: 'shared.visits.create'; ids: [token: string] }
  'POST /transcription': { operation: 'transcription.create'; ids: [] }
  'POST /uploaded-files': { operation: 'uploadedFiles.create'; ids: [] }
  'POST /user-tokens': { operation: 'userTokens.create'; ids: [] }
  'POST /workspaces/{workspace_id}/api-keys': { operation: 'apiKeys.create'; ids: [workspace_id: string] }
  'POST /workspaces/{workspace_id}/api-keys/{key_id}/rotate': { operation: 'apiKeys.rotate'; ids: [workspace_id: string, key_id: string] }
  'POST /workspaces/{workspace_id}/model-defaults/reranking/test': { operation: 'modelDefaults.testReranking'; ids: [workspace_id: string] }
  'POST /workspaces/{workspace_id}/model-providers/{name}/test': { operation: 'modelProviders.test'; ids: [workspace_id: string, name: string] }
  'POST /workspaces/{workspace_id}/scim-tokens': { operation: 'scimTokens.create'; ids: [workspace_id: string] }
  'POST /workspaces/{workspace_id}/search-index/test': { operation: 'searchIndex.test'; ids: [workspace_id: string] }
  'POST /workspaces/{workspace_id}/sign-in-providers': { operation: 'signInProviders.create'; ids: [workspace_id: string] }
  'POST /workspaces/{workspace_id}/sign-in-providers/test': { operation: 'signInProviders.test'; ids: [workspace_id: string] }
  'POST /workspaces/{workspace_id}/virtual-users': { operation: 'virtualUsers.create'; ids: [workspace_id: string] }
  'POST /workspaces/{workspace_id}/virtual-users/{virtual_user_id}/erase': { operation: 'virtualUsers.erase'; ids: [workspace_id: string, virtual_user_id: string] }
  'POST /workspaces/{workspace_id}/virtual-users/{virtual_user_id}/merge': { operation: 'virtualUsers.merge'; ids: [workspace_id: string, virtual_user_id: string] }
  'POST /workspaces/{workspace_id}/web-search/test': { operation: 'webSearch.test'; ids: [workspace_id: string] }
  'POST /workspaces/{workspace_id}/webhook-deliveries/{delivery_id}/redeliver': { operation: 'webhooks.deliveries.redeliver'; ids: [workspace_id: string, delivery_id: string] }
  'POST /workspaces/{workspace_id}/webhook-endpoints': { operation: 'webhooks.endpoints.create'; ids: [workspace_id: string] }
  'POST /workspaces/{workspace_id}/webhook-endpoints/{webhook_endpoint_id}/deliveries/{delivery_id}/redeliver': { operation: 'webhooks.endpoints.deliveries.redeliver'; ids: [workspace_id: string, webhook_endpoint_id: string, delivery_id: string] }
  'POST /workspaces/{workspace_id}/webhook-endpoints/{webhook_endpoint_id}/secret/rotate': { operation: 'webhooks.endpoints.rotate'; ids: [workspace_id: string, webhook_endpoint_id: string] }
  'POST /workspaces/{workspace_id}/webhook-endpoints/{webhook_endpoint_id}/test': { operation: 'webhooks.endpoints.test'; ids: [workspace_id: string, webhook_endpoint_id: string] }
  'POST /workspaces/{workspace_id}/webhook-secret/rotate': { operation: 'webhooks.secret.rotate'; ids: [workspace_id: string] }
  'PUT /account/password': { operation: 'account.changePassword'; ids: [] }
  'PUT /account/picture': { operation: 'account.picture.set'; ids: [] }
  'PUT /account/workspace': { operation: 'account.chooseWorkspace'; ids: [] }
  'PUT /agents/{agent_id}/chats/{chat_id}/share': { operation: 'chats.share'; ids: [agent_id: string, chat_id: string] }
  'PUT /agents/{agent_id}/grants': { operation: 'agents.grants.set'; ids: [agent_id: string] }
  'PUT /knowledge-bases/{knowledge_base_id}/data-sources/by-external-id/{external_id}': { operation: 'dataSources.pushed.put'; ids: [knowledge_base_id: string, external_id: string] }
  'PUT /knowledge-bases/{knowledge_base_id}/data-sources/{data_source_id}/content': { operation: 'dataSources.replaceContent'; ids: [knowledge_base_id: string, data_source_id: string] }
  'PUT /knowledge-bases/{knowledge_base_id}/data-sources/{data_source_id}/readers': { operation: 'dataSources.readers.set'; ids: [knowledge_base_id: string, data_source_id: string] }
  'PUT /knowledge-bases/{knowledge_base_id}/grants': { operation: 'knowledgeBases.grants.set'; ids: [knowledge_base_id: string] }
  'PUT /workspaces/{workspace_id}/model-defaults': { operation: 'modelDefaults.put'; ids: [workspace_id: string] }
  'PUT /workspaces/{workspace_id}/model-providers/{name}': { operation: 'modelProviders.put'; ids: [workspace_id: string, name: string] }
  'PUT /workspaces/{workspace_id}/origins': { operation: 'browserOrigins.put'; ids: [workspace_id: string] }
  'PUT /workspaces/{workspace_id}/quotas': { operation: 'quotas.set'; ids: [workspace_id: string] }
  'PUT /workspaces/{workspace_id}/search-index': { operation: 'searchIndex.choose'; ids: [workspace_id: string] }
  'PUT /workspaces/{workspace_id}/second-factor': { operation: 'members.secondFactor.set'; ids: [workspace_id: string] }
  'PUT /workspaces/{workspace_id}/sign-in-providers/{sign_in_provider_id}': { operation: 'signInProviders.replace'; ids: [workspace_id: string, sign_in_provider_id: string] }
  'PUT /workspaces/{workspace_id}/source-apps/{provider}': { operation: 'integrations.putApp'; ids: [workspace_id: string, provider: string] }
  'PUT /workspaces/{workspace_id}/virtual-users/{virtual_user_id}/grants': { operation: 'virtualUsers.grants.set'; ids: [workspace_id: string, virtual_user_id: string] }
  'PUT /workspaces/{workspace_id}/web-search': { operation: 'webSearch.put'; ids: [workspace_id: string] }
}
