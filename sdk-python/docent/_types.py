# Made by `npm run generate` from openapi.json. Do not edit.
"""Shapes of what is sent and answered, named as in the API's description."""

from __future__ import annotations

from typing import Any, Literal, Never, NotRequired, TypeAlias, TypedDict


class AcceptInvitation(TypedDict):
    token: str
    email: str
    name: str
    password: str


class Account(TypedDict):
    """A person, and where they are a member"""

    id: ObjectId
    email: str
    name: str
    #: Path of the picture, another one for each picture; null: initials stand for them
    picture_url: str | None
    #: Language of the web UI; null for that of the browser
    language: Language | None
    has_password: bool
    #: Authenticator app that is asked for after the password; null if there is none
    two_factor: AccountTwoFactor | None
    #: They sign in alone, and after the password as second factor; the first made first
    passkeys: list[Passkey]
    created_at: Timestamp
    #: Providers by which this account signs in
    identities: list[AccountIdentitiesItem]
    memberships: list[AccountMembershipsItem]


class AccountTwoFactor(TypedDict):
    confirmed_at: Timestamp
    recovery_codes_left: int


class AccountIdentitiesItem(TypedDict):
    id: ObjectId
    provider: AccountIdentitiesItemProvider
    created_at: Timestamp
    used_at: Timestamp


class AccountIdentitiesItemProvider(TypedDict):
    id: str
    name: str


class AccountMembershipsItem(TypedDict):
    member_id: ObjectId
    organization: AccountMembershipsItemOrganization
    workspace: AccountMembershipsItemWorkspace
    role: Literal["owner", "admin", "member"]
    #: Whether this session is in that workspace
    is_current: bool


class AccountMembershipsItemOrganization(TypedDict):
    id: ObjectId
    name: str


class AccountMembershipsItemWorkspace(TypedDict):
    id: ObjectId
    name: str


class AccountSession(TypedDict):
    """A browser that is signed in"""

    id: ObjectId
    is_current: bool
    #: IP address from which it was begun
    address: str | None
    #: Browser that began it, as it calls itself
    user_agent: str | None
    created_at: Timestamp
    #: To the minute
    last_used_at: Timestamp
    expires_at: Timestamp


#: All of them are added, or none
AddEvaluationCases: TypeAlias = "CasesGiven | CasesOfTable | CasesOfRatings | CasesOfDocuments"


class AddPasskey(TypedDict):
    name: str
    passkey: MadePasskey


class AddedDataSource(TypedDict):
    _id: ObjectId
    title: str
    source_type: str
    status: Literal["pending", "indexing", "successful", "failed"]
    #: Why it failed, and what to do about it
    status_reason: str | None
    #: Null for a file that was never asked to be indexed, or not since this is kept
    indexing: Indexing | None
    knowledge_base_id: ObjectId
    file_name: str
    media_type: str
    size_bytes: int
    #: Number of its content, from 1; raised when that is replaced
    version: int
    #: Number of the content that searches and answers find: an earlier one while the newest is not indexed, null while there is none
    found_version: int | None
    virtual_user_id: ObjectId | None
    #: true: a list says who of those who may read its folder may read it
    is_restricted: bool
    metadata: FileMetadata
    created_at: Timestamp
    updated_at: Timestamp


class Agent(TypedDict):
    """An AI agent"""

    id: ObjectId
    #: The workspace it belongs to, the only one whose keys may change it
    workspace_id: ObjectId
    name: str
    description: str
    instructions: str
    #: provider/model; null: the server's default
    model: str | None
    #: Folders it answers from, with all their sub-folders
    knowledge_base_ids: list[ObjectId]
    #: Files of its folders that it reads; null: all
    filters: FileFilter | None
    #: Tools it may use
    tools: list[str]
    visibility: AgentVisibility
    #: Whether the caller may change and delete it
    can_change: bool
    #: Agents that it may call
    sub_agent_ids: list[ObjectId]
    #: Tools that a person has to allow each time
    tools_needing_approval: list[str]
    limits: AgentLimits
    #: Servers whose tools it may use
    mcp_servers: list[McpServer]
    #: HTTP APIs whose operations it may call
    openapi_tools: list[OpenApiTools]
    created_at: Timestamp
    updated_at: Timestamp


class AgentAccessOfPerson(TypedDict):
    """Rights of a member to an agent, and why"""

    id: ObjectId
    name: str
    #: Path of the picture, another one for each picture; null: initials stand for them
    picture_url: str | None
    level: Literal["none", "use", "edit"]
    #: `role`: an owner or admin of the workspace. `owner`: made the agent. `member`, `group`, `workspace`: granted to them, to a group of theirs, or to all. `no_grant`: nobody is granted its use, so everyone may. `threads`: is let see its threads. `nothing`: may not use it
    because: Literal["role", "owner", "member", "group", "workspace", "no_grant", "threads", "nothing"]
    #: Group that gives the right, where one does
    group_name: str | None
    #: Whether they see chats that others begin with the agent
    sees_threads: bool


class AgentFile(TypedDict):
    """An agent as a file: with its jobs and shortcuts, without ids and secrets"""

    #: Version of the format. Default: 1
    version: Literal[1]
    name: str
    #: Default: "" 
    description: str
    #: Default: "" 
    instructions: str
    #: Default: null
    model: str | None
    #: Default: "private" 
    visibility: AgentVisibility
    #: Paths of the folders that it answers from; a slash within a name has a backslash before it. Default: []
    knowledge_bases: list[str]
    #: Default: null
    filters: FileFilter | None
    #: null: the defaults. Default: null
    tools: list[str] | None
    #: Default: []
    tools_needing_approval: list[str]
    #: Names of agents that it may call. Default: []
    sub_agents: list[str]
    limits: AgentLimits
    #: Secrets in headers are written as ***: where the agent has them already, they stay. Default: []
    mcp_servers: list[GivenMcpServer]
    #: Secrets are written as ***: where the agent has them already, they stay. Default: []
    openapi_tools: list[AgentFileApi]
    #: Default: []
    jobs: list[AgentFileJob]
    #: Default: []
    shortcuts: list[AgentFileShortcut]


class AgentFileApi(TypedDict):
    """An HTTP API, as a file of an agent holds it"""

    #: Its tools are called NAME__OPERATION
    name: str
    #: Address of the document. Default: null
    url: str | None
    #: The document itself, in the place of a url. An export does not hold it: without it the agent keeps its own. Default: null
    document: str | None
    #: Begin of every address that is asked; default: the first server of the document. Default: null
    base_url: str | None
    #: Default: null
    auth: GivenApiAuth | None
    #: Ids of the operations that the agent may call. Default: []
    operations: list[str]


class AgentFileApiInput(TypedDict):
    """An HTTP API, as a file of an agent holds it"""

    #: Its tools are called NAME__OPERATION
    name: str
    #: Address of the document. Default: null
    url: NotRequired[str | None]
    #: The document itself, in the place of a url. An export does not hold it: without it the agent keeps its own. Default: null
    document: NotRequired[str | None]
    #: Begin of every address that is asked; default: the first server of the document. Default: null
    base_url: NotRequired[str | None]
    #: Default: null
    auth: NotRequired[GivenApiAuth | None]
    #: Ids of the operations that the agent may call. Default: []
    operations: NotRequired[list[str]]


class AgentFileChange(TypedDict):
    """A difference between an agent and a file"""

    path: str
    #: null: it was not there
    before: Any
    #: null: it is gone
    after: Any


class AgentFileInput(TypedDict):
    """An agent as a file: with its jobs and shortcuts, without ids and secrets"""

    #: Version of the format. Default: 1
    version: NotRequired[Literal[1]]
    name: str
    #: Default: "" 
    description: NotRequired[str]
    #: Default: "" 
    instructions: NotRequired[str]
    #: Default: null
    model: NotRequired[str | None]
    #: Default: "private" 
    visibility: NotRequired[AgentVisibility]
    #: Paths of the folders that it answers from; a slash within a name has a backslash before it. Default: []
    knowledge_bases: NotRequired[list[str]]
    #: Default: null
    filters: NotRequired[FileFilterInput | None]
    #: null: the defaults. Default: null
    tools: NotRequired[list[str] | None]
    #: Default: []
    tools_needing_approval: NotRequired[list[str]]
    #: Names of agents that it may call. Default: []
    sub_agents: NotRequired[list[str]]
    #: Default: {}
    limits: NotRequired[AgentLimitsInput]
    #: Secrets in headers are written as ***: where the agent has them already, they stay. Default: []
    mcp_servers: NotRequired[list[GivenMcpServerInput]]
    #: Secrets are written as ***: where the agent has them already, they stay. Default: []
    openapi_tools: NotRequired[list[AgentFileApiInput]]
    #: Default: []
    jobs: NotRequired[list[AgentFileJobInput]]
    #: Default: []
    shortcuts: NotRequired[list[AgentFileShortcutInput]]


class AgentFileJob(TypedDict):
    """A job, as a file of an agent holds it"""

    name: str
    #: Default: "" 
    instructions: str
    #: Default: null
    tools: list[str] | None
    #: Paths of those of the agent's folders that it is narrowed to; null: all. Default: null
    knowledge_bases: list[str] | None
    #: Default: null
    filters: FileFilter | None
    #: The job as a folder in the Agent Skills format, files by their paths, in the place of all other fields but the name
    skill: NotRequired[dict[str, str]]


class AgentFileJobInput(TypedDict):
    """A job, as a file of an agent holds it"""

    name: str
    #: Default: "" 
    instructions: NotRequired[str]
    #: Default: null
    tools: NotRequired[list[str] | None]
    #: Paths of those of the agent's folders that it is narrowed to; null: all. Default: null
    knowledge_bases: NotRequired[list[str] | None]
    #: Default: null
    filters: NotRequired[FileFilterInput | None]
    #: The job as a folder in the Agent Skills format, files by their paths, in the place of all other fields but the name
    skill: NotRequired[dict[str, str]]


class AgentFileShortcut(TypedDict):
    """A shortcut, as a file of an agent holds it"""

    name: str
    prompt: str
    #: Default: []
    fields: list[ShortcutField]
    #: Name of one of the jobs of the file. Default: null
    job: str | None


class AgentFileShortcutInput(TypedDict):
    """A shortcut, as a file of an agent holds it"""

    name: str
    prompt: str
    #: Default: []
    fields: NotRequired[list[ShortcutFieldInput]]
    #: Name of one of the jobs of the file. Default: null
    job: NotRequired[str | None]


class AgentGrant(TypedDict):
    """Right to an agent"""

    #: admins: owners and admins of the workspace, who are granted `threads` alone, as they may do all else
    kind: Literal["member", "group", "workspace", "admins"]
    #: The member or group; for `workspace`, which stands for all its members and its keys of the role member, its id
    id: str
    #: Empty for the workspace and its admins
    name: str
    #: use: without any such grant, everyone may use the agent. edit: to change it, and use it. threads: to see the chats that begin with it from then on, and use it. none: only for the workspace, so that nobody may use it but those who are granted it
    level: Literal["none", "use", "edit", "threads"]


class AgentGrants(TypedDict):
    """Rights of members and groups to an agent, beside its owner and the admins"""

    grants: list[AgentGrant]
    #: Workspace of the agent: the id of grants to it
    workspace_id: ObjectId
    #: The member who made the agent; null for one that a key made
    owner: AgentGrantsOwner | None
    #: Whether only those who are granted it may use it
    is_restricted: bool
    #: Whether the caller may change who uses and edits it
    can_change: bool
    #: Whether the caller may change who sees its threads
    can_change_threads: bool
    #: Members of the workspace by name, at most 500; empty for callers who may not change this
    people: list[AgentAccessOfPerson]
    #: Members of the workspace; 0 for callers who may not change this
    people_total: int
    #: Groups to choose from; empty for callers who may not change this
    all_groups: list[AgentGrantsAllGroupsItem]


class AgentGrantsOwner(TypedDict):
    id: ObjectId
    name: str


class AgentGrantsAllGroupsItem(TypedDict):
    id: ObjectId
    name: str


class AgentLimits(TypedDict):
    """Limits of one run"""

    #: Turns of the model in one run; the last one has to answer; null: 20. Default: null
    max_steps: int | None
    #: Input and output tokens of one run, sub-agents included; null: 500000. Default: null
    max_tokens: int | None
    #: Seconds of work in one run, without what reviews take; null: 900. Default: null
    max_seconds: int | None
    #: Characters of one tool's result that the model reads; null: 50000. Default: null
    max_tool_output_characters: int | None


class AgentLimitsInput(TypedDict):
    """Limits of one run"""

    #: Turns of the model in one run; the last one has to answer; null: 20. Default: null
    max_steps: NotRequired[int | None]
    #: Input and output tokens of one run, sub-agents included; null: 500000. Default: null
    max_tokens: NotRequired[int | None]
    #: Seconds of work in one run, without what reviews take; null: 900. Default: null
    max_seconds: NotRequired[int | None]
    #: Characters of one tool's result that the model reads; null: 50000. Default: null
    max_tool_output_characters: NotRequired[int | None]


class AgentLink(TypedDict):
    """A link through which people chat with an agent without a key"""

    id: ObjectId
    agent_id: ObjectId
    name: str
    audience: AgentLinkAudience
    token: str
    #: The page on which people chat
    url: str
    #: HTML that puts the chat on a page of one of the allowed origins
    embed_code: str
    #: Origins whose pages may embed it; none: no page
    allowed_origins: list[str]
    #: Greeting that visitors read first; empty: the page asks what they would like to know
    greeting: str
    #: Colour of buttons and links, as `#rrggbb`; null: that of Docent
    color: str | None
    #: Corner of the website in which the button is
    position: Literal["left", "right"]
    #: Questions that visitors are offered at the start
    starter_questions: list[str]
    #: Language of the page; null: that of the visitor's browser
    language: Language | None
    #: Path of the logo on this server, which changes with the logo; null: none
    logo_url: str | None
    #: Queries of all visitors together
    queries_per_minute: int
    queries_per_visitor_per_minute: int
    #: False while the agent's visibility does not allow the audience
    is_working: bool
    created_at: Timestamp
    updated_at: Timestamp


#: public: whoever has the link; organization: who also signs in with a key of the organization
AgentLinkAudience: TypeAlias = Literal["public", "organization"]


class AgentModel(TypedDict):
    """Model that an agent answers with"""

    #: PROVIDER/MODEL
    model: str
    #: False for a model that only quotes documents
    can_converse: bool
    #: Whether pictures go along with a question; null: it is not known, and they do not
    sees_pictures: bool | None


#: private: its workspace only; organization and public: every workspace of the organization
AgentVisibility: TypeAlias = Literal["private", "organization", "public"]


class ApiAuth(TypedDict):
    """How calls of an API are authenticated, without the secret"""

    type: Literal["header", "query", "bearer", "basic"]
    name: str | None
    username: str | None
    #: Always ***
    secret: str


class ApiKey(TypedDict):
    """A key without its secret"""

    id: ObjectId
    name: str
    #: The first 8 characters, to recognise it by
    prefix: str
    role: Literal["owner", "admin", "member"]
    #: Owners and admins hold all
    permissions: list[Literal["create_knowledgebase", "manage_agents", "manage_keys"]]
    scopes: KeyScopes | None
    #: Its own; null for that of all keys
    rate_limit: KeyRateLimit | None
    expires_at: Timestamp | None
    #: Time at which the secret before the last rotation stops working; null if never rotated
    earlier_secret_until: Timestamp | None
    created_at: Timestamp
    #: To the minute
    last_used_at: Timestamp | None


class ApiOperation(TypedDict):
    """An operation that an OpenAPI document describes"""

    id: str
    #: Name by which the agent calls it
    tool_name: str
    method: str
    path: str
    summary: str
    description: str
    #: JSON Schema of its arguments
    input_schema: dict[str, Any]
    #: Whether its method says that it changes nothing
    is_read_only: bool
    is_deprecated: bool
    is_on: bool
    #: Why it cannot be chosen
    problem: str | None


class AppDecision(TypedDict):
    #: Address to send the browser to
    redirect_to: str


class AppRequest(TypedDict):
    """Request of an app to act for the person who is signed in"""

    client: AppRequestClient
    #: Destination of the browser afterwards: a host, the own machine, or a program on it
    destination: AppRequestDestination
    #: Scopes that the app asks for
    scopes: list[Literal["agents", "documents", "api"]]


class AppRequestClient(TypedDict):
    id: str
    #: As the app calls itself; nobody has checked it
    name: str
    #: Home page that the app names
    uri: str | None
    #: Whether it is the command line of Docent itself
    is_own: bool


class AppRequestDestination(TypedDict):
    """Destination of the browser afterwards: a host, the own machine, or a program on it"""

    kind: Literal["site", "this_device", "program"]
    name: str


class AuditEntry(TypedDict):
    """Something administrative that was done"""

    id: ObjectId
    #: One of organization.created, workspace.created, workspace.origins_changed, workspace.second_factor_changed, api_key.created, api_key.revoked, api_key.rotated, api_key.updated, app.connected, app.disconnected, scim_token.created, scim_token.revoked, sign_in_provider.created, sign_in_provider.updated, sign_in_provider.deleted, model_provider.created, model_provider.updated, model_provider.deleted, workspace.models_changed, workspace.web_search_changed, workspace.source_app_changed, workspace.search_index_changed, workspace.search_index_cancelled, member.joined, member.updated, member.removed, member.password_changed, member.provider_linked, member.provider_unlinked, member.two_factor_on, member.two_factor_off, member.recovery_code_used, member.recovery_codes_made, member.passkey_added, member.passkey_removed, password_link.created, invitation.created, invitation.revoked, group.created, group.updated, group.deleted, webhook_secret.rotated, webhook_endpoint.created, webhook_endpoint.updated, webhook_endpoint.rotated, webhook_endpoint.disabled, webhook_endpoint.deleted, agent.created, agent.updated, agent.visibility_changed, agent.deleted, agent.access_changed, agent.mcp_connected, agent.mcp_disconnected, job.created, job.updated, job.deleted, shortcut.created, shortcut.updated, shortcut.deleted, evaluation_set.created, evaluation_set.updated, evaluation_set.deleted, evaluation_run.started, evaluation_run.cancelled, agent_link.created, agent_link.updated, agent_link.deleted, knowledge_base.created, knowledge_base.updated, knowledge_base.deleted, knowledge_base.access_changed, knowledge_base.shared, knowledge_base.unshared, data_source.replaced, data_source.restored, data_source.passages_changed, data_source.readers_changed, project.created, project.updated, project.deleted, chat.shared, chat.unshared, integration.created, integration.updated, integration.deleted, virtual_user.deleted, virtual_user.erased, virtual_user.merged, virtual_user.exported, virtual_user.grants_changed, quota.updated, review.decided, tasks.retried, data.backed_up, data.mended, data.moved, data.restored, or one that a later version adds
    action: str
    #: null: it concerns all workspaces of the organization
    workspace_id: ObjectId | None
    actor: AuditEntryActor
    target: AuditEntryTarget
    #: Details of the action, for instance which fields changed; never a secret
    details: dict[str, Any]
    #: The x-request-id of the request, as in the logs
    request_id: str | None
    #: Address that the request came from
    ip: str | None
    created_at: Timestamp


class AuditEntryActor(TypedDict):
    #: member: somebody who is signed in, or a personal key; operator: on the command line of the server
    type: Literal["api_key", "member", "operator"]
    #: For a member: of the key that stands for them
    api_key_id: ObjectId | None
    #: For a member who was signed in: the person's name
    api_key_name: str | None
    member_id: ObjectId | None


class AuditEntryTarget(TypedDict):
    #: One of organization, workspace, api_key, app, scim_token, sign_in_provider, model_provider, member, invitation, group, webhook_secret, webhook_endpoint, agent, job, shortcut, evaluation_set, evaluation_run, agent_link, knowledge_base, data_source, project, chat, integration, virtual_user, message, or one that a later version adds
    type: str
    id: str
    #: As it was called then; null for people
    name: str | None


class BeginPasskeySignIn(TypedDict):
    #: After a right password, with a passkey of that account, instead of a passkey alone. Default: false
    second_factor: NotRequired[bool]


class BeginProviderSignIn(TypedDict):
    #: Link the account that is signed in, instead of signing in. Default: false
    link: NotRequired[bool]


class BeginSourceLogin(TypedDict):
    #: Provider of documents
    provider: Literal["google", "microsoft", "notion", "atlassian", "slack"]


class BeginTwoFactor(TypedDict):
    password: str


class BrowserOrigins(TypedDict):
    """Origins whose pages may call with the token of a virtual user"""

    origins: list[str]


CasesGiven = TypedDict(
    "CasesGiven",
    {
        "from": "Literal[\"cases\"]",
        "cases": "list[CreateEvaluationCase]",
    },
)


CasesOfDocuments = TypedDict(
    "CasesOfDocuments",
    {
        "from": "Literal[\"documents\"]",
        "limit": "NotRequired[int]",
        "model": "NotRequired[str | None]",
    },
)


CasesOfRatings = TypedDict(
    "CasesOfRatings",
    {
        "from": "Literal[\"rated_messages\"]",
        "rating": "NotRequired[Literal[\"up\", \"down\"]]",
        "limit": "NotRequired[int]",
    },
)


CasesOfTable = TypedDict(
    "CasesOfTable",
    {
        "from": "Literal[\"csv\"]",
        "csv": "str",
    },
)


class ChangeChats(TypedDict):
    """Own chats, with any agents, and what to do with all of them"""

    chat_ids: list[str]
    action: Literal["archive", "unarchive", "pin", "unpin", "delete"]


class ChangeMetadata(TypedDict):
    data_source_ids: list[ObjectId]
    #: Keys that get this value. Default: {}
    set: NotRequired[FileMetadata]
    #: Keys that go, of which none is in `set`. Default: []
    remove: NotRequired[list[str]]


class ChangePassage(TypedDict):
    #: edit: another text; off: searches do not find it any more; add: a passage of its own after it
    kind: Literal["edit", "off", "add"]
    #: Place of the passage, as readText gives it; -1 adds at the beginning of the file
    ordinal: int
    #: Needed but for `off`, which takes none
    text: NotRequired[str]
    #: Text that the passage has: another one is 409 PASSAGE_CHANGED, and nothing is done
    was: NotRequired[str]


class ChangePassword(TypedDict):
    #: The one that there is
    password: str
    new_password: str


class Chat(TypedDict):
    """A conversation with one agent"""

    id: ObjectId
    title: str
    chat_type: ChatType
    agent_id: ObjectId
    created_at: Timestamp
    metadata: ChatMetadata
    #: Project that it is in; null for none
    project_id: ObjectId | None
    #: Put away by its owner: the UI lists it apart
    is_archived: bool
    #: Kept by its owner above other chats
    is_pinned: bool


#: String keys and string values, at most 50
ChatMetadata: TypeAlias = "dict[str, str]"


class ChatShare(TypedDict):
    """A chat that members of its workspace may read by a link"""

    #: Secret part of the link
    id: str
    #: Link for members of the workspace
    url: str
    chat_id: ObjectId
    agent_id: ObjectId
    #: Title of the chat
    title: str
    #: true: the chat as it is at any time; false: as it was at updated_at
    follows: bool
    created_at: Timestamp
    updated_at: Timestamp


#: Kind of chat: decides where the product shows it
ChatType: TypeAlias = Literal["playground", "configuration", "interact", "standard"]


class CheckAppRequest(TypedDict):
    #: Query of the address to which the app sent the browser
    query: str


class CheckDevice(TypedDict):
    #: Code that a program without a browser shows; case and hyphens do not matter
    user_code: str


class CheckMcpServer(TypedDict):
    #: One of the servers that the agent has
    name: NotRequired[str]
    #: A server that the agent does not have yet, or not in this form
    server: NotRequired[GivenMcpServerInput]


class CheckModel(TypedDict):
    #: PROVIDER/MODEL; null: the server's default. Default: null
    model: NotRequired[str | None]


class ChooseSearchIndex(TypedDict):
    #: environment: as the server's operator set it; workspace: a model that a workspace chose; none: search by words alone
    source: Literal["environment", "workspace", "none"]
    #: PROVIDER/MODEL, or local/FOLDER; with the source workspace alone. Default: null
    model: NotRequired[str | None]


class ChooseWorkspace(TypedDict):
    workspace_id: str


class Citation(TypedDict):
    """A passage that the answer relies on"""

    #: The number by which the text refers to it: [1]
    index: int
    data_source_id: ObjectId
    title: str
    #: Address of the document in the web, if its metadata name one under `url`
    url: NotRequired[str]
    location: Location
    text: str


class ConfirmTwoFactor(TypedDict):
    #: Six digits of the authenticator app, or a recovery code
    code: str


class ConnectedApp(TypedDict):
    """App that acts for a person in a workspace"""

    id: ObjectId
    name: str
    client_id: str
    scopes: list[Literal["agents", "documents", "api"]]
    connected_at: Timestamp
    last_used_at: Timestamp | None
    #: When it ends unless it is used before
    expires_at: Timestamp


class CreateAgent(TypedDict):
    name: str
    #: Default: "" 
    description: NotRequired[str]
    #: Default: "" 
    instructions: NotRequired[str]
    #: Default: null
    model: NotRequired[str | None]
    #: Default: []
    knowledge_base_ids: NotRequired[list[str]]
    #: Default: null
    tools: NotRequired[list[Literal["search_knowledge", "read_file", "list_files", "create_file", "web_search", "fetch_page", "run_javascript", "ask_person", "remember", "call_agent"]] | None]
    #: Default: "private" 
    visibility: NotRequired[AgentVisibility]
    #: Default: []
    sub_agent_ids: NotRequired[list[str]]
    #: Default: []
    tools_needing_approval: NotRequired[list[ToolReference]]
    #: Default: {}
    limits: NotRequired[AgentLimitsInput]
    #: Default: []
    mcp_servers: NotRequired[list[GivenMcpServerInput]]
    #: Default: []
    openapi_tools: NotRequired[list[GivenOpenApiTools]]
    #: Default: null
    filters: NotRequired[FileFilterInput | None]


class CreateAgentLink(TypedDict):
    #: Default: "Link" 
    name: NotRequired[str]
    #: Default: "public" 
    audience: NotRequired[AgentLinkAudience]
    allowed_origins: NotRequired[list[str]]
    #: Default: "" 
    greeting: NotRequired[str]
    #: Colour of buttons and links, as `#rrggbb`; null: that of Docent. Default: null
    color: NotRequired[str | None]
    #: Corner of the website in which the button is. Default: "right" 
    position: NotRequired[Literal["left", "right"]]
    #: Questions that visitors are offered at the start. Default: []
    starter_questions: NotRequired[list[str]]
    #: Language of the page; null: that of the visitor's browser. Default: null
    language: NotRequired[Language | None]
    #: PNG, JPEG or WebP in Base64, at most 200,000 bytes; null: none. Default: null
    logo: NotRequired[str | None]
    #: Default: 60
    queries_per_minute: NotRequired[int]
    #: Default: 10
    queries_per_visitor_per_minute: NotRequired[int]


class CreateApiKey(TypedDict):
    name: str
    #: Default: "member" 
    role: NotRequired[Literal["owner", "admin", "member"]]
    #: Default: []
    permissions: NotRequired[list[Literal["create_knowledgebase", "manage_agents", "manage_keys"]]]
    #: Default: null
    scopes: NotRequired[NewKeyScopes | None]
    expires_at: NotRequired[str | None]
    #: Default: null
    rate_limit: NotRequired[KeyRateLimit | None]


class CreateChat(TypedDict):
    #: Default: "New Chat" 
    title: NotRequired[str]
    #: Default: "standard" 
    chat_type: NotRequired[ChatType]
    #: Default: {}
    metadata: NotRequired[ChatMetadata]
    #: Virtual user whose chat it is: it takes only their messages, and their tokens open it. Default: null
    virtual_user_email: NotRequired[str | None]
    #: Project that it begins in. Default: null
    project_id: NotRequired[ObjectId | None]


class CreateEvaluationCase(TypedDict):
    question: str
    #: Texts of which a right answer has one: a number, a name, a sentence of the document. Default: []
    expected_answers: NotRequired[list[str]]
    #: A good answer, for the judge to compare with. Default: null
    reference_answer: NotRequired[str | None]
    #: Default: []
    expected_files: NotRequired[list[FileToExpect]]
    #: Default: []
    tags: NotRequired[list[str]]
    #: false: the agent should say that it does not know. Default: true
    answerable: NotRequired[bool]


class CreateEvaluationSet(TypedDict):
    name: str
    #: `provider/model` that judges each answer; null: none does. Default: null
    judge_model: NotRequired[str | None]
    #: Every night a run begins at this hour, with your rights; null: none does. Default: null
    schedule: NotRequired[CreateEvaluationSetSchedule | None]
    #: Default: []
    cases: NotRequired[list[CreateEvaluationCase]]


class CreateEvaluationSetSchedule(TypedDict):
    hour: int
    #: Default: "UTC" 
    time_zone: NotRequired[str]
    #: Default: []
    alerts: NotRequired[list[EvaluationAlert]]


class CreateInvitation(TypedDict):
    #: Default: null
    email: NotRequired[str | None]
    #: Default: "member" 
    role: NotRequired[Literal["owner", "admin", "member"]]
    #: Default: []
    group_ids: NotRequired[list[str]]
    #: Default: 168
    expires_in_hours: NotRequired[int]


class CreateJob(TypedDict):
    name: str
    #: Default: "" 
    instructions: NotRequired[str]
    #: Default: null
    tools: NotRequired[list[ToolReference] | None]
    #: Default: null
    knowledge_base_ids: NotRequired[list[str] | None]
    #: Default: null
    filters: NotRequired[FileFilterInput | None]


class CreateMember(TypedDict):
    email: str
    name: str
    #: Default: "member" 
    role: NotRequired[Literal["owner", "admin", "member"]]
    #: Default: []
    group_ids: NotRequired[list[str]]


class CreatePersonalKey(TypedDict):
    name: str
    #: Default: null
    scopes: NotRequired[PersonalKeyScopes | None]
    expires_at: NotRequired[str | None]


class CreateProject(TypedDict):
    name: str
    #: Instructions to the model in every chat of the project, after those of its agent. Default: "" 
    instructions: NotRequired[str]
    #: Agent that the UI begins new chats of the project with; null: the person chooses. Default: null
    agent_id: NotRequired[str | None]
    #: A folder that is there already, which keeps its rights; null: a new one is made, with the name. Default: null
    knowledge_base_id: NotRequired[str | None]
    #: Whether the new folder is closed to other members of the workspace, but admins, until it is shared. Keys of programs make it as any folder. Default: true
    is_private: NotRequired[bool]


class CreateScimToken(TypedDict):
    name: str
    expires_at: NotRequired[str | None]


class CreateShortcut(TypedDict):
    name: str
    prompt: str
    #: Default: []
    fields: NotRequired[list[ShortcutFieldInput]]
    #: Default: null
    job_id: NotRequired[str | None]


class CreateSignInProvider(TypedDict):
    #: Part of the redirect URI; 1 to 40 lower-case letters, digits or hyphens
    id: str
    #: Stands on the button of the sign-in page
    name: str
    #: As the provider calls itself; https (http on this machine alone)
    issuer: str
    client_id: str
    #: Default: client_secret_basic with a secret, none without
    client_auth: NotRequired[Literal["client_secret_basic", "client_secret_post", "none"]]
    #: Default: "openid email profile" 
    scope: NotRequired[str]
    #: Default: "id_token" 
    claims_from: NotRequired[Literal["id_token", "userinfo"]]
    #: Default: "email_verified" 
    email_verified_claim: NotRequired[str]
    #: Domains of the e-mails that are let in; none: only people who linked the provider to their account. Default: []
    domains: NotRequired[list[str]]
    #: Whether somebody who is no member yet becomes one when they first sign in. Default: true
    makes_accounts: NotRequired[bool]
    #: Default: "member" 
    default_role: NotRequired[Literal["owner", "admin", "member"]]
    role_claim: NotRequired[str]
    #: Values of the claim, and the roles that they give; none above your own. Default: {}
    roles: NotRequired[dict[str, Literal["owner", "admin", "member"]]]
    groups_claim: NotRequired[str]
    #: Values of the claim, and names of groups; default: the same names
    groups: NotRequired[dict[str, str]]
    required_claim: NotRequired[CreateSignInProviderRequiredClaim]
    client_secret: NotRequired[str]


class CreateSignInProviderRequiredClaim(TypedDict):
    name: str
    value: NotRequired[str]


class CreateTranscription(TypedDict):
    #: Recording in MP3, M4A, WAV, OGG, WebM, FLAC or MP4 of at most 4 MiB, in Base64
    audio: str


class CreateUserToken(TypedDict):
    #: E-mail of the person who gets the token
    virtual_user_email: str
    #: Agents that the person may ask
    agent_ids: list[str]
    #: Answers come from these of the agents' folders, and what is below; null: from all. Default: null
    knowledge_base_ids: NotRequired[list[str] | None]
    #: Whether the person may open the files that their answers cite. Default: false
    read_cited_files: NotRequired[bool]
    #: Seconds for which it works. Default: 3600
    expires_in: NotRequired[int]


class CreateWebhookEndpoint(TypedDict):
    #: http or https; events are sent there with POST
    url: str
    event_types: list[Literal["data_source.indexed", "data_source.failed", "integration.failed", "message.waiting", "evaluation.finished", "evaluation.regressed"]]
    #: Default: "" 
    description: NotRequired[str]


class CreatedApiKey(TypedDict):
    id: ObjectId
    name: str
    #: The first 8 characters, to recognise it by
    prefix: str
    role: Literal["owner", "admin", "member"]
    #: Owners and admins hold all
    permissions: list[Literal["create_knowledgebase", "manage_agents", "manage_keys"]]
    scopes: KeyScopes | None
    #: Its own; null for that of all keys
    rate_limit: KeyRateLimit | None
    expires_at: Timestamp | None
    #: Time at which the secret before the last rotation stops working; null if never rotated
    earlier_secret_until: Timestamp | None
    created_at: Timestamp
    #: To the minute
    last_used_at: Timestamp | None
    #: Shown this once
    key: str


class CreatedKnowledgeBase(TypedDict):
    id: ObjectId
    name: str
    parent_kb_id: ObjectId | None
    is_root: bool
    integration_id: ObjectId | None
    user_defined_tags: list[str]
    created_at: Timestamp


class CreatedScimToken(TypedDict):
    id: ObjectId
    name: str
    #: The first 8 characters, to recognise it by
    prefix: str
    #: Role of whoever made it: the token ends no membership of a higher one
    role: Literal["owner", "admin", "member"]
    expires_at: Timestamp | None
    created_at: Timestamp
    #: To the minute
    last_used_at: Timestamp | None
    #: Address to enter in the directory, as tenant or base URL
    base_url: str
    #: Shown this once
    token: str


class DataSource(TypedDict):
    """A file"""

    id: ObjectId
    title: str
    source_type: str
    status: Literal["pending", "indexing", "successful", "failed"]
    #: Why it failed, and what to do about it
    status_reason: str | None
    #: Null for a file that was never asked to be indexed, or not since this is kept
    indexing: Indexing | None
    knowledge_base_id: ObjectId
    file_name: str
    media_type: str
    size_bytes: int
    #: Number of its content, from 1; raised when that is replaced
    version: int
    #: Number of the content that searches and answers find: an earlier one while the newest is not indexed, null while there is none
    found_version: int | None
    virtual_user_id: ObjectId | None
    #: true: a list says who of those who may read its folder may read it
    is_restricted: bool
    metadata: FileMetadata
    created_at: Timestamp
    updated_at: Timestamp


class DataSourceDetail(TypedDict):
    _id: ObjectId
    id: ObjectId
    title: str
    source_type: str
    status: Literal["pending", "indexing", "successful", "failed"]
    #: Why it failed, and what to do about it
    status_reason: str | None
    #: Null for a file that was never asked to be indexed, or not since this is kept
    indexing: Indexing | None
    knowledge_base_id: ObjectId
    file_name: str
    media_type: str
    size_bytes: int
    #: Number of its content, from 1; raised when that is replaced
    version: int
    #: Number of the content that searches and answers find: an earlier one while the newest is not indexed, null while there is none
    found_version: int | None
    virtual_user_id: ObjectId | None
    #: true: a list says who of those who may read its folder may read it
    is_restricted: bool
    metadata: FileMetadata
    created_at: Timestamp
    updated_at: Timestamp


class DataSourceFailedEvent(TypedDict):
    """A file cannot be indexed"""

    type: Literal["data_source.failed"]
    #: When it happened
    timestamp: Timestamp
    #: Workspace of the endpoint
    workspace_id: ObjectId
    data: DataSourceFailedEventData


class DataSourceFailedEventData(TypedDict):
    data_source_id: ObjectId
    knowledge_base_id: ObjectId
    title: str
    #: As `status_reason` of the file
    reason: str


class DataSourceIndexedEvent(TypedDict):
    """Searches find a file that was added, replaced or indexed again"""

    type: Literal["data_source.indexed"]
    #: When it happened
    timestamp: Timestamp
    #: Workspace of the endpoint
    workspace_id: ObjectId
    data: DataSourceIndexedEventData


class DataSourceIndexedEventData(TypedDict):
    data_source_id: ObjectId
    knowledge_base_id: ObjectId
    title: str
    #: Passages that searches find
    chunk_count: int


class DecideAppRequest(TypedDict):
    #: Query of the address to which the app sent the browser
    query: str
    decision: Literal["allow", "refuse"]
    #: Scopes to give, of those that the app asks for; left out: all of them
    scopes: NotRequired[list[Literal["agents", "documents", "api"]]]
    #: Agents that the app may ask; null: all that the person may. Default: null
    agent_ids: NotRequired[list[str] | None]


class DecideDevice(TypedDict):
    #: Code that a program without a browser shows; case and hyphens do not matter
    user_code: str
    decision: Literal["allow", "refuse"]


class DeleteAccount(TypedDict):
    password: str


class DeltaEvent(TypedDict):
    """A piece of the reasoning or of the answer: concatenate `text`"""

    type: Literal["reasoning", "response"]
    subtype: None
    text: str
    extended_text: str | None
    #: From 0, growing, with gaps; what a resumed stream names
    sequence_number: int
    data: None


class DeviceDecision(TypedDict):
    decision: Literal["allow", "refuse"]


class DeviceRequest(TypedDict):
    """Request of a program without a browser to act for a person"""

    client: DeviceRequestClient
    scopes: list[Literal["agents", "documents", "api"]]


class DeviceRequestClient(TypedDict):
    id: str
    #: As the app calls itself; nobody has checked it
    name: str
    #: Home page that the app names
    uri: str | None
    #: Whether it is the command line of Docent itself
    is_own: bool


class Diagnosis(TypedDict):
    """Damage, losses and leftovers"""

    #: Whether all counts are 0
    healthy: bool
    #: Findings of the database's own full check; of the whole installation
    database_faults: int
    #: Stored files that nothing refers to; of the whole installation
    orphan_blobs: int
    #: Files whose bytes are lost
    rows_without_blob: int
    #: Files whose bytes are not those that were uploaded
    damaged_blobs: int
    #: Files of which what was read is lost or damaged
    lost_parses: int
    #: 1 if the search index cannot be read, or is not as it was written
    damaged_indexes: int
    #: Files that are gone, and still in the search index
    orphan_documents: int
    #: Indexed files that the search index lacks
    files_not_in_index: int
    #: Messages in progress that nobody answers
    stuck_messages: int
    #: Files of the server that other users of its machine may use; of the whole installation
    open_files: int
    #: Checks that could not be run
    failed_checks: int
    #: Advice for each count that is not 0
    advice: list[str]


class EndReasoningEvent(TypedDict):
    """The reasoning is complete"""

    type: Literal["end_reasoning"]
    subtype: None
    text: str
    extended_text: str | None
    #: From 0, growing, with gaps; what a resumed stream names
    sequence_number: int
    data: None


class EndResponseEvent(TypedDict):
    """The answer is complete; the passages that it relies on"""

    type: Literal["end_response"]
    subtype: None
    text: str
    extended_text: str | None
    #: From 0, growing, with gaps; what a resumed stream names
    sequence_number: int
    data: EndResponseEventData


class EndResponseEventData(TypedDict):
    message_id: ObjectId
    citations: list[Citation]


class ErasedVirtualUser(TypedDict):
    erased: Literal[True]
    messages_deleted: int
    #: Chats that held nothing but messages of this person
    chats_deleted: int
    #: Memories that agents kept of this person
    memories_deleted: int
    uploads_deleted: int
    #: Documents in folders, which stay without the name of the person
    files_anonymised: int


class ErrorBody(TypedDict):
    """An error: its code, and in words what to change"""

    error_code: str
    message: str
    details: NotRequired[list[ErrorBodyDetailsItem]]


class ErrorBodyDetailsItem(TypedDict):
    path: str
    message: str


class ErrorEvent(TypedDict):
    """The run failed; `text` says why. Nothing but [DONE] follows"""

    type: Literal["error"]
    subtype: None
    text: str
    extended_text: str | None
    #: From 0, growing, with gaps; what a resumed stream names
    sequence_number: int
    data: None


class EvaluationAlert(TypedDict):
    """When a run by schedule counts as regressed"""

    measure: Literal["recall_at_5", "recall_at_10", "ndcg_at_10", "quoted", "cited_expected", "declined_right", "declined_wrong", "judge_score"]
    #: Share that it must not be worse than: below it, or of declined_wrong above it. Default: null
    limit: NotRequired[float | None]
    #: How much worse than in the run before it may be: 0.05 for 5 points. Default: null
    drop: NotRequired[float | None]


class EvaluationCase(TypedDict):
    """A question, with what a good answer to it has"""

    id: ObjectId
    question: str
    expected_answers: list[str]
    reference_answer: str | None
    expected_files: list[ExpectedFile]
    tags: list[str]
    answerable: bool
    source: Literal["manual", "csv", "rated_message", "document"]
    created_at: Timestamp
    updated_at: Timestamp


class EvaluationCaseChange(TypedDict):
    case_id: ObjectId
    question: str | None
    change: Literal["better", "worse", "mixed", "same", "not_comparable"]
    #: Measures that got better
    better: list[str]
    worse: list[str]
    before: EvaluationMeasures | None
    after: EvaluationMeasures | None


class EvaluationCitation(TypedDict):
    data_source_id: ObjectId
    title: str
    location: Location
    text: str
    index: int


class EvaluationComparison(TypedDict):
    """Two runs side by side, case by case"""

    before: EvaluationRun
    after: EvaluationRun
    #: Fields of the agent that differ between the two
    changed_fields: list[str]
    measures: list[EvaluationDifference]
    cases: list[EvaluationCaseChange]


class EvaluationDifference(TypedDict):
    measure: Literal["recall_at_5", "recall_at_10", "ndcg_at_10", "quoted", "cited_expected", "declined_right", "declined_wrong", "judge_score"]
    before: EvaluationTotal
    after: EvaluationTotal
    #: After less before
    difference: float | None
    #: Cases for which it got better
    better: int
    worse: int


class EvaluationFinishedEvent(TypedDict):
    """A run of a question set has ended"""

    type: Literal["evaluation.finished"]
    #: When it happened
    timestamp: Timestamp
    #: Workspace of the endpoint
    workspace_id: ObjectId
    data: EvaluationFinishedEventData


class EvaluationFinishedEventData(TypedDict):
    evaluation_run_id: ObjectId
    evaluation_set_id: ObjectId
    agent_id: ObjectId
    status: Literal["completed", "failed", "cancelled"]
    is_scheduled: bool
    #: Sums by measure, from 0 to 1; null where no case could be measured
    measures: dict[str, float | None]


class EvaluationMeasures(TypedDict):
    """Measures of one answer; null where the case says nothing to hold it against"""

    recall_at_5: float | None
    recall_at_10: float | None
    ndcg_at_10: float | None
    quoted: bool | None
    cited_expected: bool | None
    declined: bool | None
    declined_right: bool | None
    judge_score: float | None


class EvaluationPassage(TypedDict):
    data_source_id: ObjectId
    title: str
    location: Location
    text: str


class EvaluationRegressedEvent(TypedDict):
    """A run by schedule was completed, and a measure crossed a bound of its set"""

    type: Literal["evaluation.regressed"]
    #: When it happened
    timestamp: Timestamp
    #: Workspace of the endpoint
    workspace_id: ObjectId
    data: EvaluationRegressedEventData


class EvaluationRegressedEventData(TypedDict):
    evaluation_run_id: ObjectId
    evaluation_set_id: ObjectId
    agent_id: ObjectId
    status: Literal["completed", "failed", "cancelled"]
    is_scheduled: bool
    #: Sums by measure, from 0 to 1; null where no case could be measured
    measures: dict[str, float | None]
    alerts: list[EvaluationRegressedEventDataAlertsItem]


class EvaluationRegressedEventDataAlertsItem(TypedDict):
    measure: str
    value: float
    #: In the last completed run before it
    before: float | None
    limit: float | None
    drop: float | None


class EvaluationResult(TypedDict):
    """Answer to one case, with its measures"""

    case_id: ObjectId
    status: Literal["pending", "answered", "failed"]
    #: Whether the texts are withheld: the answer rests on a file that you may not read now, or is gone
    is_hidden: bool
    question: str | None
    tags: list[str]
    answerable: bool
    expected_answers: list[str]
    reference_answer: str | None
    expected_files: list[EvaluationResultExpectedFilesItem]
    answer: str | None
    error_message: str | None
    #: Passages that were found, best first
    found: list[EvaluationPassage]
    cited: list[EvaluationCitation]
    measures: EvaluationMeasures | None
    judge_reason: str | None
    judge_error: str | None
    latency_ms: int | None
    input_tokens: int
    output_tokens: int
    cost_usd: float | None


class EvaluationResultExpectedFilesItem(TypedDict):
    data_source_id: ObjectId
    passage: str | None


class EvaluationRun(TypedDict):
    """A question set, asked of its agent as it was then"""

    id: ObjectId
    agent_id: ObjectId
    evaluation_set_id: ObjectId
    status: Literal["waiting", "running", "completed", "failed", "cancelled"]
    error_message: str | None
    #: Runs with the same one asked the agent as it was defined alike
    agent_version: str
    #: Model that the agent named; null for the default
    model: str | None
    judge_model: str | None
    case_count: int
    done_count: int
    #: Null until it has ended
    totals: EvaluationTotals | None
    #: Whether it began by the schedule of its set
    is_scheduled: bool
    started_at: Timestamp | None
    ended_at: Timestamp | None
    created_at: Timestamp


class EvaluationSet(TypedDict):
    """Questions by which an agent is measured"""

    id: ObjectId
    agent_id: ObjectId
    name: str
    judge_model: str | None
    case_count: int
    #: When a run begins every night, and what is told then; null: none does
    schedule: EvaluationSetSchedule | None
    #: When the next run by schedule begins
    next_run_at: Timestamp | None
    #: Why the last night had no run
    schedule_problem: str | None
    created_at: Timestamp
    updated_at: Timestamp


class EvaluationSetSchedule(TypedDict):
    hour: int
    time_zone: str
    alerts: list[EvaluationSetScheduleAlertsItem]


class EvaluationSetScheduleAlertsItem(TypedDict):
    measure: Literal["recall_at_5", "recall_at_10", "ndcg_at_10", "quoted", "cited_expected", "declined_right", "declined_wrong", "judge_score"]
    limit: float | None
    drop: float | None


class EvaluationTotal(TypedDict):
    #: Share or mean, from 0 to 1; null where no case could be measured
    value: float | None
    #: Cases that it was measured for
    cases: int


class EvaluationTotals(TypedDict):
    """Measures of a run in sum"""

    #: recall_at_5, recall_at_10, ndcg_at_10: of the expected files and passages among those found; quoted: an expected answer stands in the answer; cited_expected: it cites an expected file; declined_right: of the questions without an answer; declined_wrong: of those with one; judge_score: of the judge, 1 to 5 brought to 0 to 1
    measures: EvaluationTotalsMeasures
    #: Cases without a whole answer; they count for no measure
    failed: int
    latency_ms: EvaluationTotalsLatencyMs
    input_tokens: int
    output_tokens: int
    #: Null where a model has no price
    cost_usd: float | None


class EvaluationTotalsMeasures(TypedDict):
    """recall_at_5, recall_at_10, ndcg_at_10: of the expected files and passages among those found; quoted: an expected answer stands in the answer; cited_expected: it cites an expected file; declined_right: of the questions without an answer; declined_wrong: of those with one; judge_score: of the judge, 1 to 5 brought to 0 to 1"""

    recall_at_5: EvaluationTotal
    recall_at_10: EvaluationTotal
    ndcg_at_10: EvaluationTotal
    quoted: EvaluationTotal
    cited_expected: EvaluationTotal
    declined_right: EvaluationTotal
    declined_wrong: EvaluationTotal
    judge_score: EvaluationTotal


class EvaluationTotalsLatencyMs(TypedDict):
    p50: float | None
    p95: float | None


class ExpectedFile(TypedDict):
    """File, or passage of a file, that an answer should be found in"""

    data_source_id: ObjectId
    #: Null for a file that is gone
    title: str | None
    passage: str | None


class Feedback(TypedDict):
    #: null takes the feedback back
    rating: Literal["up", "down"] | None
    #: Default: null
    comment: NotRequired[str | None]


class FileFilter(TypedDict):
    """Files whose metadata meets `all` of these conditions, or `any` of them; with both, both count. Case does not count in texts; of a list, one item is enough; `ne` also finds files without the key; `gt`, `gte`, `lt` and `lte` compare numbers and dates; `exists` with false finds files without the key"""

    all: NotRequired[list[FileFilterAllItem | FileFilterAllItem2 | FileFilterAllItem3 | FileFilterAllItem4]]
    any: NotRequired[list[FileFilterAnyItem | FileFilterAnyItem2 | FileFilterAnyItem3 | FileFilterAnyItem4]]


class FileFilterAllItem(TypedDict):
    key: str
    op: Literal["eq", "ne"]
    value: str | float | bool


class FileFilterAllItem2(TypedDict):
    key: str
    op: Literal["in"]
    value: list[str | float | bool]


class FileFilterAllItem3(TypedDict):
    key: str
    op: Literal["gt", "gte", "lt", "lte"]
    value: str | float


class FileFilterAllItem4(TypedDict):
    key: str
    op: Literal["exists"]
    #: Default: true
    value: bool


class FileFilterAnyItem(TypedDict):
    key: str
    op: Literal["eq", "ne"]
    value: str | float | bool


class FileFilterAnyItem2(TypedDict):
    key: str
    op: Literal["in"]
    value: list[str | float | bool]


class FileFilterAnyItem3(TypedDict):
    key: str
    op: Literal["gt", "gte", "lt", "lte"]
    value: str | float


class FileFilterAnyItem4(TypedDict):
    key: str
    op: Literal["exists"]
    #: Default: true
    value: bool


class FileFilterInput(TypedDict):
    """Files whose metadata meets `all` of these conditions, or `any` of them; with both, both count. Case does not count in texts; of a list, one item is enough; `ne` also finds files without the key; `gt`, `gte`, `lt` and `lte` compare numbers and dates; `exists` with false finds files without the key"""

    all: NotRequired[list[FileFilterInputAllItem | FileFilterInputAllItem2 | FileFilterInputAllItem3 | FileFilterInputAllItem4]]
    any: NotRequired[list[FileFilterInputAnyItem | FileFilterInputAnyItem2 | FileFilterInputAnyItem3 | FileFilterInputAnyItem4]]


class FileFilterInputAllItem(TypedDict):
    key: str
    op: Literal["eq", "ne"]
    value: str | float | bool


class FileFilterInputAllItem2(TypedDict):
    key: str
    op: Literal["in"]
    value: list[str | float | bool]


class FileFilterInputAllItem3(TypedDict):
    key: str
    op: Literal["gt", "gte", "lt", "lte"]
    value: str | float


class FileFilterInputAllItem4(TypedDict):
    key: str
    op: Literal["exists"]
    #: Default: true
    value: NotRequired[bool]


class FileFilterInputAnyItem(TypedDict):
    key: str
    op: Literal["eq", "ne"]
    value: str | float | bool


class FileFilterInputAnyItem2(TypedDict):
    key: str
    op: Literal["in"]
    value: list[str | float | bool]


class FileFilterInputAnyItem3(TypedDict):
    key: str
    op: Literal["gt", "gte", "lt", "lte"]
    value: str | float


class FileFilterInputAnyItem4(TypedDict):
    key: str
    op: Literal["exists"]
    #: Default: true
    value: NotRequired[bool]


class FileHappened(TypedDict):
    """Something happened to a file of the folder"""

    #: stage: the file waits to be indexed again, or has come further, told once a second at most and not kept; moved is told in both folders
    type: Literal["created", "stage", "indexed", "failed", "moved", "deleted"]
    #: Null for `stage`, which is not kept
    id: int | None
    data_source_id: ObjectId
    #: Folder that the file is in after it; null where it went out of the reader’s sight or is deleted
    knowledge_base_id: ObjectId | None
    at: Timestamp
    #: The file as it is when this is sent; null if it is not in this folder any more
    data_source: DataSource | None


#: Facts about a file that filters find it by: texts, numbers, true and false, and lists of these. A text of the form `2026-03-31` or `2026-03-31T09:30:00Z` is a date
FileMetadata: TypeAlias = "dict[str, str | float | bool | list[str | float | bool]]"


class FilePing(TypedDict):
    """The first of all, and then every 5 s"""

    type: Literal["ping"]
    #: Also the id of the event: resume after it, as Last-Event-ID
    id: int


class FileReaders(TypedDict):
    """Readers of a file, of those who may read its folder; owners and admins always may. Empty lists: nobody else"""

    #: Members and virtual users by their e-mail, those too whom nobody has yet. Default: []
    emails: NotRequired[list[str]]
    #: Members of groups, by the names of the groups. Default: []
    groups: NotRequired[list[str]]
    #: Everybody with an e-mail at one of these domains. Default: []
    domains: NotRequired[list[str]]


class FileReset(TypedDict):
    """Some events after the Last-Event-ID are not known any more: list the folder again, and go on from here"""

    type: Literal["reset"]
    #: Also the id of the event: resume after it, as Last-Event-ID
    id: int


class FileToExpect(TypedDict):
    data_source_id: NotRequired[str]
    #: Id that the system gave which pushed the file
    external_id: NotRequired[str]
    #: From the outermost folder on: /Handbook/Refunds.md
    path: NotRequired[str]
    #: Words of the passage that is to be found; null: any passage of the file counts. Default: null
    passage: NotRequired[str | None]


class FileVersion(TypedDict):
    """Content that a file has or had"""

    #: Number, from 1
    version: int
    #: The content that the file has
    is_current: bool
    #: The content that searches and answers find now
    is_found: bool
    #: upload: through the API or the UI; push: under an external id; sync: from a linked source; restore: an earlier version again
    origin: Literal["upload", "push", "sync", "restore"]
    #: Key that brought it; null where none did, or not since that is kept
    api_key_id: ObjectId | None
    api_key_name: str | None
    #: Member who holds that key
    member_id: ObjectId | None
    virtual_user_id: ObjectId | None
    file_name: str
    media_type: str
    size_bytes: int
    sha256: str
    #: Since when the file had it
    created_at: Timestamp
    #: Until when; null for the current one
    replaced_at: Timestamp | None


class FinishMcpLogin(TypedDict):
    """Query with which the authorization server sent the person back"""

    state: str
    code: NotRequired[str]
    #: Issuer, where the page was given one
    iss: NotRequired[str]
    error: NotRequired[str]
    error_description: NotRequired[str]


class FinishSourceLogin(TypedDict):
    """Query with which the provider sent the person back"""

    state: str
    code: NotRequired[str]
    error: NotRequired[str]
    error_description: NotRequired[str]


class FolderAccessOfPerson(TypedDict):
    """Right of a member to a folder, and the grant that it comes from"""

    #: The member
    id: ObjectId
    name: str
    #: Path of the picture, another one for each picture; null: initials stand for them
    picture_url: str | None
    #: none: the folder is not there for them. read, write and manage, which is to say who may, each with those before
    level: Literal["none", "read", "write", "manage"]
    #: role: owners and admins manage all folders; no_grant: nothing says otherwise, so members read and write; else the kind of the grant that decides
    because: Literal["role", "member", "group", "workspace", "no_grant"]
    #: The group that decides, if one does
    group_name: str | None
    #: Null for a folder that you may not read
    knowledge_base_id: ObjectId | None
    knowledge_base_name: str | None


FolderEvent: TypeAlias = "FilePing | FileReset | FileHappened"


class FolderGrant(TypedDict):
    """Right to a folder and all below it, as far as no folder below has a grant to the same people"""

    kind: Literal["member", "group", "workspace"]
    #: The member or group; for `workspace`, which stands for all its members and its keys of the role member, its id
    id: str
    #: Empty for the workspace
    name: str
    #: none: the folder is not there for them. read, write and manage, which is to say who may, each with those before
    level: Literal["none", "read", "write", "manage"]


class FolderGrants(TypedDict):
    """Rights of your workspace to a folder: who may do what, and why"""

    grants: list[FolderGrant]
    #: Whether the caller manages the folder. Others see their own right and who manages it, but no grants
    can_change: bool
    #: Grants of the folders that it lies in, the nearest first
    inherited: list[InheritedFolderGrant]
    #: Members of your workspace by name, 1,000 at most
    people: list[FolderAccessOfPerson]
    people_total: int


class ForgottenPassword(TypedDict):
    email: str


class FoundMessage(TypedDict):
    """A message that holds what was searched"""

    message_id: ObjectId
    chat_id: ObjectId
    agent_id: ObjectId
    #: Title of the chat
    title: str
    found_in: Literal["query", "response"]
    #: Text around the first word that was found, on one line
    snippet: str
    created_at: Timestamp


class GivenApiAuth(TypedDict):
    """How calls of an API are authenticated"""

    #: header, query: a key in the header or the parameter `name`; bearer: a token; basic: a password
    type: Literal["header", "query", "bearer", "basic"]
    #: For header and query
    name: NotRequired[str | None]
    #: For basic
    username: NotRequired[str | None]
    #: Stored encrypted and answered as ***, which in a change keeps what is stored
    secret: str


class GivenMcpServer(TypedDict):
    """A server whose tools the agent may use"""

    #: Its tools are called NAME__TOOL
    name: str
    #: http: streamable HTTP; sse: the transport before that; stdio: a program that the setting DOCENT_MCP_COMMANDS names. Default: "http" 
    transport: Literal["http", "sse", "stdio"]
    #: For http and sse
    url: NotRequired[str | None]
    #: For http and sse. Secrets: stored encrypted and answered as ***, which in a change keeps what is stored. Default: {}
    headers: dict[str, str]
    #: For stdio: a name in DOCENT_MCP_COMMANDS
    command: NotRequired[str | None]
    #: Tools that are switched on, by the server's names; null for all. Default: null
    tools: list[str] | None


class GivenMcpServerInput(TypedDict):
    """A server whose tools the agent may use"""

    #: Its tools are called NAME__TOOL
    name: str
    #: http: streamable HTTP; sse: the transport before that; stdio: a program that the setting DOCENT_MCP_COMMANDS names. Default: "http" 
    transport: NotRequired[Literal["http", "sse", "stdio"]]
    #: For http and sse
    url: NotRequired[str | None]
    #: For http and sse. Secrets: stored encrypted and answered as ***, which in a change keeps what is stored. Default: {}
    headers: NotRequired[dict[str, str]]
    #: For stdio: a name in DOCENT_MCP_COMMANDS
    command: NotRequired[str | None]
    #: Tools that are switched on, by the server's names; null for all. Default: null
    tools: NotRequired[list[str] | None]


class GivenOpenApiTools(TypedDict):
    """An HTTP API whose operations the agent may call"""

    #: Its tools are called NAME__OPERATION
    name: str
    #: Address of the document
    url: NotRequired[str | None]
    #: The document itself, JSON or YAML, in the place of a url
    document: NotRequired[str | None]
    #: The document as it was read before; without it, that of the url is read again
    document_id: NotRequired[str | None]
    #: As answered, and of no effect
    title: NotRequired[str]
    #: As answered, and of no effect
    version: NotRequired[str]
    #: Begin of every address that is asked; default: the first server of the document
    base_url: NotRequired[str | None]
    #: Default: null
    auth: NotRequired[GivenApiAuth | None]
    #: Ids of the operations that the agent may call. Default: []
    operations: NotRequired[list[str]]


class Identity(TypedDict):
    """Organization, workspace, role and permissions of an API key, and the person behind it"""

    organization: IdentityOrganization
    workspace: IdentityWorkspace
    key: IdentityKey
    #: The person who is signed in, or whose key it is; null for a key of a program
    member: IdentityMember | None
    #: Whether the workspace demands a second factor that the person has yet to set up
    needs_second_factor: bool
    limits: IdentityLimits


class IdentityOrganization(TypedDict):
    id: ObjectId
    name: str


class IdentityWorkspace(TypedDict):
    id: ObjectId
    name: str


class IdentityKey(TypedDict):
    id: ObjectId
    name: str
    role: Literal["owner", "admin", "member"]
    permissions: list[Literal["create_knowledgebase", "manage_agents", "manage_keys"]]
    scopes: KeyScopes | None


class IdentityMember(TypedDict):
    id: ObjectId
    account_id: ObjectId
    email: str
    name: str
    #: Path of the picture, another one for each picture; null: initials stand for them
    picture_url: str | None
    groups: list[IdentityMemberGroupsItem]


class IdentityMemberGroupsItem(TypedDict):
    id: ObjectId
    name: str


class IdentityLimits(TypedDict):
    #: Size of the largest file that can be uploaded
    upload_bytes: int
    #: Time for which an uploaded file waits to be used
    upload_seconds: int


class ImportAgent(TypedDict):
    agent: AgentFileInput
    #: Agent that becomes like the file, which is the whole of it: jobs that it lacks are deleted. null: a new one. Default: null
    agent_id: NotRequired[str | None]
    #: Changes nothing, and only answers what would change. Default: false
    dry_run: NotRequired[bool]


class ImportedAgent(TypedDict):
    #: In a dry run: what would happen
    outcome: Literal["created", "updated", "unchanged"]
    #: As it is now; null if a dry run would make it
    agent: Agent | None
    changes: list[AgentFileChange]
    #: Parts of the file that this server could not take
    unmapped: list[UnmappedPart]


class Indexing(TypedDict):
    """How far the indexing of a file is, or how the last one ended"""

    #: queued: waits for its turn; unpacking: files of an archive are made; transcribing: a recording is transcribed; reading: its text is read and cut into passages; ocr: text in pictures is recognised; embedding: passages get their vectors; writing: passages go into the search index; done. Of a file that failed: the stage in which it did
    stage: Literal["queued", "unpacking", "transcribing", "reading", "ocr", "embedding", "writing", "done"]
    #: Entries while it is unpacked, seconds of a recording while it is transcribed, pages while it is read (64 KiB of plain text count as one), passages after that
    done: int
    #: Null while it is not known
    total: int | None
    #: From 1; 0 while none has begun
    attempt: int
    #: Why it failed: ENCRYPTED, EMPTY, NO_TEXT, TOO_LARGE, DAMAGED, CONVERT_FIRST, UNKNOWN_FORMAT, NO_SPEECH_MODEL, NOT_TRANSCRIBED, TIMEOUT, MEMORY, CRASHED, PROCESS_ENDED, CANCELLED, ENTRIES_LEFT_OUT, or an error code: INTERNAL_ERROR, QUOTA_EXCEEDED, or that of what the server could not reach
    reason_code: str | None


class InheritedFolderGrant(TypedDict):
    kind: Literal["member", "group", "workspace"]
    #: The member or group; for `workspace`, which stands for all its members and its keys of the role member, its id
    id: str
    #: Empty for the workspace
    name: str
    #: none: the folder is not there for them. read, write and manage, which is to say who may, each with those before
    level: Literal["none", "read", "write", "manage"]
    #: Null for a folder that you may not read
    knowledge_base_id: ObjectId | None
    knowledge_base_name: str | None


class Integration(TypedDict):
    """An integration: keeps a folder in step with a source"""

    id: ObjectId
    kind: str
    #: The folder that it fills
    knowledge_base_id: ObjectId
    #: `paused`: nothing is synced until it is resumed, or a sync is asked for
    status: Literal["idle", "syncing", "failed", "paused"]
    #: When it was last in step with its source
    last_synced_at: Timestamp | None
    #: Why the last sync failed, or what it left out
    error_message: str | None
    #: Whether no sync comes by itself
    is_paused: bool
    #: Progress of the sync that runs, or else the last one; null before the first
    progress: IntegrationProgress | None
    #: As given, secrets masked
    config: dict[str, Any]
    #: Login with which it reads; null where its config holds credentials, or the source asks for none
    connection: SourceConnection | None
    created_at: Timestamp


class IntegrationProgress(TypedDict):
    #: Files that are in step, or were left out
    done: float
    #: Files found so far; grows while folders are still being listed
    total: float
    #: Items that were left out, or that fewer people may read here than at the source
    problems: float


class IntegrationFailedEvent(TypedDict):
    """The sync of a linked folder failed; while it goes on failing by its schedule, nothing more is sent"""

    type: Literal["integration.failed"]
    #: When it happened
    timestamp: Timestamp
    #: Workspace of the endpoint
    workspace_id: ObjectId
    data: IntegrationFailedEventData


class IntegrationFailedEventData(TypedDict):
    integration_id: ObjectId
    #: The folder that it fills
    knowledge_base_id: ObjectId
    kind: str
    error_message: str | None


class Invitation(TypedDict):
    """A link that makes whoever opens it a member, once"""

    id: ObjectId
    #: The only e-mail that may use it; null for any
    email: str | None
    role: Literal["owner", "admin", "member"]
    group_ids: list[ObjectId]
    created_at: Timestamp
    expires_at: Timestamp


class InvitationView(TypedDict):
    """Workspace and role of an invitation"""

    organization: str
    workspace: str
    role: Literal["owner", "admin", "member"]
    #: The only e-mail that may use it; null for any
    email: str | None
    expires_at: Timestamp


class Job(TypedDict):
    """A specialized task that an agent performs"""

    id: ObjectId
    agent_id: ObjectId
    name: str
    instructions: str
    #: null: all of the agent's tools
    tools: list[str] | None
    #: Only these of the agent's folders, and what is below them; null: all
    knowledge_base_ids: list[ObjectId] | None
    #: Only these of the files that the agent reads; null: all
    filters: FileFilter | None
    created_at: Timestamp
    updated_at: Timestamp


class JoinWorkspace(TypedDict):
    token: str


class KeptPassage(TypedDict):
    """A passage that a model was given"""

    #: The number by which the answer may cite it
    index: int
    data_source_id: ObjectId
    title: str
    location: Location
    #: Up to 2,000 characters; the model also read what stands around it
    text: str
    #: Measure by which the passages of this search are ordered
    score: float
    #: Part of the words alone; 0 where only the meaning was near
    bm25: float
    is_cited: bool


class KeptSearch(TypedDict):
    """A search that an agent made for an answer"""

    #: As in the events of the message
    tool_call_id: str
    #: The sub-agent that searched; null for the agent itself
    agent: KeptSearchAgent | None
    query: str
    #: Filters of the agent, the job and the query, all of which hold
    filters: list[FileFilter]
    #: The query as the search understood it: stems, and the rarer, the heavier
    terms: list[KeptSearchTermsItem]
    #: Best first
    passages: list[KeptPassage]


class KeptSearchAgent(TypedDict):
    id: ObjectId
    name: str


class KeptSearchTermsItem(TypedDict):
    term: str
    weight: float
    count: int


class KeyRateLimit(TypedDict):
    """Rate limit of one key, at most the one that the server sets for all"""

    #: Requests that come back each second
    per_second: float
    #: Requests that a rested key may send at once
    burst: int


class KeyScopes(TypedDict):
    """Agents, folders and people that a key is narrowed to, on top of its role and permissions"""

    #: operationIds of this document that it may call, or prefixes like chats.*
    operations: NotRequired[list[str] | None]
    #: Agents that it may use
    agent_ids: NotRequired[list[str] | None]
    #: Folders that it may use, with their sub-folders
    knowledge_base_ids: NotRequired[list[str] | None]
    #: Virtual users for whom it speaks: it reads only their chats, and calls only what takes them
    virtual_user_ids: NotRequired[list[str] | None]


class KnowledgeBase(TypedDict):
    """A folder of files"""

    _id: ObjectId
    organization_id: ObjectId
    name: str
    parent_kb_id: ObjectId | None
    is_root: bool
    integration_id: ObjectId | None
    user_defined_tags: list[str]
    created_at: Timestamp
    #: Folders directly inside, if asked for
    child_folders_count: NotRequired[int]


class KnowledgeBaseDetail(TypedDict):
    """A folder; the counts are of what is directly inside"""

    _id: ObjectId
    organization_id: ObjectId
    name: str
    parent_kb_id: ObjectId | None
    is_root: bool
    integration_id: ObjectId | None
    user_defined_tags: list[str]
    created_at: Timestamp
    #: Folders directly inside, if asked for
    child_folders_count: NotRequired[int]
    files_count: NotRequired[int]


Language: TypeAlias = Literal["en", "de", "fr", "es", "ru", "zh", "ar"]


class LinkToken(TypedDict):
    """Part of a link behind its #"""

    token: str


class ListedModel(TypedDict):
    """A model and what it can do"""

    #: PROVIDER/MODEL, as agents name it
    id: str
    #: Tokens of prompt and answer together; null: a model that cannot be used
    context_tokens: int | None
    #: Whether nobody tells how many tokens the model holds, so that DOCENT_MODEL_CONTEXT_TOKENS counts
    context_is_assumed: bool
    #: Whether pictures go along with a question; null: it is not known, and they do not
    sees_pictures: bool | None
    #: null: the provider does not tell
    takes_tools: bool | None
    #: US dollars for a million tokens: the one that costs are counted by, the operator’s or else the one that its provider lists
    price: ListedModelPrice | None


class ListedModelPrice(TypedDict):
    input: float
    output: float


class ListedReaders(TypedDict):
    """E-mails, names of groups and domains that a list of readers holds"""

    emails: list[str]
    groups: list[str]
    domains: list[str]


class LiveUpdateEvent(TypedDict):
    """A step of the agent"""

    type: Literal["live_update"]
    text: str
    extended_text: str | None
    #: From 0, growing, with gaps; what a resumed stream names
    sequence_number: int
    subtype: Literal["tool_call_start", "tool_call_result", "tool_call_end"]
    data: LiveUpdateEventData
    #: Milliseconds since the request began
    elapsed_ms: float


class LiveUpdateEventData(TypedDict):
    tool_name: str
    preview: ToolPreview | None
    #: Id of the call, in all of its updates
    tool_call_id: str
    #: At the start: what the tool is called with; in a result: what a person changed that to. Null where it is long
    arguments: NotRequired[dict[str, Any] | None]
    #: The sub-agent that makes the call
    agent: NotRequired[LiveUpdateEventDataAgent]
    #: The call that put the sub-agent to work
    parent_tool_call_id: NotRequired[str]


class LiveUpdateEventDataAgent(TypedDict):
    """The sub-agent that makes the call"""

    id: ObjectId
    name: str


class Location(TypedDict):
    """Position of a passage in its document, as far as the format tells"""

    page: NotRequired[int]
    slide: NotRequired[int]
    heading_path: NotRequired[list[str]]
    sheet: NotRequired[str]
    row_start: NotRequired[int]
    row_end: NotRequired[int]
    line_start: NotRequired[int]
    line_end: NotRequired[int]
    #: Second in which it begins to be said
    time_start: NotRequired[int]
    time_end: NotRequired[int]
    attachment: NotRequired[str]
    #: Somebody gave the passage its text, or added it: it does not stand so in the document
    by_hand: NotRequired[Literal["edited", "added"]]
    #: Id of that change
    edit_id: NotRequired[str]


class MadeInvitation(TypedDict):
    id: ObjectId
    #: The only e-mail that may use it; null for any
    email: str | None
    role: Literal["owner", "admin", "member"]
    group_ids: list[ObjectId]
    created_at: Timestamp
    expires_at: Timestamp
    #: The link; shown this once
    url: str
    #: Whether it was sent to the e-mail, too
    is_sent: bool


class MadeLink(TypedDict):
    """A link that works once"""

    #: Shown this once; what is behind the # never reaches a server log
    url: str
    expires_at: Timestamp


class MadePasskey(TypedDict):
    """A passkey that a browser has made"""

    id: str
    #: response.clientDataJSON of the browser, base64url
    client_data: str
    attestation_object: str
    #: Default: []
    transports: NotRequired[list[str]]


class McpCheck(TypedDict):
    """A look at an MCP server"""

    is_reachable: bool
    #: Why not
    error_message: str | None
    #: Whether it asks for a login: connect the agent with it
    wants_login: bool
    #: The login of this agent; null: none
    connection: McpConnection | None
    #: Name that the server gives itself
    server_name: str | None
    server_version: str | None
    tools: list[McpTool]


class McpConnection(TypedDict):
    """Login at an MCP server that asks for one"""

    #: Name of the key, or of the member, that logged in
    connected_by: str
    connected_at: Timestamp
    #: Whether somebody has to log in again
    is_lost: bool


class McpServer(TypedDict):
    """A server whose tools the agent may use"""

    name: str
    transport: Literal["http", "sse", "stdio"]
    url: str | None
    #: Each value as ***
    headers: dict[str, str]
    command: str | None
    tools: list[str] | None


class McpServerUrl(TypedDict):
    #: URL of the server
    url: str


class McpTool(TypedDict):
    """A tool that a server offers"""

    #: The server's name of it, as `tools` holds it
    name: str
    #: Name of the tool for the agent and in approvals: NAME__TOOL
    tool_name: str
    title: str | None
    description: str
    #: JSON Schema of its arguments
    input_schema: dict[str, Any]
    #: As the server says; null if it says nothing
    is_read_only: bool | None
    is_destructive: bool | None
    #: Whether `tools` switches it on
    is_on: bool


class Member(TypedDict):
    """An account in a workspace"""

    id: ObjectId
    email: str
    name: str
    #: Path of the picture, another one for each picture; null: initials stand for them
    picture_url: str | None
    role: Literal["owner", "admin", "member"]
    groups: list[MemberGroupsItem]
    created_at: Timestamp
    #: Whether a code or a passkey is asked for after the password
    has_second_factor: bool
    #: When the account signed in last, to any workspace
    signed_in_at: Timestamp | None


class MemberGroupsItem(TypedDict):
    id: ObjectId
    name: str


class MemberGroup(TypedDict):
    """Members of a workspace under one name"""

    id: ObjectId
    name: str
    #: How many members it has
    members: int
    created_at: Timestamp


class MemberGroupFields(TypedDict):
    name: str


class Memory(TypedDict):
    """Something that an agent remembers of a person"""

    id: ObjectId
    #: The agent that remembers it; others do not know it
    agent_id: ObjectId
    topic: str | None
    text: str
    #: The message in which it was said; it may be deleted by now
    message_id: ObjectId
    created_at: Timestamp
    updated_at: Timestamp


class MergeVirtualUser(TypedDict):
    #: Person of the same workspace that stays
    into_virtual_user_id: ObjectId


class MergedVirtualUser(TypedDict):
    merged: Literal[True]
    messages_moved: int
    #: Two memories on one topic: the newer stays
    memories_moved: int


class Message(TypedDict):
    """A query and its answer"""

    id: ObjectId
    query: str
    response: str
    chat_id: ObjectId
    agent_id: ObjectId
    created_at: Timestamp
    updated_at: Timestamp
    message_type: str
    is_pinned: bool
    reasoning: str
    ai_resolution_status: Literal["in_progress", "waiting", "completed"]
    #: The review that it waits for; null on every message that does not
    review: Review | None
    #: Why it failed; null on every message that did not
    error_message: str | None
    quick_action_id: ObjectId | None
    quick_action_fields_with_values: list[MessageQuickActionFieldsWithValuesItem]
    citations: list[Citation]
    #: The files that were sent with the query; in the history, and where one message is asked for
    uploaded_files: NotRequired[list[UploadedFile]]
    #: It and the other versions of it, oldest first; there only if there are several
    versions: NotRequired[list[ObjectId]]
    #: `provider/model` that the query named, if it did
    asked_model: NotRequired[str]
    #: Usage of the answer; null until it is complete. With `usage=true`
    usage: NotRequired[MessageUsage | None]
    feedback: MessageFeedback | None
    downloadable_output: NotRequired[dict[str, str]]
    #: The files behind downloadable_output, in the order in which they were made
    output_files: NotRequired[list[OutputFile]]


class MessageQuickActionFieldsWithValuesItem(TypedDict):
    field_name: str
    field_value: str | float


class MessageFeedback(TypedDict):
    rating: Literal["up", "down"]
    comment: str | None


class MessageRetrieval(TypedDict):
    """Passages that an answer was given, and those that it cites"""

    #: In the order in which they ended
    searches: list[KeptSearch]
    citations: list[Citation]


class MessageRights(TypedDict):
    """Rights with which a message was answered"""

    #: `virtual_user`: by its grants; one without any is answered with the rights of the key. `visitor`: of a link, with the rights of `member` if there is one
    rights_of: Literal["member", "api_key", "virtual_user", "visitor"]
    #: The member whose rights to folders counted
    member: MessageRightsMember | None
    #: The key that asked; for a member, the one that stands for them
    api_key: MessageRightsApiKey | None
    virtual_user_id: ObjectId | None
    #: Folders of the agent, and whether these rights let it read them now
    folders: list[MessageRightsFoldersItem]


class MessageRightsMember(TypedDict):
    id: ObjectId
    name: str


class MessageRightsApiKey(TypedDict):
    id: ObjectId
    name: str


class MessageRightsFoldersItem(TypedDict):
    id: ObjectId
    path: list[str]
    can_read: bool


class MessageUsage(TypedDict):
    """Usage of all models together for one message"""

    #: Cached ones included
    input_tokens: int
    cached_input_tokens: int
    #: Reasoning included
    output_tokens: int
    reasoning_tokens: int
    #: By the prices of then; null where one was not known
    cost_usd: float | None
    #: `provider/model` of the agent; its sub-agents may have used others
    model: str


class MessageWaitingEvent(TypedDict):
    """A message of this workspace waits for a review"""

    type: Literal["message.waiting"]
    #: When it happened
    timestamp: Timestamp
    #: Workspace of the endpoint
    workspace_id: ObjectId
    data: MessageWaitingEventData


class MessageWaitingEventData(TypedDict):
    message_id: ObjectId
    chat_id: ObjectId
    agent_id: ObjectId
    review_id: ObjectId
    #: `approval` of a tool call, or a `question`
    review_kind: str
    #: When the message ends without a decision
    expires_at: Timestamp


class MetadataEvent(TypedDict):
    """The first event: the id of the message"""

    type: Literal["metadata"]
    subtype: None
    text: str
    extended_text: str | None
    #: From 0, growing, with gaps; what a resumed stream names
    sequence_number: int
    data: MetadataEventData
    elapsed_ms: None


class MetadataEventData(TypedDict):
    message_id: ObjectId


class ModelCheck(TypedDict):
    """Whether a model answers"""

    model: str
    answers: bool
    #: Until it began to answer
    first_token_ms: int | None
    #: Why it does not
    error_message: str | None
    #: False for a model that only quotes documents
    can_converse: bool


class ModelDefaults(TypedDict):
    """Models that a workspace chose; null: as the server has it"""

    answers: str | None
    summaries: str | None
    titles: str | None
    transcription: str | None
    reranking: str | None
    #: Settings of the server, which its operator changes
    server: ModelDefaultsServer


class ModelDefaultsServer(TypedDict):
    """Settings of the server, which its operator changes"""

    #: Model of agents that name none, where the workspace chose none
    answers: str
    #: Model behind the search of the whole server; null: it searches by words alone
    embeddings: str | None
    #: Model, or host, that orders what searches find, where the workspace chose none; null: none does
    reranking: str | None


class ModelPrice(TypedDict):
    """US dollars for a million tokens"""

    #: `provider/model`; * stands for anything
    model: str
    input: float
    cached_input: float
    output: float
    reasoning: float
    #: US dollars for a minute of sound that is transcribed; null: by its tokens, if at all
    audio_minute: float | None


class ModelProvider(TypedDict):
    """A provider of models"""

    #: Prefix of the names of its models
    id: str
    name: str
    is_configured: bool
    #: Setting that the operator has to give before it can be used
    missing_setting: str | None
    #: Its models by its own list, as agents name them; some, where it gives none
    models: list[str]
    #: Owner of its settings: the operator of the server, or the workspace
    source: Literal["environment", "workspace"]


class ModelProviderSettings(TypedDict):
    """A provider of models, without its key"""

    #: First half of the ids of its models
    name: str
    #: As people know it
    label: str
    #: API that it speaks; openai-compatible: any server with chat completions
    kind: Literal["openai", "anthropic", "google", "ollama", "openai-compatible"]
    #: environment: an operator set it on the server, and it cannot be changed here
    source: Literal["environment", "workspace"]
    #: null: the vendor's own, or of the environment
    base_url: str | None
    has_key: bool
    #: End of the key, such as …a1b2; null: none, or too short
    key_hint: str | None
    created_at: Timestamp | None
    updated_at: Timestamp | None


class Models(TypedDict):
    """Models that agents can be given"""

    #: Model of agents that name none
    default_model: str
    #: Whether the default model writes texts of its own; false where it only quotes documents
    can_converse: bool
    providers: list[ModelProvider]
    #: Models of all providers that are set up
    models: list[ListedModel]
    #: Sentence why a provider gave no list of its models, by its id
    list_problems: dict[str, str]


class NewChat(TypedDict):
    """A chat as it was created"""

    id: ObjectId
    title: str
    chat_type: ChatType
    agent_id: ObjectId
    created_at: Timestamp


class NewKeyScopes(TypedDict):
    #: operationIds of this document that it may call, or prefixes like chats.*
    operations: NotRequired[list[str] | None]
    #: Agents that it may use
    agent_ids: NotRequired[list[str] | None]
    #: Folders that it may use, with their sub-folders
    knowledge_base_ids: NotRequired[list[str] | None]
    #: Virtual users for whom it speaks: it reads only their chats, and calls only what takes them
    virtual_user_ids: NotRequired[list[str] | None]
    #: Virtual users by e-mail, as well as those by id; one that is not there is made
    virtual_user_emails: NotRequired[list[str] | None]


#: 24 hexadecimal characters
ObjectId: TypeAlias = str


class OpenApiCheck(TypedDict):
    """A look at an OpenAPI document"""

    is_readable: bool
    #: Why the document cannot be used
    error_message: str | None
    title: str | None
    version: str | None
    #: Begin of every address that is asked; null: the document does not say
    base_url: str | None
    operations: list[ApiOperation]


class OpenApiTools(TypedDict):
    """An HTTP API whose operations the agent may call"""

    name: str
    #: null: the document was given itself
    url: str | None
    #: Another one after the document was read again
    document_id: str
    #: As the document has it
    title: str
    #: As the document has it
    version: str
    base_url: str
    auth: ApiAuth | None
    operations: list[str]


class OpenVisit(TypedDict):
    #: The one from before, even if it has expired a short while ago: the visitor then keeps their chats. Default: null
    visitor_token: NotRequired[str | None]


class OutputFile(TypedDict):
    """A file that an agent made"""

    #: As in downloadable_output
    key: str
    file_name: str
    media_type: str
    size_bytes: int
    #: Signed: works for a while, without an API key
    url: str


class Passage(TypedDict):
    """A passage as it is searched and cited"""

    #: Place in the file, from 0
    ordinal: int
    text: str
    location: Location


class PassageEdit(TypedDict):
    """Change of a passage by hand"""

    id: ObjectId
    kind: Literal["edited", "off", "added"]
    #: waiting: the index does not have it yet; orphaned: the passage that it belongs to is not in the file any more, and nothing is found of it
    state: Literal["waiting", "applied", "orphaned"]
    text: str | None
    #: Text, as it was read, of the passage that is changed or after which one was added; empty for the beginning
    anchor_text: str
    api_key_id: ObjectId | None
    api_key_name: str | None
    #: Member who holds that key
    member_id: ObjectId | None
    created_at: Timestamp
    updated_at: Timestamp


class Passkey(TypedDict):
    """A passkey of an account"""

    id: ObjectId
    name: str
    created_at: Timestamp
    last_used_at: Timestamp | None


class PasskeyAnswer(TypedDict):
    """Answer of a passkey to a challenge"""

    id: str
    #: response.clientDataJSON of the browser, base64url
    client_data: str
    authenticator_data: str
    signature: str
    #: Default: null
    user_handle: NotRequired[str | None]


class PasskeyProof(TypedDict):
    """The password and, if the account has a second factor, that one, too"""

    #: Needed if the account has one
    password: NotRequired[str]
    #: Six digits of the authenticator app, or a recovery code
    code: NotRequired[str]
    passkey: NotRequired[PasskeyAnswer]


class PasskeySignIn(TypedDict):
    passkey: PasskeyAnswer


class PasswordSignIn(TypedDict):
    email: str
    password: str


class PersonalKeyScopes(TypedDict):
    #: operationIds of this document that it may call, or prefixes like chats.*
    operations: NotRequired[list[str] | None]
    #: Agents that it may use
    agent_ids: NotRequired[list[str] | None]
    #: Folders that it may use, with their sub-folders
    knowledge_base_ids: NotRequired[list[str] | None]


class PingEvent(TypedDict):
    """Nothing new yet"""

    type: Literal["ping"]
    subtype: None
    text: str
    extended_text: str | None
    #: From 0, growing, with gaps; what a resumed stream names
    sequence_number: int
    data: None


class PinnedMessage(TypedDict):
    """A pinned answer"""

    message_id: ObjectId
    chat_id: ObjectId
    agent_id: ObjectId
    #: Title of the chat
    title: str
    #: Its first 500 characters
    query: str
    #: Its first 500 characters
    response: str
    #: false: it is in a branch of the chat that is not shown
    is_shown: bool
    created_at: Timestamp


class Project(TypedDict):
    """A folder, instructions and chats in one place"""

    id: ObjectId
    name: str
    instructions: str
    #: Folder with its files; who may read it sees the project, who may write it may change the project
    knowledge_base_id: ObjectId
    agent_id: ObjectId | None
    #: Whether the caller made it
    is_own: bool
    #: Whether the caller may change the project and add files to it
    can_change: bool
    created_at: Timestamp
    updated_at: Timestamp


class ProveTwoFactor(TypedDict):
    password: str
    #: Six digits of the authenticator app, or a recovery code
    code: str


class ProviderAnswer(TypedDict):
    #: Query of the redirect URI, as the provider sent the browser there
    query: str


class ProviderUrl(TypedDict):
    #: The provider's page, for this browser within ten minutes
    url: str


class PushFile(TypedDict):
    title: str
    #: Content as text; a title that ends in .md, .html or .csv says which kind
    text: NotRequired[str]
    #: Content as an upload, instead of text
    file_id: NotRequired[str]
    #: Readers of the file, of those who may read the folder; null: all of them; left out: it stays
    readers: NotRequired[FileReaders | None]
    #: In place of all that was set before; left out: it stays
    metadata: NotRequired[FileMetadata]
    #: When the file changed in the other system; an older version than the last one is refused
    updated_at: NotRequired[str]


class PushFiles(TypedDict):
    items: list[PushFilesItemsItem | PushFilesItemsItem2]


class PushFilesItemsItem(TypedDict):
    #: Id that the other system gives the file; in a path it is written with percent signs
    external_id: str
    title: str
    #: Content as text; a title that ends in .md, .html or .csv says which kind
    text: NotRequired[str]
    #: Content as an upload, instead of text
    file_id: NotRequired[str]
    #: Readers of the file, of those who may read the folder; null: all of them; left out: it stays
    readers: NotRequired[FileReaders | None]
    #: In place of all that was set before; left out: it stays
    metadata: NotRequired[FileMetadata]
    #: When the file changed in the other system; an older version than the last one is refused
    updated_at: NotRequired[str]


class PushFilesItemsItem2(TypedDict):
    #: Id that the other system gives the file; in a path it is written with percent signs
    external_id: str
    delete: Literal[True]
    #: When the file changed in the other system; an older version than the last one is refused
    updated_at: NotRequired[str]


class PushedDataSource(TypedDict):
    _id: ObjectId
    id: ObjectId
    title: str
    source_type: str
    status: Literal["pending", "indexing", "successful", "failed"]
    #: Why it failed, and what to do about it
    status_reason: str | None
    #: Null for a file that was never asked to be indexed, or not since this is kept
    indexing: Indexing | None
    knowledge_base_id: ObjectId
    file_name: str
    media_type: str
    size_bytes: int
    #: Number of its content, from 1; raised when that is replaced
    version: int
    #: Number of the content that searches and answers find: an earlier one while the newest is not indexed, null while there is none
    found_version: int | None
    virtual_user_id: ObjectId | None
    #: true: a list says who of those who may read its folder may read it
    is_restricted: bool
    metadata: FileMetadata
    created_at: Timestamp
    updated_at: Timestamp
    external_id: str
    external_updated_at: Timestamp | None


class PutModelDefaults(TypedDict):
    #: Model of agents that name none; null: the server's default. Default: null
    answers: NotRequired[str | None]
    #: Model that sums up long chats; null: that of the agent. Default: null
    summaries: NotRequired[str | None]
    #: Model that names a chat after its first answer; null: it is named by its first question. Default: null
    titles: NotRequired[str | None]
    #: Model that transcribes speech, of OpenAI or an OpenAI-compatible server; null: none does. Default: null
    transcription: NotRequired[str | None]
    #: Model that orders what searches find, of an OpenAI-compatible server with /rerank, or local/NAME for a cross-encoder in DATA_DIR/models; none: nothing is ordered anew; null: the server's, if it has one. Default: null
    reranking: NotRequired[str | None]


class PutModelProvider(TypedDict):
    #: API that it speaks; openai-compatible: any server with chat completions
    kind: Literal["openai", "anthropic", "google", "ollama", "openai-compatible"]
    #: null: the vendor's own address; ollama and openai-compatible need one. Default: null
    base_url: NotRequired[str | None]
    #: Stored encrypted and never returned. Left out, it stays, as long as kind and address stay; null: none
    api_key: NotRequired[str | None]


class PutSourceApp(TypedDict):
    #: As the provider gives it where the app is registered
    client_id: str
    #: Stored encrypted and never returned. Left out, it stays, as long as the client id, the tenant and token_url stay
    client_secret: NotRequired[str]
    #: Microsoft only: organization whose people may log in, by its id or domain; null: everybody. Default: null
    tenant: NotRequired[str | None]
    #: For a proxy; null: the provider's own. Default: null
    authorize_url: NotRequired[str | None]
    #: For a proxy; null: the provider's own. Default: null
    token_url: NotRequired[str | None]


class PutWebSearch(TypedDict):
    #: API that it speaks
    kind: Literal["brave", "tavily", "searxng"]
    #: null: the vendor's own address; searxng needs one. Default: null
    base_url: NotRequired[str | None]
    #: Stored encrypted and never returned. Left out, it stays, as long as kind and address stay; null: none
    api_key: NotRequired[str | None]


class Quota(TypedDict):
    """How much somebody may use in a day or a month"""

    id: ObjectId
    subject: QuotaSubject
    #: Calendar day or month, UTC
    period: Literal["day", "month"]
    max_messages: int | None
    max_tokens: int | None
    max_cost_usd: float | None
    #: In the present period; null for any_virtual_user, of which everybody has their own
    used: QuotaUsed | None
    resets_at: Timestamp
    created_at: Timestamp
    updated_at: Timestamp


class QuotaSubject(TypedDict):
    type: Literal["workspace", "api_key", "virtual_user", "any_virtual_user"]
    id: ObjectId | None


class QuotaUsed(TypedDict):
    messages: int
    tokens: int
    cost_usd: float


class RecoveryCodes(TypedDict):
    #: Each works once; shown this once
    recovery_codes: list[str]


class RenamePasskey(TypedDict):
    name: str


class ReplaceContent(TypedDict):
    #: As returned by the upload
    file_id: str


class ReplaceSignInProvider(TypedDict):
    """All settings of a provider: what is left out gets its default"""

    #: Stands on the button of the sign-in page
    name: str
    #: As the provider calls itself; https (http on this machine alone)
    issuer: str
    client_id: str
    #: Default: client_secret_basic with a secret, none without
    client_auth: NotRequired[Literal["client_secret_basic", "client_secret_post", "none"]]
    #: Default: "openid email profile" 
    scope: NotRequired[str]
    #: Default: "id_token" 
    claims_from: NotRequired[Literal["id_token", "userinfo"]]
    #: Default: "email_verified" 
    email_verified_claim: NotRequired[str]
    #: Domains of the e-mails that are let in; none: only people who linked the provider to their account. Default: []
    domains: NotRequired[list[str]]
    #: Whether somebody who is no member yet becomes one when they first sign in. Default: true
    makes_accounts: NotRequired[bool]
    #: Default: "member" 
    default_role: NotRequired[Literal["owner", "admin", "member"]]
    role_claim: NotRequired[str]
    #: Values of the claim, and the roles that they give; none above your own. Default: {}
    roles: NotRequired[dict[str, Literal["owner", "admin", "member"]]]
    groups_claim: NotRequired[str]
    #: Values of the claim, and names of groups; default: the same names
    groups: NotRequired[dict[str, str]]
    required_claim: NotRequired[ReplaceSignInProviderRequiredClaim]
    #: Left out, it stays, as long as the issuer stays; null: none
    client_secret: NotRequired[str | None]


class ReplaceSignInProviderRequiredClaim(TypedDict):
    name: str
    value: NotRequired[str]


class Review(TypedDict):
    """A review: a run waits for the decision of a person"""

    id: ObjectId
    #: approval: a tool waits to be allowed; question: the agent asks something
    kind: Literal["approval", "question"]
    status: Literal["pending", "approved", "rejected", "answered", "expired", "cancelled"]
    agent_id: ObjectId
    chat_id: ObjectId
    message_id: ObjectId
    #: The agent that asks: the one of the chat, or a sub-agent of it
    asked_by: ObjectId
    tool_name: str
    #: The question, in words
    text: str
    #: Arguments of the call that waits
    arguments: dict[str, Any] | None
    #: Arguments that the person who approved put in their place; null if none
    changed_arguments: dict[str, Any] | None
    #: Answers to choose from; any other text is fine, too
    options: list[str]
    #: The answer, or what was said along with the decision
    note: str | None
    decided_at: Timestamp | None
    #: The API key
    decided_by: ObjectId | None
    created_at: Timestamp
    expires_at: Timestamp


class ReviewDecision(TypedDict):
    #: answer: for a question, with the answer in `note`
    decision: Literal["approve", "reject", "answer"]
    #: Default: null
    note: NotRequired[str | None]
    #: With approve: what to call the tool with, all of it, in place of the model's arguments. Default: null
    arguments: NotRequired[dict[str, Any] | None]


class ReviewRequestEvent(TypedDict):
    """The run waits for a person; `text` says what is asked. A query ends with [DONE] here; the events of the message go on after the review."""

    type: Literal["review_request"]
    subtype: None
    text: str
    extended_text: str | None
    #: From 0, growing, with gaps; what a resumed stream names
    sequence_number: int
    data: ReviewRequestEventData


class ReviewRequestEventData(TypedDict):
    message_id: ObjectId
    review: Review


class RotateApiKey(TypedDict):
    #: Time during which the earlier secret works beside the new one; 0 ends it within 5 seconds. Default: 86400
    overlap_seconds: NotRequired[int]


class ScimToken(TypedDict):
    """A token with which a company's directory manages the members by SCIM 2.0"""

    id: ObjectId
    name: str
    #: The first 8 characters, to recognise it by
    prefix: str
    #: Role of whoever made it: the token ends no membership of a higher one
    role: Literal["owner", "admin", "member"]
    expires_at: Timestamp | None
    created_at: Timestamp
    #: To the minute
    last_used_at: Timestamp | None


class SearchExplanation(TypedDict):
    """Why a passage was found"""

    #: Limits of the search, beside what the caller may read
    filters: SearchExplanationFilters
    #: Place of the passage in its file, as `start` of its text takes it
    ordinal: int
    #: BM25 of the words; 0 when the passage is only near in meaning
    words: float
    #: Part of the score for words that stand close together and in order; null where meaning is ranked along with words
    closeness: float | None
    #: Part for words in the title and the headings; null likewise
    heading: float | None
    #: Part for words that the best passages have in common; null likewise
    subject: float | None
    #: Places in the lists that are put together, from 1; null where a list lacks the passage
    ranks: SearchExplanationRanks
    #: Order of a reranker, which then is that of the results; null where none read the passage
    reranker: SearchExplanationReranker | None
    #: Terms of the question, as they were understood
    terms: list[SearchExplanationTermsItem]
    #: Positions of the words in `text`, in UTF-16 units; at most 200
    matches: list[SearchExplanationMatchesItem]


class SearchExplanationFilters(TypedDict):
    """Limits of the search, beside what the caller may read"""

    #: Folder that was searched
    knowledge_base_id: ObjectId
    #: Whether its sub-folders were, too
    recursive: bool
    #: Filter on the metadata of files; null without one
    files: FileFilter | None


class SearchExplanationRanks(TypedDict):
    """Places in the lists that are put together, from 1; null where a list lacks the passage"""

    #: By the words alone
    words: int | None
    #: By the words with the other parts of the score
    reranked: int | None
    #: By meaning
    meaning: int | None


class SearchExplanationReranker(TypedDict):
    #: Place that it gave the passage, from 1
    rank: int
    #: As the model gave it
    score: float


class SearchExplanationTermsItem(TypedDict):
    #: As it is indexed: stemmed
    term: str
    #: The rarer, the higher
    weight: float
    #: How often it stands in the text
    count: int
    #: Whether the title or a heading holds it
    in_title: bool


class SearchExplanationMatchesItem(TypedDict):
    start: int
    end: int


class SearchHit(TypedDict):
    """A passage of a document"""

    data_source_id: ObjectId
    title: str
    metadata: FileMetadata
    text: str
    #: Higher is better; comparable within one answer only
    score: float
    location: Location
    explanation: NotRequired[SearchExplanation]


class SearchIndex(TypedDict):
    """Search index of all workspaces of an organization"""

    #: Index that searches go to
    serving: SearchIndexServing
    #: Choice of the server's operator
    environment: SearchIndexEnvironment
    #: Models on disk that can be chosen: folders in DATA_DIR/models
    local_models: list[str]
    #: Index that takes its place once it is whole; null: none
    building: SearchIndexBuilding | None


class SearchIndexServing(TypedDict):
    """Index that searches go to"""

    #: environment: as the server's operator set it; workspace: a model that a workspace chose; none: search by words alone
    source: Literal["environment", "workspace", "none"]
    #: Embedding model; null: words alone
    model: str | None


class SearchIndexEnvironment(TypedDict):
    """Choice of the server's operator"""

    #: Embedding model; null: words alone
    model: str | None


class SearchIndexBuilding(TypedDict):
    #: environment: as the server's operator set it; workspace: a model that a workspace chose; none: search by words alone
    source: Literal["environment", "workspace", "none"]
    #: Embedding model; null: words alone
    model: str | None
    #: failed: choose it again to go on
    state: Literal["building", "failed"]
    files_done: int
    #: null: not counted yet
    files_total: int | None
    #: Files that have to be read anew, which happens once the index serves
    files_skipped: int
    passages_done: int
    #: Why it does not go on; while it is building, it is tried again
    error_message: str | None
    started_at: Timestamp
    updated_at: Timestamp


class SecondFactorDemand(TypedDict):
    """Whether a workspace demands a second factor of its members"""

    is_demanded: bool
    #: Members with a password and without a second factor, by name, at most 100
    members_without: list[SecondFactorDemandMembersWithoutItem]
    members_without_total: int


class SecondFactorDemandMembersWithoutItem(TypedDict):
    id: ObjectId
    name: str


class SecondFactor(TypedDict):
    """A code, or what a passkey answers"""

    #: Six digits of the authenticator app, or a recovery code
    code: NotRequired[str]
    passkey: NotRequired[PasskeyAnswer]


class SendAsyncQuery(TypedDict):
    #: Message text; required unless shortcut_id is given. Default: null
    query: NotRequired[str | None]
    #: Made up when absent. Also the retry key: the same id with the same content runs once
    message_id: NotRequired[str | None]
    #: Default: null
    job_id: NotRequired[str | None]
    #: Answers from these of the agent's folders, and what is below them; an empty list: from none. Without it: from all
    knowledge_base_ids: NotRequired[list[str] | None]
    #: Answers only from files whose metadata meets this
    filters: NotRequired[FileFilterInput | None]
    #: Message of the chat beside which the query stands as another version, with the memory of what came before: the chat branches. Without it the query follows the branch that is shown
    version_of: NotRequired[str | None]
    #: `provider/model` for this answer instead of the agent's; takes the permission manage_agents
    model: NotRequired[str | None]
    #: Default: null
    virtual_user_email: NotRequired[str | None]
    #: Default: false
    pin_response: NotRequired[bool]
    #: Default: []
    uploaded_files: NotRequired[list[str]]
    #: Default: null
    shortcut_id: NotRequired[str | None]
    #: Default: []
    shortcut_fields_with_values: NotRequired[list[SendAsyncQueryShortcutFieldsWithValuesItem]]
    #: http or https; receives a POST with the result
    webhook_url: str


class SendAsyncQueryShortcutFieldsWithValuesItem(TypedDict):
    field_name: str
    field_value: str | float


class SendQuery(TypedDict):
    #: Message text; required unless shortcut_id is given. Default: null
    query: NotRequired[str | None]
    #: Made up when absent. Also the retry key: the same id with the same content runs once
    message_id: NotRequired[str | None]
    #: Default: null
    job_id: NotRequired[str | None]
    #: Answers from these of the agent's folders, and what is below them; an empty list: from none. Without it: from all
    knowledge_base_ids: NotRequired[list[str] | None]
    #: Answers only from files whose metadata meets this
    filters: NotRequired[FileFilterInput | None]
    #: Message of the chat beside which the query stands as another version, with the memory of what came before: the chat branches. Without it the query follows the branch that is shown
    version_of: NotRequired[str | None]
    #: `provider/model` for this answer instead of the agent's; takes the permission manage_agents
    model: NotRequired[str | None]
    #: Default: null
    virtual_user_email: NotRequired[str | None]
    #: Default: false
    pin_response: NotRequired[bool]
    #: Default: []
    uploaded_files: NotRequired[list[str]]
    #: Default: null
    shortcut_id: NotRequired[str | None]
    #: Default: []
    shortcut_fields_with_values: NotRequired[list[SendQueryShortcutFieldsWithValuesItem]]
    #: Default: false
    is_stream: NotRequired[bool]


class SendQueryShortcutFieldsWithValuesItem(TypedDict):
    field_name: str
    field_value: str | float


class SetAgentGrants(TypedDict):
    """All grants of an agent from then on"""

    grants: list[SetAgentGrantsGrantsItem]


class SetAgentGrantsGrantsItem(TypedDict):
    #: admins: owners and admins of the workspace, who are granted `threads` alone, as they may do all else
    kind: Literal["member", "group", "workspace", "admins"]
    #: The member or group; for `workspace`, which stands for all its members and its keys of the role member, its id
    id: str
    #: use: without any such grant, everyone may use the agent. edit: to change it, and use it. threads: to see the chats that begin with it from then on, and use it. none: only for the workspace, so that nobody may use it but those who are granted it
    level: Literal["none", "use", "edit", "threads"]


class SetFileReaders(TypedDict):
    #: null: whoever may read its folder
    readers: FileReaders | None


class SetFolderGrants(TypedDict):
    """All grants of a folder to people of your workspace, from then on"""

    grants: list[SetFolderGrantsGrantsItem]


class SetFolderGrantsGrantsItem(TypedDict):
    kind: Literal["member", "group", "workspace"]
    #: The member or group; for `workspace`, which stands for all its members and its keys of the role member, its id
    id: str
    #: none: the folder is not there for them. read, write and manage, which is to say who may, each with those before
    level: Literal["none", "read", "write", "manage"]


class SetPicture(TypedDict):
    #: PNG, JPEG or WebP in Base64; it is shown as a circle, from 256 pixels square
    content: str


class SetQuota(TypedDict):
    subject: SetQuotaSubject
    #: Calendar day or month, UTC
    period: Literal["day", "month"]
    #: Queries that are accepted. Default: null
    max_messages: NotRequired[int | None]
    #: Input and output, cached and reasoning included. Default: null
    max_tokens: NotRequired[int | None]
    #: Cost of models that have a price; to the millionth. Default: null
    max_cost_usd: NotRequired[float | None]


class SetQuotaSubject(TypedDict):
    type: Literal["workspace", "api_key", "virtual_user", "any_virtual_user"]
    #: Id of the API key or the virtual user
    id: NotRequired[str]
    #: E-mail of the virtual user, instead of its id
    email: NotRequired[str]


class SetSecondFactorDemand(TypedDict):
    is_demanded: bool


class SetVirtualUserGrants(TypedDict):
    #: All folders that answers to the virtual user may come from, each with what is below it; none if it is empty; null: no grants, so all that the key may read
    knowledge_base_ids: list[str] | None


class Share(TypedDict):
    """Another organization that may read a folder and all below it"""

    organization_id: ObjectId
    organization_name: str
    created_at: Timestamp


class ShareChat(TypedDict):
    #: true: readers see the chat as it is at any time; false: as it is now, until it is shared again. Default: false
    follows: NotRequired[bool]


class SharedAgent(TypedDict):
    """An agent as visitors see it"""

    agent_id: ObjectId
    name: str
    description: str
    greeting: str
    audience: AgentLinkAudience
    #: Colour of buttons and links, as `#rrggbb`; null: that of Docent
    color: str | None
    #: Corner of the website in which the button is
    position: Literal["left", "right"]
    #: Questions that visitors are offered at the start
    starter_questions: list[str]
    #: Language of the page; null: that of the visitor's browser
    language: Language | None
    #: Path of the logo on this server, which changes with the logo; null: none
    logo_url: str | None


class SharedMessage(TypedDict):
    """A question with its answer in a shared chat"""

    id: ObjectId
    query: str
    response: str
    error_message: str | None
    created_at: Timestamp
    #: Passages of files that the reader may read
    citations: list[Citation]
    #: Number of passages that the reader may not read
    hidden_citations: int


class Shortcut(TypedDict):
    """A predefined action, also called quick action"""

    id: ObjectId
    agent_id: ObjectId
    name: str
    #: With {{field_name}} where a value goes
    prompt: str
    fields: list[ShortcutField]
    job_id: ObjectId | None
    created_at: Timestamp
    updated_at: Timestamp


class ShortcutField(TypedDict):
    """A value that the person fills in"""

    name: str
    #: Default: "text" 
    type: Literal["text", "number", "select"]
    #: Default: false
    required: bool
    #: Default: []
    options: list[str]


class ShortcutFieldInput(TypedDict):
    """A value that the person fills in"""

    name: str
    #: Default: "text" 
    type: NotRequired[Literal["text", "number", "select"]]
    #: Default: false
    required: NotRequired[bool]
    #: Default: []
    options: NotRequired[list[str]]


ShownReaders = TypedDict(
    "ShownReaders",
    {
        "is_restricted": "bool",
        "readers": "ListedReaders | None",
        "from": "Literal[\"people\", \"push\", \"source\"] | None",
        "can_change": "bool",
    },
)


class SignIn(TypedDict):
    """The key that the session stands for"""

    api_key: str


class SignInOptions(TypedDict):
    """Ways to sign in"""

    #: Whether a link for a forgotten password is sent on request
    password_by_email: bool
    #: Whether passkeys work at the address of this server
    passkeys: bool
    #: OpenID Connect providers, for /session/providers/{provider_id}
    providers: list[SignInOptionsProvidersItem]


class SignInOptionsProvidersItem(TypedDict):
    id: str
    name: str


class SignInProvider(TypedDict):
    """An OpenID Connect provider, without its secret"""

    id: str
    name: str
    issuer: str
    client_id: str
    has_secret: bool
    client_auth: str
    scope: str
    claims_from: Literal["id_token", "userinfo"]
    email_verified_claim: str
    domains: list[str]
    makes_accounts: bool
    default_role: Literal["owner", "admin", "member"]
    role_claim: str | None
    roles: dict[str, Literal["owner", "admin", "member"]]
    groups_claim: str | None
    groups: dict[str, str] | None
    required_claim: SignInProviderRequiredClaim | None
    #: To be registered at the provider, exactly
    redirect_uri: str
    #: Set by an operator: it cannot be changed here
    is_by_environment: bool
    can_change: bool
    created_at: Timestamp | None
    updated_at: Timestamp | None


class SignInProviderRequiredClaim(TypedDict):
    name: str
    value: NotRequired[str]


class SourceApp(TypedDict):
    """App at a provider of documents, without its secret"""

    #: Provider of documents
    provider: Literal["google", "microsoft", "notion", "atlassian", "slack"]
    name: str
    client_id: str
    #: End of the secret, such as …a1b2; null: set by the environment, or too short
    secret_hint: str | None
    tenant: str | None
    #: null: the provider's own
    authorize_url: str | None
    #: null: the provider's own
    token_url: str | None
    #: Address to register there, to which people come back
    redirect_url: str
    #: Set by an operator: it cannot be changed here
    is_by_environment: bool


class SourceConnection(TypedDict):
    """Login with which an integration reads its source"""

    #: Provider of documents
    provider: Literal["google", "microsoft", "notion", "atlassian", "slack"]
    #: Account at the provider; empty where it does not say
    account: str
    #: Name of the key, or of the member, that logged in
    connected_by: str
    connected_at: Timestamp
    #: Whether somebody has to connect again
    is_lost: bool


class StreamCheckEvent(TypedDict):
    type: Literal["tick", "ping", "end"]
    #: From 0, one up with each event
    number: int
    #: When the server sent it, since the first event
    elapsed_ms: int


#: The JSON of one `data:` line. The last line is `data: [DONE]`. More types and fields may come: ignore what you do not know.
StreamEvent: TypeAlias = "MetadataEvent | PingEvent | DeltaEvent | EndReasoningEvent | EndResponseEvent | LiveUpdateEvent | ReviewRequestEvent | ErrorEvent"


class SubFolder(TypedDict):
    """A sub-folder in a recursive listing"""

    id: ObjectId
    name: str
    parent_kb_id: ObjectId | None
    created_at: Timestamp


class TestEmbeddingModel(TypedDict):
    #: PROVIDER/MODEL, or local/FOLDER
    model: str


class TestModelProvider(TypedDict):
    """Settings to try before they are stored; without kind, the stored ones are tried"""

    #: API that it speaks; openai-compatible: any server with chat completions
    kind: NotRequired[Literal["openai", "anthropic", "google", "ollama", "openai-compatible"]]
    #: null: the vendor's own address; ollama and openai-compatible need one. Default: null
    base_url: NotRequired[str | None]
    #: Stored encrypted and never returned. Left out, it stays, as long as kind and address stay; null: none
    api_key: NotRequired[str | None]


class TestReranker(TypedDict):
    #: Reranker to test, as PROVIDER/MODEL or local/NAME
    model: str


class TestSignInProvider(TypedDict):
    #: Provider whose stored secret is used, where none is given and the issuer is the same
    id: NotRequired[str]
    #: As the provider calls itself; https (http on this machine alone)
    issuer: str
    client_id: str
    client_secret: NotRequired[str]
    #: Default: client_secret_basic with a secret, none without
    client_auth: NotRequired[Literal["client_secret_basic", "client_secret_post", "none"]]
    #: Default: "openid email profile" 
    scope: NotRequired[str]


class TestWebSearch(TypedDict):
    """Settings to try before they are stored; without kind, the stored ones are tried"""

    #: API that it speaks
    kind: NotRequired[Literal["brave", "tavily", "searxng"]]
    #: null: the vendor's own address; searxng needs one. Default: null
    base_url: NotRequired[str | None]
    #: Stored encrypted and never returned. Left out, it stays, as long as kind and address stay; null: none
    api_key: NotRequired[str | None]
    #: Words to search for. Default: "weather" 
    query: NotRequired[str]


class TestedEmbeddingModel(TypedDict):
    """Whether a model makes vectors"""

    is_ok: bool
    #: Length of its vectors
    dimensions: int | None
    #: Milliseconds until it had answered
    latency_ms: int
    #: Why it cannot be used
    error_message: str | None


class TestedModelProvider(TypedDict):
    """Whether a provider lists its models with the key that it has"""

    is_ok: bool
    #: Milliseconds until it had answered
    latency_ms: int
    #: Number of models that it lists
    models: int | None
    #: Why it cannot be used
    error_message: str | None


class TestedReranker(TypedDict):
    """Whether a reranker scored two short texts"""

    is_ok: bool
    #: Milliseconds until it had answered
    latency_ms: int
    #: Why it cannot be used
    error_message: str | None


class TestedSignInProvider(TypedDict):
    """Checks in order, up to one that failed and that the rest needs"""

    is_ok: bool
    findings: list[TestedSignInProviderFindingsItem]


class TestedSignInProviderFindingsItem(TypedDict):
    check: Literal["discovery", "issuer", "endpoints", "keys", "features", "client"]
    is_ok: bool
    message: str


class TestedWebSearch(TypedDict):
    """Whether a provider of web search answers with the key that it has"""

    is_ok: bool
    #: Milliseconds until it had answered
    latency_ms: int
    #: The first ones that it found
    results: list[TestedWebSearchResultsItem]
    #: Why it cannot be used
    error_message: str | None


class TestedWebSearchResultsItem(TypedDict):
    title: str
    url: str
    snippet: str


class Thread(TypedDict):
    """A chat with what became of it"""

    id: ObjectId
    title: str
    chat_type: ChatType
    agent_id: ObjectId
    created_at: Timestamp
    metadata: ChatMetadata
    #: Project that it is in; null for none
    project_id: ObjectId | None
    #: Put away by its owner: the UI lists it apart
    is_archived: bool
    #: Kept by its owner above other chats
    is_pinned: bool
    #: When the newest message was asked
    last_message_at: Timestamp | None
    message_count: int
    #: Input and output of all messages
    total_tokens: int
    #: waiting: a message waits for a review; in_progress: one is being answered; failed: one failed; empty: no message
    status: Literal["empty", "in_progress", "waiting", "failed", "completed"]
    #: Answers rated so
    feedback: ThreadFeedback
    #: Ten of those who asked in it; only keys of admins and owners see them
    virtual_users: list[ThreadVirtualUsersItem]
    #: Virtual users who asked in it
    virtual_user_count: int


class ThreadFeedback(TypedDict):
    """Answers rated so"""

    up: int
    down: int


class ThreadVirtualUsersItem(TypedDict):
    id: ObjectId
    email: str
    name: str | None


#: ISO 8601, UTC, milliseconds
Timestamp: TypeAlias = str


class ToolPreview(TypedDict):
    """Preview of a tool call's result"""

    title: str
    content: str
    #: text, markdown, json, html, image, or one that a later version adds
    content_type: str
    status: Literal["completed", "error"]


#: A built-in tool, SERVER__TOOL of an MCP server or an API, or SERVER__* for all of it
ToolReference: TypeAlias = str


class Transcription(TypedDict):
    #: Words that were said; empty where none were heard
    text: str


class TranscriptionAbility(TypedDict):
    """Whether speech can be transcribed"""

    #: Whether the workspace chose a model for speech
    is_available: bool


class TwoFactorSecret(TypedDict):
    """Secret for an authenticator app"""

    #: Base32, to type into an app; shown this once
    secret: str
    #: otpauth address, for a QR code
    uri: str


class UnmappedPart(TypedDict):
    """A part of an agent that was left out, and why"""

    #: Place in the file
    path: str
    #: Text that stands there
    value: str
    reason: str


class UpdateAccount(TypedDict):
    name: NotRequired[str]
    #: Language of the web UI; null for that of the browser
    language: NotRequired[Language | None]


class UpdateAgent(TypedDict):
    name: NotRequired[str]
    description: NotRequired[str]
    instructions: NotRequired[str]
    model: NotRequired[str | None]
    knowledge_base_ids: NotRequired[list[str]]
    tools: NotRequired[list[Literal["search_knowledge", "read_file", "list_files", "create_file", "web_search", "fetch_page", "run_javascript", "ask_person", "remember", "call_agent"]] | None]
    visibility: NotRequired[AgentVisibility]
    sub_agent_ids: NotRequired[list[str]]
    tools_needing_approval: NotRequired[list[ToolReference]]
    limits: NotRequired[AgentLimitsInput]
    mcp_servers: NotRequired[list[GivenMcpServerInput]]
    openapi_tools: NotRequired[list[GivenOpenApiTools]]
    filters: NotRequired[FileFilterInput | None]


class UpdateAgentLink(TypedDict):
    name: NotRequired[str]
    audience: NotRequired[AgentLinkAudience]
    allowed_origins: NotRequired[list[str]]
    greeting: NotRequired[str]
    #: Colour of buttons and links, as `#rrggbb`; null: that of Docent
    color: NotRequired[str | None]
    #: Corner of the website in which the button is
    position: NotRequired[Literal["left", "right"]]
    #: Questions that visitors are offered at the start
    starter_questions: NotRequired[list[str]]
    #: Language of the page; null: that of the visitor's browser
    language: NotRequired[Language | None]
    #: PNG, JPEG or WebP in Base64, at most 200,000 bytes; null: none
    logo: NotRequired[str | None]
    queries_per_minute: NotRequired[int]
    queries_per_visitor_per_minute: NotRequired[int]


class UpdateApiKey(TypedDict):
    """Fields that are left out stay"""

    name: NotRequired[str]
    expires_at: NotRequired[str | None]
    rate_limit: NotRequired[KeyRateLimit | None]
    #: Takes the place of all that it had
    scopes: NotRequired[NewKeyScopes | None]


class UpdateChat(TypedDict):
    """Fields that are left out stay as they are; metadata is replaced as a whole"""

    title: NotRequired[str]
    metadata: NotRequired[ChatMetadata]
    #: Moves it into a project, or with null out of its own
    project_id: NotRequired[ObjectId | None]
    is_archived: NotRequired[bool]
    is_pinned: NotRequired[bool]
    #: Shows the newest branch with this message, which the next query continues
    shown_message_id: NotRequired[str]


class UpdateEvaluationCase(TypedDict):
    question: NotRequired[str]
    #: Texts of which a right answer has one: a number, a name, a sentence of the document
    expected_answers: NotRequired[list[str]]
    #: A good answer, for the judge to compare with
    reference_answer: NotRequired[str | None]
    expected_files: NotRequired[list[FileToExpect]]
    tags: NotRequired[list[str]]
    #: false: the agent should say that it does not know
    answerable: NotRequired[bool]


class UpdateEvaluationSet(TypedDict):
    name: NotRequired[str]
    #: `provider/model` that judges each answer; null: none does
    judge_model: NotRequired[str | None]
    #: Every night a run begins at this hour, with your rights; null: none does
    schedule: NotRequired[UpdateEvaluationSetSchedule | None]


class UpdateEvaluationSetSchedule(TypedDict):
    hour: int
    #: Default: "UTC" 
    time_zone: NotRequired[str]
    #: Default: []
    alerts: NotRequired[list[EvaluationAlert]]


class UpdateJob(TypedDict):
    name: NotRequired[str]
    instructions: NotRequired[str]
    tools: NotRequired[list[ToolReference] | None]
    knowledge_base_ids: NotRequired[list[str] | None]
    filters: NotRequired[FileFilterInput | None]


class UpdateMember(TypedDict):
    """group_ids are all groups of the member from then on"""

    role: NotRequired[Literal["owner", "admin", "member"]]
    group_ids: NotRequired[list[str]]


class UpdateMessage(TypedDict):
    is_pinned: NotRequired[bool]


class UpdateProject(TypedDict):
    """Fields that are left out stay as they are"""

    name: NotRequired[str]
    #: Instructions to the model in every chat of the project, after those of its agent
    instructions: NotRequired[str]
    #: Agent that the UI begins new chats of the project with; null: the person chooses
    agent_id: NotRequired[str | None]


class UpdateShortcut(TypedDict):
    name: NotRequired[str]
    prompt: NotRequired[str]
    fields: NotRequired[list[ShortcutFieldInput]]
    job_id: NotRequired[str | None]


class UpdateWebhookEndpoint(TypedDict):
    #: http or https; events are sent there with POST
    url: NotRequired[str]
    event_types: NotRequired[list[Literal["data_source.indexed", "data_source.failed", "integration.failed", "message.waiting", "evaluation.finished", "evaluation.regressed"]]]
    description: NotRequired[str]
    #: false: no event is sent, and what is on its way is given up
    is_enabled: NotRequired[bool]


class UploadedFile(TypedDict):
    """A file that was sent with a query"""

    #: As in uploaded_files of the query
    id: ObjectId
    file_name: str
    media_type: str
    size_bytes: int


class UsageGroup(TypedDict):
    """Usage of a day, an agent, a virtual user, a key or a model"""

    #: By day
    day: NotRequired[str]
    #: By agent; sub-agents have the tokens that they used. null: sound that was transcribed
    agent_id: NotRequired[ObjectId | None]
    #: By virtual user; null: of none
    virtual_user_id: NotRequired[ObjectId | None]
    #: By virtual user
    email: NotRequired[str | None]
    #: By API key; null: before keys were noted
    api_key_id: NotRequired[ObjectId | None]
    #: By model
    model: NotRequired[str]
    #: Name of the agent, the virtual user or the API key
    name: NotRequired[str | None]
    #: Answered, failed and cancelled, each for the agent that was asked
    messages: int
    #: Cached ones included
    input_tokens: int
    cached_input_tokens: int
    #: Reasoning included
    output_tokens: int
    reasoning_tokens: int
    #: Cost of models with a price; null where none has one
    cost_usd: float | None
    #: Tokens of models without a price: not in the cost
    unpriced_tokens: int
    #: Sound that was transcribed: dictation and recordings
    audio_seconds: int
    #: Sound whose cost is not known: not in the cost
    unpriced_audio_seconds: int


class UsageTotal(TypedDict):
    #: Answered, failed and cancelled, each for the agent that was asked
    messages: int
    #: Cached ones included
    input_tokens: int
    cached_input_tokens: int
    #: Reasoning included
    output_tokens: int
    reasoning_tokens: int
    #: Cost of models with a price; null where none has one
    cost_usd: float | None
    #: Tokens of models without a price: not in the cost
    unpriced_tokens: int
    #: Sound that was transcribed: dictation and recordings
    audio_seconds: int
    #: Sound whose cost is not known: not in the cost
    unpriced_audio_seconds: int


class UsePasswordLink(TypedDict):
    token: str
    password: str


class UsedChat(TypedDict):
    """A chat with any agent, and when it was last used"""

    id: ObjectId
    title: str
    chat_type: ChatType
    agent_id: ObjectId
    created_at: Timestamp
    metadata: ChatMetadata
    #: Project that it is in; null for none
    project_id: ObjectId | None
    #: Put away by its owner: the UI lists it apart
    is_archived: bool
    #: Kept by its owner above other chats
    is_pinned: bool
    #: When the newest message was asked
    last_message_at: Timestamp | None
    message_count: int


class UserToken(TypedDict):
    """Opens one virtual user's own chats with certain agents, and nothing else"""

    #: Sent like an API key: in x-api-key, or as Authorization: Bearer
    token: str
    expires_at: Timestamp
    virtual_user_id: ObjectId


class VirtualUser(TypedDict):
    """A person on whose behalf an application sends requests"""

    id: ObjectId
    organization_id: ObjectId
    email: str
    name: str | None
    origin: str | None
    metadata: dict[str, Any]
    created_at: Timestamp
    updated_at: Timestamp | None


class VirtualUserGrants(TypedDict):
    """Folders from which agents find, read, list and cite for a virtual user"""

    #: Granted folders that are there, by name; null: no grants, so all that the key may read
    knowledge_base_ids: list[ObjectId] | None
    #: Their names
    knowledge_bases: list[VirtualUserGrantsKnowledgeBasesItem] | None


class VirtualUserGrantsKnowledgeBasesItem(TypedDict):
    id: ObjectId
    name: str


class VirtualUserUsage(TypedDict):
    messages: int
    chats: int
    input_tokens: int
    cached_input_tokens: int
    output_tokens: int
    reasoning_tokens: int
    first_message_at: Timestamp | None
    last_message_at: Timestamp | None


class Visit(TypedDict):
    """Token and agent that a visitor needs to chat"""

    #: For `Authorization: Bearer`, until it expires
    visitor_token: str
    expires_at: Timestamp
    visitor_id: ObjectId
    agent: SharedAgent


class WebSearch(TypedDict):
    """Web search of the agents of a workspace"""

    #: null: none was set up
    provider: WebSearchSettings | None


class WebSearchSettings(TypedDict):
    """A provider of web search, without its key"""

    #: API that it speaks
    kind: Literal["brave", "tavily", "searxng"]
    #: As people know it
    label: str
    #: null: the vendor's own
    base_url: str | None
    has_key: bool
    #: End of the key, such as …a1b2; null: none, or too short
    key_hint: str | None
    created_at: Timestamp
    updated_at: Timestamp


class WebSession(TypedDict):
    """Whether a browser is signed in, and as whom"""

    #: second_factor: the password was right, and a code or a passkey is to follow within five minutes
    state: Literal["signed_in", "signed_out", "second_factor"]
    #: Factors that may follow the password; empty unless the state is second_factor
    second_factors: list[Literal["code", "passkey"]]
    #: For a person: why a session that was there has ended
    reason: str | None
    #: Null unless signed in
    identity: Identity | None
    created_at: Timestamp | None
    #: Moves on while the session is used, at most to 30 days
    expires_at: Timestamp | None


class WebhookAttempt(TypedDict):
    #: From 1
    number: int
    started_at: Timestamp
    duration_ms: int
    #: HTTP status; null where no answer came
    status: int | None
    #: The first 2 KiB of the answer
    reply: str | None
    #: Why no answer came
    error: str | None


class WebhookBody(TypedDict):
    """The result of an asynchronous query"""

    status: Literal["success", "error"]
    #: Why it failed; null when it did not
    error_message: str | None
    data: WebhookBodyData


class WebhookBodyData(TypedDict):
    id: ObjectId
    query: str
    response: str
    chat_id: ObjectId
    agent_id: ObjectId
    created_at: Timestamp
    updated_at: Timestamp
    message_type: str
    is_pinned: bool
    downloadable_output: NotRequired[dict[str, str]]
    reasoning: str
    quick_action_id: ObjectId | None
    quick_action_fields_with_values: list[WebhookBodyDataQuickActionFieldsWithValuesItem]
    citations: list[Citation]


class WebhookBodyDataQuickActionFieldsWithValuesItem(TypedDict):
    field_name: str
    field_value: str | float


class WebhookDelivered(TypedDict):
    """An event that has just happened, or the result of an asynchronous query"""

    type: Literal["delivery"]
    #: webhook-id, webhook-timestamp and webhook-signature, with the secret of the workspace
    headers: dict[str, str]
    #: JSON of the event, as an endpoint is sent it, or of a result, as its webhook_url is sent it
    body: str


class WebhookDelivery(TypedDict):
    """The result of an async query on its way to its webhook"""

    #: The webhook-id of every attempt
    id: ObjectId
    message_id: ObjectId
    url: str
    status: WebhookDeliveryStatus
    attempt_count: int
    #: Why the last attempt, or the delivery, failed
    error_message: str | None
    next_attempt_at: Timestamp | None
    delivered_at: Timestamp | None
    created_at: Timestamp
    updated_at: Timestamp


#: waiting: the message is being answered; pending: to be delivered, at once or at next_attempt_at; delivered; failed: given up, until it is asked for again
WebhookDeliveryStatus: TypeAlias = Literal["waiting", "pending", "delivered", "failed"]


class WebhookEndpoint(TypedDict):
    """URL to which a workspace has its events sent"""

    id: ObjectId
    url: str
    description: str
    event_types: list[Literal["data_source.indexed", "data_source.failed", "integration.failed", "message.waiting", "evaluation.finished", "evaluation.regressed"]]
    is_enabled: bool
    disabled_at: Timestamp | None
    #: failing: nothing arrived for three days; gone: it answered 410; asked: somebody switched it off
    disabled_reason: Literal["asked", "failing", "gone"] | None
    #: Since when no attempt has arrived; null while they do
    failing_since: Timestamp | None
    #: Until when the secret before signs along
    old_secret_until: Timestamp | None
    created_at: Timestamp
    updated_at: Timestamp


class WebhookEndpointWithSecret(TypedDict):
    """An endpoint with its new secret"""

    id: ObjectId
    url: str
    description: str
    event_types: list[Literal["data_source.indexed", "data_source.failed", "integration.failed", "message.waiting", "evaluation.finished", "evaluation.regressed"]]
    is_enabled: bool
    disabled_at: Timestamp | None
    #: failing: nothing arrived for three days; gone: it answered 410; asked: somebody switched it off
    disabled_reason: Literal["asked", "failing", "gone"] | None
    #: Since when no attempt has arrived; null while they do
    failing_since: Timestamp | None
    #: Until when the secret before signs along
    old_secret_until: Timestamp | None
    created_at: Timestamp
    updated_at: Timestamp
    #: Signs the deliveries; it is not shown again
    secret: str


class WebhookEventDelivery(TypedDict):
    """An event on its way to an endpoint"""

    #: The webhook-id of every attempt
    id: ObjectId
    endpoint_id: ObjectId
    event_type: str
    status: WebhookDeliveryStatus
    attempt_count: int
    #: Why the last attempt, or the delivery, failed
    error_message: str | None
    next_attempt_at: Timestamp | None
    delivered_at: Timestamp | None
    created_at: Timestamp
    updated_at: Timestamp


WebhookListenEvent: TypeAlias = "WebhookPing | WebhookDelivered"


class WebhookPing(TypedDict):
    """The first of all, and then every 5 s"""

    type: Literal["ping"]


class WebhookSecret(TypedDict):
    #: whsec_ and base64, as the Standard Webhooks specification has it
    secret: str
    created_at: Timestamp
    #: Earlier secrets that still sign along, newest first
    previous: list[WebhookSecretPreviousItem]


class WebhookSecretPreviousItem(TypedDict):
    created_at: Timestamp
    expires_at: Timestamp


class WebhookTestEvent(TypedDict):
    """Somebody asked for a test of the endpoint"""

    type: Literal["webhook.test"]
    #: When it happened
    timestamp: Timestamp
    #: Workspace of the endpoint
    workspace_id: ObjectId
    data: WebhookTestEventData


class WebhookTestEventData(TypedDict):
    endpoint_id: ObjectId


class SessionBeginWithPasskeyReply(TypedDict):
    #: PublicKeyCredentialRequestOptionsJSON of WebAuthn, for this browser within five minutes
    options: dict[str, Any]


class PasswordLinksRequestReply(TypedDict):
    requested: Literal[True]


class PasswordLinksUseReply(TypedDict):
    email: str


class InvitationsRevokeReply(TypedDict):
    deleted: Literal[True]


class ApiKeysRevokeReply(TypedDict):
    deleted: Literal[True]


class BrowserOriginsGetReply(TypedDict):
    origins: list[str]


class BrowserOriginsPutReply(TypedDict):
    origins: list[str]


class MembersRemoveTwoFactorReply(TypedDict):
    deleted: Literal[True]


class MembersUpdateReply(TypedDict):
    updated: Literal[True]


class MembersRemoveReply(TypedDict):
    deleted: Literal[True]


class ScimTokensListReply(TypedDict):
    #: Address to enter in the directory, as tenant or base URL
    base_url: str
    scim_tokens: list[ScimToken]


class ScimTokensRevokeReply(TypedDict):
    deleted: Literal[True]


class AccountSessionsListReply(TypedDict):
    sessions: list[AccountSession]


class AccountSessionsEndOthersReply(TypedDict):
    deleted: Literal[True]


class AccountSessionsEndReply(TypedDict):
    deleted: Literal[True]


class AccountIdentitiesUnlinkReply(TypedDict):
    deleted: Literal[True]


class AccountPictureSetReply(TypedDict):
    updated: Literal[True]


class AccountPictureRemoveReply(TypedDict):
    deleted: Literal[True]


class AccountTwoFactorRemoveReply(TypedDict):
    deleted: Literal[True]


class AccountPasskeysChallengeReply(TypedDict):
    #: PublicKeyCredentialRequestOptionsJSON of WebAuthn, for this browser within five minutes
    options: dict[str, Any]


class AccountPasskeysBeginReply(TypedDict):
    #: PublicKeyCredentialCreationOptionsJSON of WebAuthn, for this browser within five minutes
    options: dict[str, Any]


class AccountPasskeysRemoveReply(TypedDict):
    deleted: Literal[True]


class AccountApiKeysListReply(TypedDict):
    api_keys: list[ApiKey]


class AccountApiKeysRevokeReply(TypedDict):
    deleted: Literal[True]


class AccountAppsListReply(TypedDict):
    apps: list[ConnectedApp]


class AccountAppsRevokeReply(TypedDict):
    deleted: Literal[True]


class GroupsUpdateReply(TypedDict):
    updated: Literal[True]


class GroupsDeleteReply(TypedDict):
    deleted: Literal[True]


class SignInProvidersListReply(TypedDict):
    #: Redirect URIs are this with the id of the provider behind it
    redirect_base: str
    sign_in_providers: list[SignInProvider]


class SignInProvidersDeleteReply(TypedDict):
    deleted: Literal[True]


class VirtualUsersMemoriesDeleteReply(TypedDict):
    deleted: Literal[True]


class VirtualUsersCreateBody(TypedDict):
    #: E-mail of the person on whose behalf the request is sent
    email: str
    name: NotRequired[str | None]
    #: Application that the person comes from
    origin: NotRequired[str | None]
    #: Any data; keys and text values are stored in lower case
    metadata: NotRequired[dict[str, Any]]


class VirtualUsersUpdateBody(TypedDict):
    #: null clears
    name: NotRequired[str | None]
    #: null clears
    origin: NotRequired[str | None]
    #: Replaces all that was there
    metadata: NotRequired[dict[str, Any]]
    email: NotRequired[Never]


class VirtualUsersDeleteReply(TypedDict):
    deleted: Literal[True]


class KnowledgeBasesCreateBody(TypedDict):
    knowledge_base_name: str
    #: Default: []
    user_defined_tags: NotRequired[list[str]]
    #: Parent folder; null or absent for the root
    parent_kb_id: NotRequired[str | None]


class KnowledgeBasesListReply(TypedDict):
    org_knowledge_bases: list[KnowledgeBase]
    shared_knowledge_bases: list[KnowledgeBase]


class KnowledgeBasesUpdateBody(TypedDict):
    knowledge_base_name: NotRequired[str]
    user_defined_tags: NotRequired[list[str]]
    #: Moves the folder; null for the root
    parent_kb_id: NotRequired[str | None]


class KnowledgeBasesDeleteReply(TypedDict):
    status: Literal["success"]
    message: str


class KnowledgeBasesSearchReply(TypedDict):
    results: list[SearchHit]


class SharesCreateBody(TypedDict):
    #: The organization that shall read the folder and all below it
    organization_id: str


class SharesDeleteReply(TypedDict):
    deleted: Literal[True]


class DataSourcesPushedDeleteReply(TypedDict):
    status: Literal["success"]
    message: str


class DataSourcesPushedBatchReply(TypedDict):
    #: One for each item, in their order
    items: list[DataSourcesPushedBatchReplyItemsItem]


class DataSourcesPushedBatchReplyItemsItem(TypedDict):
    external_id: str
    #: null: it failed
    outcome: Literal["created", "replaced", "updated", "unchanged", "deleted"] | None
    data_source_id: ObjectId | None
    error: DataSourcesPushedBatchReplyItemsItemError | None


class DataSourcesPushedBatchReplyItemsItemError(TypedDict):
    error_code: str
    message: str


class DataSourcesVersionsListReply(TypedDict):
    #: The newest first
    versions: list[FileVersion]


class DataSourcesPassageEditsListReply(TypedDict):
    passage_edits: list[PassageEdit]


class DataSourcesPassageEditsUndoReply(TypedDict):
    status: Literal["success"]


class DataSourcesDeleteReply(TypedDict):
    status: Literal["success"]
    message: str


class DataSourcesAddDocumentBody(TypedDict):
    #: As returned by the upload
    file_id: str
    data_source_title: str
    metadata: NotRequired[FileMetadata]
    #: Makes a folder of a ZIP archive, named like it: its files and folders, in the background. The archive goes when all of it is there; where entries had to be left out it stays, failed, and status_reason names them. Default: false
    unpack: NotRequired[bool]
    #: false leaves the file pending. Default: true
    trigger_indexing: NotRequired[bool]


class DataSourcesUpdateBody(TypedDict):
    data_source_title: NotRequired[str]
    metadata: NotRequired[FileMetadata]
    #: Moves the file to this folder
    knowledge_base_id: NotRequired[str]


class DataSourcesChangeMetadataReply(TypedDict):
    status: Literal["success"]
    message: str


class DataSourcesIndexReply(TypedDict):
    data_sources: list[DataSource]


class DataSourcesCancelIndexingReply(TypedDict):
    data_sources: list[DataSource]


class IntegrationsCreateBody(TypedDict):
    #: Kind of source
    kind: str
    #: Name of the folder that is made and filled
    knowledge_base_name: str
    #: Parent of that folder; null or absent for the root
    parent_kb_id: NotRequired[str | None]
    #: Settings of the kind of source; docs/linked-folders.md lists those of each. All kinds: `include` and `exclude` (patterns such as `*.md` or `drafts/**`), `interval_seconds` (from one sync to the next). `directory`: `path` (an absolute folder of the server, below one of DOCENT_DIRECTORY_ROOTS). `s3`: `bucket`, `prefix`, `endpoint`, `region`, `access_key_id`, `secret_access_key`. `webdav`: `url`, `username`, `password`. `web`: `url`, `discover` (`links` or `sitemap`), `sitemaps`, `path_prefix`, `max_depth`, `max_pages`, `documents`. `git`: `url`, `branch`, `path`, `username`, `token`. `imap`: `host`, `port`, `security` (`tls`, `starttls` or `none`), `username`, `password`, `mailboxes`, `since`. `google_drive`: `folder`, `connection` (id of a login), or `credentials` and `impersonate`, `endpoint`. `notion`: `connection` (id of a login), or `token`, `endpoint`. `sharepoint`: `site` and `library`, or `user`, `folder`, `connection` (id of a login), or `tenant`, `client_id` and `client_secret`, `endpoint`, `login_endpoint`. `confluence`: `site`, `spaces`, `pages_only`, `connection` (id of a login), or `email` and `api_token`, `endpoint`. `slack`: `channels`, `messages_only`, `reread_days`, `connection` (id of a login), or `token`, `endpoint`.. Default: {}
    config: NotRequired[dict[str, Any]]


class IntegrationsDeleteReply(TypedDict):
    deleted: Literal[True]


class IntegrationsUpdateBody(TypedDict):
    #: Fields to change, as when it was made: others stay, null takes one back to its default. Secrets that are left out, or given as they are shown, stay.
    config: NotRequired[dict[str, Any]]
    #: Whether syncs by themselves are paused; true also stops the one that runs. False begins one.
    is_paused: NotRequired[bool]


class IntegrationsProblemsItem(TypedDict):
    #: From the root of the source; empty for the root itself
    path: str
    #: Why it was left out; what an earlier sync brought of it stays
    reason: str


class IntegrationsTestReply(TypedDict):
    #: The first files and folders at its root, 10 at most
    entries: list[IntegrationsTestReplyEntriesItem]


class IntegrationsTestReplyEntriesItem(TypedDict):
    name: str
    kind: Literal["file", "folder"]


class IntegrationsTestBody(TypedDict):
    #: Kind of source
    kind: str
    #: Settings of the kind of source; docs/linked-folders.md lists those of each. All kinds: `include` and `exclude` (patterns such as `*.md` or `drafts/**`), `interval_seconds` (from one sync to the next). `directory`: `path` (an absolute folder of the server, below one of DOCENT_DIRECTORY_ROOTS). `s3`: `bucket`, `prefix`, `endpoint`, `region`, `access_key_id`, `secret_access_key`. `webdav`: `url`, `username`, `password`. `web`: `url`, `discover` (`links` or `sitemap`), `sitemaps`, `path_prefix`, `max_depth`, `max_pages`, `documents`. `git`: `url`, `branch`, `path`, `username`, `token`. `imap`: `host`, `port`, `security` (`tls`, `starttls` or `none`), `username`, `password`, `mailboxes`, `since`. `google_drive`: `folder`, `connection` (id of a login), or `credentials` and `impersonate`, `endpoint`. `notion`: `connection` (id of a login), or `token`, `endpoint`. `sharepoint`: `site` and `library`, or `user`, `folder`, `connection` (id of a login), or `tenant`, `client_id` and `client_secret`, `endpoint`, `login_endpoint`. `confluence`: `site`, `spaces`, `pages_only`, `connection` (id of a login), or `email` and `api_token`, `endpoint`. `slack`: `channels`, `messages_only`, `reread_days`, `connection` (id of a login), or `token`, `endpoint`.. Default: {}
    config: NotRequired[dict[str, Any]]
    #: Integration whose settings `config` changes; its secrets are used where none are given
    integration_id: NotRequired[str | None]


class IntegrationsAppsReply(TypedDict):
    #: Address to register at each provider
    redirect_url: str
    apps: list[SourceApp]


class IntegrationsDeleteAppReply(TypedDict):
    deleted: Literal[True]


class IntegrationsConnectReply(TypedDict):
    #: Page of the provider to send the person to
    authorization_url: str


class IntegrationsFinishConnectReply(TypedDict):
    id: ObjectId
    connection: SourceConnection


class AgentsMcpServersConnectReply(TypedDict):
    #: Page of the authorization server to send the person to
    authorization_url: str


class AgentsMcpServersFinishConnectReply(TypedDict):
    #: URL of the server
    url: str
    connection: McpConnection


class AgentsMcpServersDisconnectReply(TypedDict):
    deleted: Literal[True]


class AgentsOpenApiToolsCheckBody(TypedDict):
    #: One of the APIs that the agent has
    name: NotRequired[str]
    source: NotRequired[GivenOpenApiTools]


class AgentsJobsDeleteReply(TypedDict):
    deleted: Literal[True]


class AgentsShortcutsDeleteReply(TypedDict):
    deleted: Literal[True]


class AgentsLinksDeleteReply(TypedDict):
    deleted: Literal[True]


class AgentsDeleteReply(TypedDict):
    deleted: Literal[True]


class AgentsExportReply(TypedDict):
    agent: AgentFile
    unmapped: list[UnmappedPart]


class WebSearchDeleteReply(TypedDict):
    deleted: Literal[True]


class ModelProvidersListReply(TypedDict):
    model_providers: list[ModelProviderSettings]


class ModelProvidersDeleteReply(TypedDict):
    deleted: Literal[True]


class ProjectsDeleteReply(TypedDict):
    deleted: Literal[True]


class ChatsQueriesCreateReply(TypedDict):
    #: The answer; of a message that waits, what it said and what is asked
    text: str
    message_id: ObjectId
    ai_resolution_status: NotRequired[Literal["waiting"]]
    review: NotRequired[Review]


class ChatsQueriesCreateAsyncReply(TypedDict):
    message_id: ObjectId


class ChatsCreateReply(TypedDict):
    chat: NewChat


class ChatsDeleteReply(TypedDict):
    deleted: Literal[True]


class ChatsSearchReply(TypedDict):
    messages: list[FoundMessage]
    #: false: there may be more in older chats than the limit, or what is looked through, let in
    is_complete: bool


class ChatsChangeManyReply(TypedDict):
    changed_ids: list[ObjectId]
    #: Ids of chats that are not there, or that are not to be changed by the caller
    missing_ids: list[str]


class ChatsUnshareReply(TypedDict):
    deleted: Literal[True]


class MessagesDeleteReply(TypedDict):
    pass


class EvaluationSetsDeleteReply(TypedDict):
    deleted: Literal[True]


class EvaluationCasesAddReply(TypedDict):
    added: int
    #: Questions that the set has already
    left_out: int


class EvaluationCasesDeleteReply(TypedDict):
    deleted: Literal[True]


class WebhooksDeliveriesGetReply(TypedDict):
    id: ObjectId
    message_id: ObjectId
    url: str
    status: WebhookDeliveryStatus
    attempt_count: int
    #: Why the last attempt, or the delivery, failed
    error_message: str | None
    next_attempt_at: Timestamp | None
    delivered_at: Timestamp | None
    created_at: Timestamp
    updated_at: Timestamp
    attempts: list[WebhookAttempt]


class WebhooksEndpointsDeliveriesGetReply(TypedDict):
    id: ObjectId
    endpoint_id: ObjectId
    event_type: str
    status: WebhookDeliveryStatus
    attempt_count: int
    #: Why the last attempt, or the delivery, failed
    error_message: str | None
    next_attempt_at: Timestamp | None
    delivered_at: Timestamp | None
    created_at: Timestamp
    updated_at: Timestamp
    #: JSON, as it is sent
    body: str
    attempts: list[WebhookAttempt]


class WebhooksEndpointsDeleteReply(TypedDict):
    deleted: Literal[True]


class UsagePricesReply(TypedDict):
    prices: list[ModelPrice]


class QuotasDeleteReply(TypedDict):
    deleted: Literal[True]
