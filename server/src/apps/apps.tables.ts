/** Program that registered itself to act for people. It belongs to nobody: anyone who agrees to it makes a grant. */
export interface OAuthClientTable {
  id: string
  /** Name that it gave itself. */
  name: string
  /** JSON array. */
  redirect_uris: string
  /** Its home page, https; null if it named none. */
  uri: string | null
  created_at: string
  /** Time when somebody last agreed to it, or it renewed tokens; null: never. */
  used_at: string | null
}

/** Agreement of a person, to be traded for tokens once. */
export interface OAuthCodeTable {
  /** SHA-256 of the code, hex. */
  code_hash: string
  organization_id: string
  workspace_id: string
  member_id: string
  /** Key of the person who agreed, for the audit log. */
  approved_by: string
  client_id: string
  client_name: string
  /** Null for a device, which is sent nowhere. */
  redirect_uri: string | null
  /** SHA-256 of the verifier, base64url; null for a device. */
  code_challenge: string | null
  audience: 'mcp' | 'api'
  /** Scopes of OAuth, separated by spaces. */
  scope: string
  /** JSON of what its key is narrowed to, or null. */
  key_scopes: string | null
  created_at: string
  expires_at: string
  /** Key of the grant that was made with it; null: none yet. */
  key_id: string | null
}

/** Grant of a person to a client: it acts through a key of its own. */
export interface OAuthGrantTable {
  key_id: string
  organization_id: string
  workspace_id: string
  member_id: string
  client_id: string
  client_name: string
  audience: 'mcp' | 'api'
  scope: string
  created_at: string
  /** Moves on with each renewal. */
  expires_at: string
}

/** Request of a program without a browser, which nobody has to belong to before a person enters its code. */
export interface OAuthDeviceTable {
  /** SHA-256 of the code with which the program asks, hex. */
  device_hash: string
  /** SHA-256 of the code that the person enters, hex. */
  user_code_hash: string
  client_id: string
  state: 'pending' | 'approved' | 'refused'
  created_at: string
  expires_at: string
  /** Time when the program last asked. */
  polled_at: string | null
  /** Seconds that it has to leave between two questions. */
  poll_interval: number
}

/** Token of a grant. */
export interface OAuthTokenTable {
  /** SHA-256 of the token, hex: the token itself is never stored. */
  token_hash: string
  organization_id: string
  /** Key of the grant. */
  key_id: string
  kind: 'access' | 'refresh'
  audience: 'mcp' | 'api'
  created_at: string
  expires_at: string
  /** Time when a refresh token was traded for another one; it must not come a second time. */
  used_at: string | null
}
