import type { SourceProvider } from '../../platform/source-apps.ts'

/** Login at a provider, as its documentation has it. */
export interface Provider {
  name: string
  /** `{tenant}` stands for the app's, by default `common`. */
  authorizeUrl: string
  tokenUrl: string
  /** Scopes, all of them for reading, and what else the page of the login is asked with. */
  query: Record<string, string>
  /** Whether its documentation has PKCE; the others may refuse what they do not know. */
  hasPkce: boolean
  /** Form of the requests for tokens. */
  tokenBody: 'form' | 'json'
  /** Whether the app proves itself in a header (Basic), instead of in the body. */
  isBasic: boolean
  /** Account that was connected, as its people know it; empty where the provider does not say. */
  accountOf(granted: Record<string, unknown>): string
}

export const PROVIDERS: Record<SourceProvider, Provider> = {
  google: {
    name: 'Google',
    authorizeUrl: 'https://accounts.google.com/o/oauth2/v2/auth',
    tokenUrl: 'https://oauth2.googleapis.com/token',
    // Without `consent`, a second login of a person comes without a refresh token.
    query: {
      scope: 'openid email https://www.googleapis.com/auth/drive.readonly',
      access_type: 'offline',
      prompt: 'consent',
    },
    hasPkce: true,
    tokenBody: 'form',
    isBasic: false,
    accountOf: emailIn,
  },
  microsoft: {
    name: 'Microsoft',
    authorizeUrl: 'https://login.microsoftonline.com/{tenant}/oauth2/v2.0/authorize',
    tokenUrl: 'https://login.microsoftonline.com/{tenant}/oauth2/v2.0/token',
    query: {
      scope: 'openid profile email offline_access Files.Read.All Sites.Read.All User.Read User.ReadBasic.All',
      response_mode: 'query',
    },
    hasPkce: true,
    tokenBody: 'form',
    isBasic: false,
    accountOf: emailIn,
  },
  notion: {
    name: 'Notion',
    authorizeUrl: 'https://api.notion.com/v1/oauth/authorize',
    tokenUrl: 'https://api.notion.com/v1/oauth/token',
    query: { owner: 'user' },
    hasPkce: false,
    tokenBody: 'json',
    isBasic: true,
    accountOf: ({ workspace_name }) => (typeof workspace_name === 'string' ? workspace_name : ''),
  },
  atlassian: {
    name: 'Atlassian',
    authorizeUrl: 'https://auth.atlassian.com/authorize',
    tokenUrl: 'https://auth.atlassian.com/oauth/token',
    query: {
      audience: 'api.atlassian.com',
      scope:
        'read:space:confluence read:space.permission:confluence read:page:confluence read:folder:confluence read:attachment:confluence readonly:content.attachment:confluence read:content-details:confluence read:content.restriction:confluence read:group:confluence read:user:confluence offline_access',
      prompt: 'consent',
    },
    hasPkce: false,
    tokenBody: 'json',
    isBasic: false,
    accountOf: () => '',
  },
  slack: {
    name: 'Slack',
    authorizeUrl: 'https://slack.com/oauth/v2/authorize',
    tokenUrl: 'https://slack.com/api/oauth.v2.access',
    query: {
      scope: 'channels:read,channels:history,groups:read,groups:history,users:read,users:read.email,files:read',
    },
    hasPkce: false,
    tokenBody: 'form',
    isBasic: true,
    accountOf: ({ team }) => {
      const { name } = (team ?? {}) as { name?: unknown }
      return typeof name === 'string' ? name : ''
    },
  },
}

/** E-mail address in the ID token; it came from the provider itself, so nobody's signature has to be checked. */
function emailIn({ id_token }: Record<string, unknown>): string {
  if (typeof id_token !== 'string') return ''
  try {
    const claims = JSON.parse(Buffer.from(id_token.split('.')[1] ?? '', 'base64url').toString('utf8'))
    return [claims.email, claims.preferred_username].find((name) => typeof name === 'string') ?? ''
  } catch {
    return ''
  }
}
