import { resourceUri } from '../addresses.ts'
import { type Audience, SCOPES } from '../scopes.ts'

/** Type of grant of programs without a browser (RFC 8628). */
export const DEVICE_GRANT = 'urn:ietf:params:oauth:grant-type:device_code'

/** Metadata of this authorization server (RFC 8414). */
export const serverMetadata = (base: string) => ({
  issuer: base,
  authorization_endpoint: `${base}/oauth/authorize`,
  token_endpoint: `${base}/oauth/token`,
  registration_endpoint: `${base}/oauth/register`,
  revocation_endpoint: `${base}/oauth/revoke`,
  device_authorization_endpoint: `${base}/oauth/device_authorization`,
  response_types_supported: ['code'],
  response_modes_supported: ['query'],
  grant_types_supported: ['authorization_code', 'refresh_token', DEVICE_GRANT],
  token_endpoint_auth_methods_supported: ['none'],
  revocation_endpoint_auth_methods_supported: ['none'],
  code_challenge_methods_supported: ['S256'],
  scopes_supported: SCOPES.mcp,
  authorization_response_iss_parameter_supported: true,
  client_id_metadata_document_supported: true,
})

/** Metadata of a part of this server that takes its tokens (RFC 9728). */
export const resourceMetadata = (base: string, audience: Audience) => ({
  resource: resourceUri(base, audience),
  authorization_servers: [base],
  scopes_supported: SCOPES[audience],
  bearer_methods_supported: ['header'],
  resource_name: 'Docent',
})
