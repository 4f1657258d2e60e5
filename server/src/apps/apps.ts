import type { FastifyPluginAsync, FastifyRequest } from 'fastify'
import type { AccessService, FailedAttempts, KeyService } from '../access/access.ts'
import type { Kernel } from '../kernel.ts'
import { createBaseUrl, resourceMetadataUrl } from './addresses.ts'
import { createAppsRetention } from './apps.retention.ts'
import { createClients } from './clients/clients.service.ts'
import { consentRoutes } from './consent/consent.routes.ts'
import { type ConsentOptions, createConsent } from './consent/consent.service.ts'
import { createDevices } from './devices/devices.service.ts'
import { oauthRoutes } from './protocol/oauth.routes.ts'
import { type Audience, SCOPES } from './scopes.ts'
import { createAppTokens } from './tokens/app-tokens.ts'
import { Grants, type GrantsOptions } from './tokens/grants.service.ts'

export type Apps = ReturnType<typeof createApps>['apps']

/** Apps that people connect by OAuth: who they are, what was granted to them, and their tokens. */
export function createApps(
  kernel: Kernel,
  needs: {
    access: AccessService
    keys: KeyService
    failedAttempts: FailedAttempts
    agents: ConsentOptions['agents']
    members: { rightsIn: GrantsOptions['rightsIn'] }
  },
) {
  const clients = createClients(kernel)
  const grants = new Grants({
    ...kernel,
    keys: needs.keys,
    rightsIn: (tx, member) => needs.members.rightsIn(tx, member),
  })
  const consent = createConsent({ ...kernel, clients, agents: needs.agents })
  const devices = createDevices({ ...kernel, clients, grants, failedAttempts: needs.failedAttempts })
  const baseUrlOf = createBaseUrl(kernel.config.http.publicUrl, kernel.publicUrl)
  const tokenRequests = kernel.createLimiter('oauth tokens', { perSecond: 10, burst: 200 }, 'This address')
  kernel.register({ sweeps: createAppsRetention(kernel) })
  return {
    apps: { clients, grants, consent, devices, baseUrlOf, tokenRequests },
    appTokens: createAppTokens({ ...kernel, access: needs.access }),
    /** Tells a client without a token where to get one (RFC 9728). */
    challengeOf: (request: FastifyRequest, audience: Audience) => challengeOf(request, baseUrlOf(request), audience),
  }
}

/** @returns value of WWW-Authenticate */
function challengeOf({ headers }: FastifyRequest, base: string, audience: Audience): string {
  const parts = [`resource_metadata="${resourceMetadataUrl(base, audience)}"`, `scope="${SCOPES[audience].join(' ')}"`]
  const error = headers.authorization === undefined ? [] : ['error="invalid_token"']
  return `Bearer ${['realm="Docent"', ...error, ...parts].join(', ')}`
}

/** Routes of the protocol, which need no key. */
export const appProtocolRoutes =
  ({ apps, failedAttempts }: { apps: Apps; failedAttempts: FailedAttempts }): FastifyPluginAsync =>
  async (app) => {
    await app.register(oauthRoutes({ ...apps, failedAttempts }))
  }

/** Routes for people who are signed in. */
export const appRoutes = ({ apps }: { apps: Apps }) => consentRoutes(apps)
