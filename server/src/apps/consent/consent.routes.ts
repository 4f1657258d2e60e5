import type { FastifyPluginAsyncZod } from 'fastify-type-provider-zod'
import { reach } from '../../access/access.ts'
import { failures } from '../../platform/http/failures.ts'
import { Deleted } from '../../platform/http/validation/schemas.ts'
import type { BaseUrlOf } from '../addresses.ts'
import { type AppClient, CLI_CLIENT } from '../clients/clients.service.ts'
import { destinationOf } from '../clients/redirect-uris.ts'
import { CheckDevice, DecideDevice, DeviceDecisionReply, DeviceReply } from '../devices/devices.schemas.ts'
import type { Devices } from '../devices/devices.service.ts'
import { SCOPES, type Scope } from '../scopes.ts'
import type { Grants } from '../tokens/grants.service.ts'
import {
  AppDecisionReply,
  AppPath,
  AppRequestReply,
  CheckAppRequest,
  ConnectedApps,
  DecideAppRequest,
} from './consent.schemas.ts'
import type { Consent } from './consent.service.ts'

const tags = ['Account']

export interface ConsentRoutesOptions {
  consent: Consent
  grants: Grants
  devices: Devices
  baseUrlOf: BaseUrlOf
}

/** Routes by which a person decides on apps: they need a session, and so a page of this server. */
export const consentRoutes =
  ({ consent, grants, devices, baseUrlOf }: ConsentRoutesOptions): FastifyPluginAsyncZod =>
  async (app) => {
    app.post(
      '/account/apps/actions/check',
      {
        config: { access: { who: 'account' } },
        schema: {
          operationId: 'account.apps.check',
          tags,
          summary: 'Show what an app asks for that sent the browser to the consent page',
          body: CheckAppRequest,
          response: { 200: AppRequestReply, ...failures(400, 401, 403, 429) },
        },
      },
      async (request) => {
        const { client, redirectUri, scopes } = await consent.read(request.body.query, baseUrlOf(request))
        return {
          data: {
            client: clientToWire(client),
            destination: destinationOf(redirectUri),
            scopes,
          },
        }
      },
    )

    app.post(
      '/account/apps/actions/decide',
      {
        config: { access: { who: 'account', on: [reach.agent('use', 'body.agent_ids')] } },
        schema: {
          operationId: 'account.apps.decide',
          tags,
          summary: 'Let an app act for oneself in this workspace, or refuse it',
          body: DecideAppRequest,
          response: { 200: AppDecisionReply, ...failures(400, 401, 403, 404, 429) },
        },
      },
      async (request) => {
        const { caller, body } = request
        const base = baseUrlOf(request)
        if (body.decision === 'refuse') return { data: { redirect_to: await consent.refuse(body.query, base) } }
        const agreement = { scopes: body.scopes, agentIds: body.agent_ids }
        return { data: { redirect_to: await consent.agree(caller, body.query, base, agreement) } }
      },
    )

    app.post(
      '/account/devices/actions/check',
      {
        config: { access: { who: 'account' } },
        schema: {
          operationId: 'account.apps.checkDevice',
          tags,
          summary: 'Show which program without a browser waits for a code that it shows',
          body: CheckDevice,
          response: { 200: DeviceReply, ...failures(400, 401, 403, 429) },
        },
      },
      async ({ caller, body }) => {
        const client = await devices.find(caller, body.user_code)
        return { data: { client: clientToWire(client), scopes: [...SCOPES[client.audience]] } }
      },
    )

    app.post(
      '/account/devices/actions/decide',
      {
        config: { access: { who: 'account' } },
        schema: {
          operationId: 'account.apps.decideDevice',
          tags,
          summary: 'Let a program without a browser act for oneself in this workspace, or refuse it',
          body: DecideDevice,
          response: { 200: DeviceDecisionReply, ...failures(400, 401, 403, 429) },
        },
      },
      async ({ caller, body }) => {
        await devices.decide(caller, body.user_code, body.decision)
        return { data: { decision: body.decision } }
      },
    )

    app.get(
      '/account/apps',
      {
        config: { access: { who: 'account' } },
        schema: {
          operationId: 'account.apps.list',
          tags,
          summary: 'Apps that act for oneself in this workspace, newest first',
          response: { 200: ConnectedApps, ...failures(401, 403) },
        },
      },
      async ({ caller }) => ({
        data: {
          apps: (await grants.list(caller)).map((grant) => ({
            id: grant.keyId,
            name: grant.clientName,
            client_id: grant.clientId,
            scopes: grant.scope.split(' ') as Scope[],
            connected_at: grant.createdAt,
            last_used_at: grant.lastUsedAt,
            expires_at: grant.expiresAt,
          })),
        },
      }),
    )

    app.delete(
      '/account/apps/:app_id',
      {
        config: { access: { who: 'account', on: [reach.part('app')] } },
        schema: {
          operationId: 'account.apps.revoke',
          tags,
          summary: 'Disconnect an app; its tokens stop working within 5 seconds',
          params: AppPath,
          response: { 200: Deleted, ...failures(401, 403, 404) },
        },
      },
      async ({ caller, params }) => {
        await grants.end(caller, params.app_id)
        return { data: { deleted: true as const } }
      },
    )
  }

const clientToWire = ({ id, name, uri }: AppClient) => ({ id, name, uri, is_own: id === CLI_CLIENT })
