/// <reference path="../access/oidc-provider.d.ts" />
import type { IncomingMessage, RequestListener, ServerResponse } from 'node:http'
import Provider from 'oidc-provider'
import { listenFor, serveNewest } from './mcp-servers.ts'

/**
 * An MCP server of the SDK that takes only tokens of an authorization server, which is a real one with dynamic
 * registration, resource indicators and refresh tokens that rotate.
 */
export async function startOAuthMcpServer() {
  let answer: RequestListener = (_request, response) => response.end()
  const tokenRequests: URLSearchParams[] = []
  const issuer = await listenFor((request, response) => answer(request, response))
  const answerMcp = serveNewest()
  const state = { metadata: {} as Record<string, unknown>, tokens: [] as string[], issuer }

  const url = `${await listenFor((request, response) => {
    serve(request, response).catch(() => response.destroy())
  })}/mcp`

  const provider = new Provider(issuer, {
    cookies: { keys: ['a key of the cookies'] },
    scopes: ['openid', 'offline_access', 'tools'],
    findAccount: (_context: unknown, subject: string) => ({
      accountId: subject,
      claims: async () => ({ sub: subject }),
    }),
    issueRefreshToken: async () => true,
    rotateRefreshToken: true,
    clientAuthMethods: ['none', 'client_secret_basic'],
    features: {
      registration: { enabled: true },
      revocation: { enabled: true },
      resourceIndicators: {
        enabled: true,
        getResourceServerInfo: (_context: unknown, resource: string) => {
          if (resource !== url) throw new Error('unknown resource')
          return { scope: 'tools', audience: resource, accessTokenTTL: 3600, accessTokenFormat: 'opaque' }
        },
        useGrantedResource: () => true,
      },
    },
  })
  ;(provider as any).use(async (context: any, next: () => Promise<void>) => {
    await next()
    if (context.path === '/token') tokenRequests.push(new URLSearchParams(context.oidc?.body))
  })
  answer = provider.callback()

  async function serve(request: IncomingMessage, response: ServerResponse) {
    const { origin } = new URL(url)
    const metadataPath = '/.well-known/oauth-protected-resource/mcp'
    if (request.url === metadataPath) {
      const metadata = {
        resource: url,
        authorization_servers: [state.issuer],
        scopes_supported: ['tools'],
        ...state.metadata,
      }
      return void response.setHeader('content-type', 'application/json').end(JSON.stringify(metadata))
    }
    const [, token = ''] = /^Bearer (.+)$/.exec(request.headers.authorization ?? '') ?? []
    if (token) state.tokens.push(token)
    const found = token && (await (provider as any).AccessToken.find(token))
    if (!found || found.aud !== url) {
      const challenge = `Bearer error="invalid_token", resource_metadata="${origin}${metadataPath}"`
      return void response.writeHead(401, { 'www-authenticate': challenge }).end()
    }
    await answerMcp(request, response)
  }

  return {
    url,
    issuer,
    /** Bodies that came to the token endpoint. */
    tokenRequests,
    /** Metadata of the resource beyond the usual, the issuer that it names, and the tokens that it received. */
    state,
    /** Makes an access token invalid, or with it all that the person granted. */
    async revoke(token: string, { isWhole = false } = {}) {
      const found = await (provider as any).AccessToken.find(token)
      if (isWhole) await (provider as any).Grant.find(found.grantId).then((grant: any) => grant.destroy())
      await found.destroy()
    },
  }
}
