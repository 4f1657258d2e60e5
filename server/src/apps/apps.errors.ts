import { DomainError } from '../platform/errors.ts'

/** Error codes of RFC 6749, 7009, 7591, 8628 and 8707. */
export type OAuthErrorCode =
  | 'invalid_request'
  | 'invalid_client'
  | 'invalid_grant'
  | 'unauthorized_client'
  | 'unsupported_grant_type'
  | 'unsupported_response_type'
  | 'invalid_scope'
  | 'invalid_target'
  | 'invalid_redirect_uri'
  | 'invalid_client_metadata'
  | 'unsupported_token_type'
  | 'authorization_pending'
  | 'slow_down'
  | 'access_denied'
  | 'expired_token'

/** Refusal of a request of OAuth. Clients get it as the protocol has it; people read its message on the consent page. */
export class OAuthError extends DomainError {
  override name = 'OAuthError'
  readonly code = 'OAUTH_REQUEST_INVALID'
  readonly error: OAuthErrorCode
  constructor(error: OAuthErrorCode, description: string) {
    super(description)
    this.error = error
  }
}

export class AppNotFoundError extends DomainError {
  override name = 'AppNotFoundError'
  readonly code = 'APP_NOT_FOUND'
  constructor() {
    super('No app with this id is connected to your account in this workspace')
  }
}
