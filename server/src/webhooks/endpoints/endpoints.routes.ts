import type { FastifyPluginAsyncZod } from 'fastify-type-provider-zod'
import { reach } from '../../access/access.ts'
import { type Clock, isoNow } from '../../platform/clock.ts'
import { failures } from '../../platform/http/failures.ts'
import { Deleted, pageOf } from '../../platform/http/validation/schemas.ts'
import type { DeliveryService } from '../deliveries/deliveries.service.ts'
import { toAttempt, WorkspacePath } from '../webhooks.schemas.ts'
import {
  CreateEndpoint,
  EndpointDeliveryPath,
  EndpointListReply,
  EndpointPath,
  EndpointReply,
  EndpointWithSecretReply,
  ListEndpointsQuery,
  ListEventDeliveriesQuery,
  toEndpoint,
  UpdateEndpoint,
} from './endpoints.schemas.ts'
import type { EndpointService } from './endpoints.service.ts'
import {
  EventDeliveryDetailReply,
  EventDeliveryListReply,
  EventDeliveryReply,
  toEventDelivery,
} from './event-deliveries.schemas.ts'

const tags = ['Webhooks']
const ofWorkspace = { access: { who: 'admin', on: [reach.workspace] } } as const
const ofEndpoint = { access: { who: 'admin', on: [reach.workspace, reach.part('webhook_endpoint')] } } as const
const ofDelivery = {
  access: { who: 'admin', on: [reach.workspace, reach.part('webhook_endpoint'), reach.part('delivery')] },
} as const

export interface EndpointRoutesOptions {
  endpoints: EndpointService
  deliveries: DeliveryService
  clock: Clock
}

export const endpointRoutes =
  (services: EndpointRoutesOptions): FastifyPluginAsyncZod =>
  async (app) => {
    const { endpoints, clock } = services
    app.post(
      '/workspaces/:workspace_id/webhook-endpoints',
      {
        config: ofWorkspace,
        schema: {
          operationId: 'webhooks.endpoints.create',
          tags,
          summary: 'Add a URL to which events of this workspace are sent; its secret is shown this once',
          params: WorkspacePath,
          body: CreateEndpoint,
          response: { 200: EndpointWithSecretReply, ...failures(400, 401, 403, 409) },
        },
      },
      async ({ caller, body }) => {
        const { endpoint, secret } = await endpoints.create(caller, body)
        return { data: { ...toEndpoint(endpoint, isoNow(clock)), secret } }
      },
    )

    app.get(
      '/workspaces/:workspace_id/webhook-endpoints',
      {
        config: ofWorkspace,
        schema: {
          operationId: 'webhooks.endpoints.list',
          tags,
          summary: 'List the URLs to which events are sent, oldest first',
          params: WorkspacePath,
          querystring: ListEndpointsQuery,
          response: { 200: EndpointListReply, ...failures(400, 401, 403) },
        },
      },
      async ({ caller, query }) => {
        const all = await endpoints.list(caller)
        const shown = all.slice((query.page - 1) * query.page_size, query.page * query.page_size)
        const webhook_endpoints = shown.map((endpoint) => toEndpoint(endpoint, isoNow(clock)))
        return { data: { webhook_endpoints, ...pageOf(query, all.length) } }
      },
    )
    await app.register(oneEndpointRoutes(services))
    await app.register(eventDeliveryRoutes(services))
  }

const oneEndpointRoutes =
  ({ endpoints, clock }: EndpointRoutesOptions): FastifyPluginAsyncZod =>
  async (app) => {
    app.get(
      '/workspaces/:workspace_id/webhook-endpoints/:webhook_endpoint_id',
      {
        config: ofEndpoint,
        schema: {
          operationId: 'webhooks.endpoints.get',
          tags,
          summary: 'Get a URL to which events are sent',
          params: EndpointPath,
          response: { 200: EndpointReply, ...failures(401, 403, 404) },
        },
      },
      async ({ caller, params }) => ({
        data: toEndpoint(await endpoints.get(caller, params.webhook_endpoint_id), isoNow(clock)),
      }),
    )

    app.patch(
      '/workspaces/:workspace_id/webhook-endpoints/:webhook_endpoint_id',
      {
        config: ofEndpoint,
        schema: {
          operationId: 'webhooks.endpoints.update',
          tags,
          summary: 'Change where events are sent and which, or switch that off and on',
          params: EndpointPath,
          body: UpdateEndpoint,
          response: { 200: EndpointReply, ...failures(400, 401, 403, 404) },
        },
      },
      async ({ caller, params, body }) => ({
        data: toEndpoint(await endpoints.update(caller, params.webhook_endpoint_id, body), isoNow(clock)),
      }),
    )

    app.delete(
      '/workspaces/:workspace_id/webhook-endpoints/:webhook_endpoint_id',
      {
        config: ofEndpoint,
        schema: {
          operationId: 'webhooks.endpoints.delete',
          tags,
          summary: 'Send no more events there; what is on its way is given up',
          params: EndpointPath,
          response: { 200: Deleted, ...failures(401, 403, 404) },
        },
      },
      async ({ caller, params }) => {
        await endpoints.remove(caller, params.webhook_endpoint_id)
        return { data: { deleted: true as const } }
      },
    )

    app.post(
      '/workspaces/:workspace_id/webhook-endpoints/:webhook_endpoint_id/secret/rotate',
      {
        config: ofEndpoint,
        schema: {
          operationId: 'webhooks.endpoints.rotate',
          tags,
          summary: 'Make a new secret, shown this once; the old one signs along for 24 hours',
          params: EndpointPath,
          response: { 200: EndpointWithSecretReply, ...failures(401, 403, 404) },
        },
      },
      async ({ caller, params }) => {
        const { endpoint, secret } = await endpoints.rotate(caller, params.webhook_endpoint_id)
        return { data: { ...toEndpoint(endpoint, isoNow(clock)), secret } }
      },
    )
  }

const eventDeliveryRoutes =
  ({ endpoints, deliveries }: EndpointRoutesOptions): FastifyPluginAsyncZod =>
  async (app) => {
    app.post(
      '/workspaces/:workspace_id/webhook-endpoints/:webhook_endpoint_id/test',
      {
        config: ofEndpoint,
        schema: {
          operationId: 'webhooks.endpoints.test',
          tags,
          summary: 'Send a test event, also to a URL that is switched off',
          params: EndpointPath,
          response: { 200: EventDeliveryReply, ...failures(401, 403, 404) },
        },
      },
      async ({ caller, params }) => {
        const id = await endpoints.test(caller, params.webhook_endpoint_id)
        const { delivery } = await deliveries.get(caller, id, params.webhook_endpoint_id)
        return { data: toEventDelivery(delivery) }
      },
    )

    app.get(
      '/workspaces/:workspace_id/webhook-endpoints/:webhook_endpoint_id/deliveries',
      {
        config: ofEndpoint,
        schema: {
          operationId: 'webhooks.endpoints.deliveries.list',
          tags,
          summary: 'List the events that were sent there, newest first',
          params: EndpointPath,
          querystring: ListEventDeliveriesQuery,
          response: { 200: EventDeliveryListReply, ...failures(400, 401, 403, 404) },
        },
      },
      async ({ caller, params, query }) => {
        const { id } = await endpoints.get(caller, params.webhook_endpoint_id)
        const found = await deliveries.list(caller, query, id)
        return { data: { deliveries: found.deliveries.map(toEventDelivery), ...pageOf(query, found.total) } }
      },
    )

    app.get(
      '/workspaces/:workspace_id/webhook-endpoints/:webhook_endpoint_id/deliveries/:delivery_id',
      {
        config: ofDelivery,
        schema: {
          operationId: 'webhooks.endpoints.deliveries.get',
          tags,
          summary: 'Get an event that was sent there, with its attempts',
          params: EndpointDeliveryPath,
          response: { 200: EventDeliveryDetailReply, ...failures(401, 403, 404) },
        },
      },
      async ({ caller, params }) => {
        const { id } = await endpoints.get(caller, params.webhook_endpoint_id)
        const { delivery, attempts } = await deliveries.get(caller, params.delivery_id, id)
        return { data: { ...toEventDelivery(delivery), body: delivery.body!, attempts: attempts.map(toAttempt) } }
      },
    )

    app.post(
      '/workspaces/:workspace_id/webhook-endpoints/:webhook_endpoint_id/deliveries/:delivery_id/redeliver',
      {
        config: ofDelivery,
        schema: {
          operationId: 'webhooks.endpoints.deliveries.redeliver',
          tags,
          summary: 'Send the event again, now',
          params: EndpointDeliveryPath,
          response: { 200: EventDeliveryReply, ...failures(401, 403, 404, 409) },
        },
      },
      async ({ caller, params }) => {
        const { id } = await endpoints.get(caller, params.webhook_endpoint_id)
        return { data: toEventDelivery(await deliveries.redeliver(caller, params.delivery_id, id)) }
      },
    )
  }
