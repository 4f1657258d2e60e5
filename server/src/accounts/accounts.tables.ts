import type { Generated } from 'kysely'
import type { Role } from '../access/access.ts'

/** A person. Of no organization: one account may be a member of several. */
export interface AccountTable {
  id: string
  /** Lower-cased; unique. */
  email: string
  name: string
  /** Argon2id, as a PHC string; null for somebody who has no password. */
  password_hash: string | null
  created_at: string
  updated_at: string
  signed_in_at: string | null
  /** Tag of the UI's language; null for the browser's. */
  language: string | null
}

/** Picture of a person. */
export interface AccountPictureTable {
  account_id: string
  media_type: string
  /** Base64. */
  content: string
  /** Hex. */
  sha256: string
  updated_at: string
}

/** An account in a workspace. */
export interface MemberTable {
  id: string
  organization_id: string
  workspace_id: string
  account_id: string
  role: Role
  created_at: string
  /** Time at which the account last chose this workspace; the next sign-in opens it. */
  chosen_at: string
  /** Time at which rights to folders were last taken from the member, or may have been; null: never. */
  narrowed_at: Generated<string | null>
  /** 1 where somebody other than the person said that the e-mail of the account is theirs: lists of readers name it. */
  is_email_confirmed: Generated<0 | 1>
}

/** Members of a workspace under one name. */
export interface MemberGroupTable {
  id: string
  organization_id: string
  workspace_id: string
  name: string
  /** The name as it is compared. */
  name_key: string
  created_at: string
}

export interface GroupMemberTable {
  organization_id: string
  group_id: string
  member_id: string
}

/** A link that makes its holder a member, once. A row that was used or revoked is deleted. */
export interface InvitationTable {
  id: string
  organization_id: string
  workspace_id: string
  /** The only e-mail address that may use it; null for any. */
  email: string | null
  role: Role
  /** JSON array. */
  group_ids: string
  /** SHA-256 of the token, hex. */
  token_hash: string
  /** Key of the member who invites; null for an operator on the command line. */
  invited_by: string | null
  created_at: string
  expires_at: string
}

/** A link that lets its holder set the password of an account, once. */
export interface PasswordLinkTable {
  id: string
  account_id: string
  /** SHA-256 of the token, hex. */
  token_hash: string
  created_at: string
  expires_at: string
}

/** A person at an OpenID Connect provider, and the account that is theirs. */
export interface AccountIdentityTable {
  id: string
  account_id: string
  /** Identifies a person together with the subject, which no issuer gives twice. */
  issuer: string
  subject: string
  /** Id of the provider in the settings that it was last used by. */
  provider_id: string
  /** How it came to the account: by a verified e-mail, or by the person, who was signed in. */
  linked_by: 'email' | 'person'
  created_at: string
  used_at: string
}

/** Authenticator app of an account. */
export interface TwoFactorTable {
  account_id: string
  /** Base32, sealed with the server's secret. */
  secret: string
  /** Step of 30 seconds of the last code that was used: that one and earlier ones are refused. */
  last_step: number
  created_at: string
  /** Time at which the person entered a first code; null while it is being set up and not asked for. */
  confirmed_at: string | null
}

/** A code for anyone who has lost the app. A row that was used is deleted. */
export interface RecoveryCodeTable {
  account_id: string
  /** SHA-256, hex. */
  code_hash: string
}

/**
 * A person as the directory of a company describes them to a workspace, by SCIM. The account is found by the e-mail.
 */
export interface ScimUserTable {
  id: string
  organization_id: string
  workspace_id: string
  /** Lower-cased; unique in the workspace. */
  email: string
  /** User name as the directory wrote it, compared exactly; unique in the workspace. */
  user_name: string
  user_name_key: string
  /** Id of the person in the directory. */
  external_id: string | null
  display_name: string | null
  /** JSON object with the parts of the name. */
  names: string
  /** 0 for somebody who may not be a member until the directory says so. */
  is_active: number
  created_at: string
  updated_at: string
}

/** An OpenID Connect provider that a workspace set up by itself. */
export interface SignInProviderTable {
  /** Part of the redirect URI; unique on the server. */
  id: string
  organization_id: string
  workspace_id: string
  /** JSON of its settings, without secrets. */
  config: string
  /** Secret of the client, sealed with the server's secret. */
  secret: string | null
  /** Role of the person who set it last: it signs in nobody with a higher one, and gives none. */
  role: Role
  created_at: string
  updated_at: string
  /** Random, new with each change. */
  version: string
}

/** Passkey of an account: the public half of a key that only the person's device or password manager has. */
export interface PasskeyTable {
  id: string
  account_id: string
  /** Base64url; unique on the server. */
  credential_id: string
  /** COSE key, base64url. */
  public_key: string
  /** Number of uses as the device last sent it; stays 0 on devices that do not count. */
  counter: number
  /** JSON array of ways to reach the device, as it listed them. */
  transports: string
  name: string
  created_at: string
  last_used_at: string | null
}

/** A challenge that a passkey has answered: it is refused until it expires, and from then on anyway. */
export interface UsedChallengeTable {
  /** SHA-256, hex. */
  challenge_hash: string
  expires_at: string
}
