import type { FastifyPluginAsyncZod } from 'fastify-type-provider-zod'
import { reach } from '../access/access.ts'
import { failures } from '../platform/http/failures.ts'
import { Deleted, pageOf } from '../platform/http/validation/schemas.ts'
import {
  CreateIntegration,
  IntegrationListReply,
  IntegrationParams,
  IntegrationProblemsReply,
  IntegrationReply,
  ListIntegrationsQuery,
  TestIntegration,
  TestIntegrationReply,
  toIntegrationItem,
  UpdateIntegration,
} from './integrations.schemas.ts'
import type { IntegrationService } from './integrations.service.ts'
import type { Integration } from './integrations.store.ts'

export const integrationRoutes =
  ({ integrations }: { integrations: IntegrationService }): FastifyPluginAsyncZod =>
  async (app) => {
    async function allToWire(all: Integration[]) {
      const connections = await integrations.connectionsOf(all)
      return all.map((one) => toIntegrationItem(one, integrations.secretsOf(one.kind), connections.get(one.id)))
    }
    const toWire = async (integration: Integration) => (await allToWire([integration]))[0]!

    app.post(
      '/integrations',
      {
        config: { access: { who: 'create_knowledgebase', on: [reach.folder('write', 'body.parent_kb_id')] } },
        schema: {
          operationId: 'integrations.create',
          summary: 'Make a folder that is filled from a source and kept in step with it',
          body: CreateIntegration,
          response: { 200: IntegrationReply, ...failures(400, 401, 403, 404, 409) },
        },
      },
      async ({ caller, body }) => ({ data: await toWire(await integrations.create(caller, body)) }),
    )

    app.get(
      '/integrations',
      {
        config: { access: { who: 'caller' } },
        schema: {
          operationId: 'integrations.list',
          summary: 'List the integrations, newest first',
          querystring: ListIntegrationsQuery,
          response: { 200: IntegrationListReply, ...failures(400, 401) },
        },
      },
      async ({ caller, query }) => {
        const found = await integrations.list(caller, query)
        return { data: { integrations: await allToWire(found.integrations), ...pageOf(query, found.total) } }
      },
    )

    app.get(
      '/integrations/:integration_id',
      {
        config: { access: { who: 'caller', on: [reach.part('integration')] } },
        schema: {
          operationId: 'integrations.get',
          summary: 'Get an integration, with its state',
          params: IntegrationParams,
          response: { 200: IntegrationReply, ...failures(401, 404) },
        },
      },
      async ({ caller, params }) => ({
        data: await toWire(await integrations.get(caller, params.integration_id)),
      }),
    )

    app.delete(
      '/integrations/:integration_id',
      {
        config: { access: { who: 'create_knowledgebase', on: [reach.part('integration')] } },
        schema: {
          operationId: 'integrations.delete',
          summary: 'End an integration and delete its folder with all that it brought',
          params: IntegrationParams,
          response: { 200: Deleted, ...failures(401, 403, 404) },
        },
      },
      async ({ caller, params }) => {
        await integrations.remove(caller, params.integration_id)
        return { data: { deleted: true as const } }
      },
    )

    app.post(
      '/integrations/:integration_id/sync',
      {
        config: { access: { who: 'create_knowledgebase', on: [reach.part('integration')] } },
        schema: {
          operationId: 'integrations.sync',
          summary: 'Bring the folder in step with its source now; answers at once',
          params: IntegrationParams,
          response: { 200: IntegrationReply, ...failures(401, 403, 404) },
        },
      },
      async ({ caller, params }) => ({
        data: await toWire(await integrations.sync(caller, params.integration_id)),
      }),
    )

    app.patch(
      '/integrations/:integration_id',
      {
        config: { access: { who: 'create_knowledgebase', on: [reach.part('integration')] } },
        schema: {
          operationId: 'integrations.update',
          summary: 'Change the settings of an integration, pause it, or resume it',
          params: IntegrationParams,
          body: UpdateIntegration,
          response: { 200: IntegrationReply, ...failures(400, 401, 403, 404, 409) },
        },
      },
      async ({ caller, params, body }) => ({
        data: await toWire(await integrations.change(caller, params.integration_id, body)),
      }),
    )

    app.post(
      '/integrations/:integration_id/cancel',
      {
        config: { access: { who: 'create_knowledgebase', on: [reach.part('integration')] } },
        schema: {
          operationId: 'integrations.cancel',
          summary: 'Stop the sync that runs; what it brought stays, and the next comes after the interval',
          params: IntegrationParams,
          response: { 200: IntegrationReply, ...failures(401, 403, 404) },
        },
      },
      async ({ caller, params }) => ({
        data: await toWire(await integrations.cancel(caller, params.integration_id)),
      }),
    )

    app.get(
      '/integrations/:integration_id/problems',
      {
        config: { access: { who: 'caller', on: [reach.part('integration')] } },
        schema: {
          operationId: 'integrations.problems',
          summary: 'List the items that a sync left out, 1,000 at most',
          params: IntegrationParams,
          querystring: ListIntegrationsQuery,
          response: { 200: IntegrationProblemsReply, ...failures(400, 401, 404) },
        },
      },
      async ({ caller, params, query }) => {
        const { problems, total } = await integrations.listProblems(caller, params.integration_id, query)
        return { data: { problems, ...pageOf(query, total) } }
      },
    )

    app.post(
      '/integrations/test',
      {
        config: { access: { who: 'create_knowledgebase', on: [reach.part('integration', 'body.integration_id')] } },
        schema: {
          operationId: 'integrations.test',
          summary: 'Look whether a source can be read with these settings; nothing is stored',
          body: TestIntegration,
          response: { 200: TestIntegrationReply, ...failures(400, 401, 403, 404) },
        },
      },
      async ({ caller, body }) => ({ data: { entries: await integrations.test(caller, body) } }),
    )
  }
