import type { Generated } from 'kysely'

export interface OrganizationTable {
  id: string
  name: string
  created_at: string
}

export interface WorkspaceTable {
  id: string
  organization_id: string
  name: string
  created_at: string
  /** 1 where members need a second factor. */
  demands_second_factor: Generated<0 | 1>
  /** Time since which its keys of the role member may read less; null: never. */
  keys_narrowed_at: Generated<string | null>
}

/** Origin whose pages may call the API with the token of an end user. */
export interface BrowserOriginTable {
  organization_id: string
  workspace_id: string
  /** Scheme, host and port, as browsers send it. */
  origin: string
  created_at: string
}

/**
 * `machine`: made for a program. `member`: stands for a member who is signed in, and has no secret that anybody knows.
 * `personal`: made by a member, with that member's rights. `oauth`: stands for an app that a member connected, and has
 * no secret either. `scim`: with it a directory manages the members, and nothing else.
 */
export type ApiKeyKind = 'machine' | 'member' | 'personal' | 'oauth' | 'scim'

export interface ApiKeyTable {
  id: string
  organization_id: string
  workspace_id: string
  name: string
  /** First characters of the key, to recognise it by. */
  prefix: string
  /** SHA-256 of the key, hex: the key itself is never stored. */
  hash: string
  role: 'owner' | 'admin' | 'member'
  /** JSON array of permission names. */
  permissions: string
  /** JSON of what the key is narrowed to, or null. */
  scopes: string | null
  expires_at: string | null
  revoked_at: string | null
  last_used_at: string | null
  created_at: string
  kind: Generated<ApiKeyKind>
  /** Member that a key of the kinds `member`, `personal` and `oauth` ends with. */
  member_id: string | null
  /** SHA-256 of the secret before the last rotation, hex, and when it stops working. */
  earlier_hash: string | null
  earlier_until: string | null
  /** Rate limit of its own; both null: that of all keys. */
  rate_per_second: number | null
  rate_burst: number | null
}

/** A browser that is signed in to the web UI. */
export interface WebSessionTable {
  id: string
  organization_id: string
  /** The key that it stands for. */
  key_id: string
  /** SHA-256 of the token in the browser's cookie, hex. */
  token_hash: string
  created_at: string
  last_used_at: string
  /** Moves on while it is used, up to 30 days from its start. */
  expires_at: string
  /** Account that signed in; null for somebody who signed in with a key. */
  account_id: string | null
  /** Address that it was begun from; the browser is beside it. */
  address: string | null
  user_agent: string | null
}

/** Use of a link by its visitors in a day, for their limits. */
export interface VisitorUseTable {
  organization_id: string
  link_id: string
  /** A visitor, an address from which some came, or all of them: see `visitor-use.ts`. */
  subject: string
  /** `2026-01-31`, UTC */
  day: string
  files: number
  bytes: number
  chats: number
}

/** Level at which somebody is let use a resource, beyond what their role gives. */
export interface AccessGrantTable {
  organization_id: string
  /**
   * `agent`: to change it. `agent_use`: to use one that is not for everyone. `threads`: the chats that others have with
   * an agent; the id is the agent's. `folder`: the folder and what is below it, as far as no folder below has an entry.
   */
  resource_kind: 'agent' | 'agent_use' | 'threads' | 'folder'
  /** Empty in the entry of a virtual user that says that it has grants, and so reads no folder without one. */
  resource_id: string
  subject_kind: 'member' | 'group' | 'admins' | 'workspace' | 'virtual_user'
  /** Empty for admins. A workspace stands for all its members and its keys of the role member. */
  subject_id: string
  /** `none` to `manage` for a folder, `use` or `change` for an agent, `read` for threads. */
  level: 'none' | 'read' | 'write' | 'manage' | 'use' | 'change'
  /** Time of the membership; restarts for a member who was removed and added again. */
  created_at: string
}

/** Version of all that decides who may read which folder; of organizations that have rights to folders. */
export interface FolderRightsVersionTable {
  organization_id: string
  /** Random, so that no version comes twice, not even after a transaction that was rolled back. */
  version: string
  /** 1 once a file of the organization had a list of its readers. */
  has_reader_lists: Generated<0 | 1>
}

/** List of who may read a file, once in an organization, however many files have it. */
export interface ReaderListTable {
  organization_id: string
  /** Digest of those whom it names. */
  id: string
  /** JSON of `Readers`. */
  readers: string
  /** Time when it was made, or a file got it again, to half a day. */
  created_at: string
}

/** Row for a person named in a list. */
export interface ReaderListSubjectTable {
  organization_id: string
  /** Text of a subject, written by `subjectsOf`. */
  subject: string
  list_id: string
}

/** Time until which somebody may have read more files than since. */
export interface ReaderNarrowingTable {
  organization_id: string
  /** Text of a subject, written by `subjectsOf`; empty for everybody. */
  subject: string
  at: string
}

/** Secret of the server itself, the same for every process on this database. */
export interface ServerSecretTable {
  name: string
  value: string
}

/** Request with an Idempotency-Key, and its answer once it succeeded. */
export interface IdempotentRequestTable {
  organization_id: string
  /** HMAC-SHA-256 of the caller and the key. */
  key_digest: string
  /** HMAC-SHA-256 of method, URL and body. */
  request_digest: string
  /** Process that carries it out, or did. */
  process_id: string
  /** Null while it is carried out. */
  status: number | null
  /** Body of the answer, encrypted: it may hold a secret that is shown once. Null while there is none. */
  answer: string | null
  created_at: string
}
