import type { FastifyPluginAsyncZod } from 'fastify-type-provider-zod'
import { reach } from '../access/access.ts'
import { failures } from '../platform/http/failures.ts'
import { pageOf } from '../platform/http/validation/schemas.ts'
import type { DeliveryService } from './deliveries/deliveries.service.ts'
import { toSecret, WebhookSecretReply } from './secrets/secrets.schemas.ts'
import type { SecretService } from './secrets/secrets.service.ts'
import {
  DeliveryDetailReply,
  DeliveryListReply,
  DeliveryPath,
  DeliveryReply,
  ListDeliveriesQuery,
  toAttempt,
  toDelivery,
  WorkspacePath,
} from './webhooks.schemas.ts'

const tags = ['Webhooks']

export const webhookRoutes =
  ({
    deliveries,
    webhookSecrets,
  }: {
    deliveries: DeliveryService
    webhookSecrets: SecretService
  }): FastifyPluginAsyncZod =>
  async (app) => {
    app.get(
      '/workspaces/:workspace_id/webhook-secret',
      {
        config: { access: { who: 'admin', on: [reach.workspace] } },
        schema: {
          operationId: 'webhooks.secret.get',
          tags,
          summary: 'Get the secret that signs the webhooks of this workspace',
          params: WorkspacePath,
          response: { 200: WebhookSecretReply, ...failures(401, 403) },
        },
      },
      async ({ caller }) => ({ data: toSecret(await webhookSecrets.list(caller.organizationId, caller.workspaceId)) }),
    )

    app.post(
      '/workspaces/:workspace_id/webhook-secret/rotate',
      {
        config: { access: { who: 'admin', on: [reach.workspace] } },
        schema: {
          operationId: 'webhooks.secret.rotate',
          tags,
          summary: 'Make a new secret; the old one signs along for 24 hours',
          params: WorkspacePath,
          response: { 200: WebhookSecretReply, ...failures(401, 403) },
        },
      },
      async ({ caller }) => ({
        data: toSecret(await webhookSecrets.rotate(caller)),
      }),
    )

    app.get(
      '/workspaces/:workspace_id/webhook-deliveries',
      {
        config: { access: { who: 'admin', on: [reach.workspace, reach.part('message', 'query.message_id')] } },
        schema: {
          operationId: 'webhooks.deliveries.list',
          tags,
          summary: 'List the deliveries, newest first',
          params: WorkspacePath,
          querystring: ListDeliveriesQuery,
          response: { 200: DeliveryListReply, ...failures(400, 401, 403) },
        },
      },
      async ({ caller, query }) => {
        const found = await deliveries.list(caller, query)
        return { data: { deliveries: found.deliveries.map(toDelivery), ...pageOf(query, found.total) } }
      },
    )

    app.get(
      '/workspaces/:workspace_id/webhook-deliveries/:delivery_id',
      {
        config: { access: { who: 'admin', on: [reach.workspace, reach.part('delivery')] } },
        schema: {
          operationId: 'webhooks.deliveries.get',
          tags,
          summary: 'Get a delivery with its attempts',
          params: DeliveryPath,
          response: { 200: DeliveryDetailReply, ...failures(401, 403, 404) },
        },
      },
      async ({ caller, params }) => {
        const { delivery, attempts } = await deliveries.get(caller, params.delivery_id)
        return { data: { ...toDelivery(delivery), attempts: attempts.map(toAttempt) } }
      },
    )

    app.post(
      '/workspaces/:workspace_id/webhook-deliveries/:delivery_id/redeliver',
      {
        config: { access: { who: 'admin', on: [reach.workspace, reach.part('delivery')] } },
        schema: {
          operationId: 'webhooks.deliveries.redeliver',
          tags,
          summary: 'Deliver again, now',
          params: DeliveryPath,
          response: { 200: DeliveryReply, ...failures(401, 403, 404, 409) },
        },
      },
      async ({ caller, params }) => ({ data: toDelivery(await deliveries.redeliver(caller, params.delivery_id)) }),
    )
  }
