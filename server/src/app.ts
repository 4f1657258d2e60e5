import type { FastifyPluginAsyncZod } from 'fastify-type-provider-zod'
import { accessRoutes } from './access/access.routes.ts'
import { requireApiKey } from './access/authentication.ts'
import { keyRoutes } from './access/keys/keys.routes.ts'
import { guardScopes } from './access/keys/scope-guard.ts'
import { sessionRoutes } from './access/sessions/sessions.routes.ts'
import { streamCheckRoutes } from './access/stream-check.routes.ts'
import { accountsRoutes, openAccountRoutes } from './accounts/accounts.ts'
import { doctorRoutes } from './admin/doctor/doctor.routes.ts'
import { agentRoutes } from './agents/agent/agents.routes.ts'
import { modelRoutes } from './agents/agent/models.routes.ts'
import { AgentNotFoundError } from './agents/agents.errors.ts'
import { jobRoutes } from './agents/jobs/jobs.routes.ts'
import { mcpServerRoutes } from './agents/mcp/mcp.routes.ts'
import { memoryRoutes } from './agents/memories/memories.routes.ts'
import { shortcutRoutes } from './agents/shortcuts/shortcuts.routes.ts'
import { auditRoutes } from './audit/audit.routes.ts'
import { chatRoutes } from './chats/chat/chats.routes.ts'
import { messageRoutes } from './chats/messages/messages.routes.ts'
import { outputRoutes } from './chats/messages/outputs.routes.ts'
import { peopleRoutes } from './chats/people/people.routes.ts'
import { queryRoutes } from './chats/queries/queries.routes.ts'
import { reviewRoutes } from './chats/reviews/reviews.routes.ts'
import { downloadRoutes } from './drive/downloads/downloads.routes.ts'
import { FolderNotFoundError } from './drive/drive.errors.ts'
import { contentRoutes } from './drive/files/content.routes.ts'
import { dataSourceRoutes } from './drive/files/data-sources.routes.ts'
import { readableFolderTree } from './drive/folders/folders.access.ts'
import { folderRoutes } from './drive/folders/folders.routes.ts'
import { shareRoutes } from './drive/shares/shares.routes.ts'
import { uploadRoutes } from './drive/uploads/uploads.routes.ts'
import { integrationRoutes } from './integrations/integrations.routes.ts'
import { guardVisitors } from './links/guard-visitors.ts'
import { linkRoutes } from './links/links.routes.ts'
import { sharedRoutes } from './links/shared.routes.ts'
import { mcpRoutes } from './mcp/mcp.routes.ts'
import { requireStrictBodies } from './platform/http/bodies/strict-bodies.ts'
import { addDrain } from './platform/http/drain.ts'
import { addHealth } from './platform/http/health.ts'
import { addMetrics } from './platform/http/metrics.ts'
import { addDocs } from './platform/http/openapi/docs.ts'
import { collectOperations } from './platform/http/openapi/operations.ts'
import { addWebUi } from './platform/http/replies/web-ui.ts'
import { addRoom } from './platform/http/room.ts'
import { createHttpServer, type HttpServer } from './platform/http/server.ts'
import { textRoutes } from './retrieval/reading/text.routes.ts'
import { searchRoutes } from './retrieval/search.routes.ts'
import type { Services } from './services.ts'
import { quotaRoutes } from './usage/quotas/quotas.routes.ts'
import { usageRoutes } from './usage/usage.routes.ts'
import { userRoutes } from './users/users.routes.ts'
import { webhookRoutes } from './webhooks/webhooks.routes.ts'

export async function createApp(services: Services): Promise<HttpServer> {
  const app = createHttpServer(services.logger, services.config.http)
  if (services.config.role === 'worker') addOperatorRoutes(app, services)
  else await addRoutes(app, services)
  return app
}

/** Adds the routes for those who run a process. */
function addOperatorRoutes(app: HttpServer, services: Services): void {
  addHealth(app, services)
  addMetrics(app, services.metrics, services.config.metrics)
  addDrain(app, services.runs)
  addRoom(app, services.room)
}

/**
 * Operations whose bodies the published contract describes: clients that were written for it may send fields that this
 * server does not know. All others refuse such fields.
 */
const LENIENT_BODIES: ReadonlySet<string> = new Set([
  'knowledgeBases.create',
  'knowledgeBases.list',
  'knowledgeBases.get',
  'knowledgeBases.update',
  'knowledgeBases.delete',
  'dataSources.list',
  'dataSources.addDocument',
  'dataSources.download',
  'dataSources.delete',
  'uploadedFiles.create',
  'virtualUsers.create',
  'virtualUsers.list',
  'virtualUsers.get',
  'virtualUsers.update',
  'virtualUsers.delete',
  'chats.create',
  'chats.queries.create',
  'chats.queries.createAsync',
  'messages.get',
  'messages.list',
  'messages.delete',
])

/** The whole API on one page. */
export async function addRoutes(app: HttpServer, services: Services): Promise<void> {
  requireStrictBodies(app, LENIENT_BODIES)
  const operations = collectOperations(app)
  addOperatorRoutes(app, services)
  addDocs(app)
  addWebUi(app, { framesOf: services.visitors.framesOf })
  await app.register(outputRoutes(services), { prefix: '/v1' })
  await app.register(sessionRoutes(services), { prefix: '/v1' })
  await app.register(openAccountRoutes(services), { prefix: '/v1' })
  await app.register(sharedRoutes(services), { prefix: '/v1' })
  await app.register(api(services, operations), { prefix: '/v1' })
  await app.register(mcpRoutes(services))
}

/** Routes that need an API key. */
const api =
  (services: Services, operations: ReadonlySet<string>): FastifyPluginAsyncZod =>
  async (app) => {
    requireApiKey(app, services)
    guardScopes(app, {
      folderTree: async (organizationId, ids) =>
        (await readableFolderTree(services.db, organizationId, ids)).flatMap(({ folderIds }) => folderIds),
      folderNotFound: () => new FolderNotFoundError(),
      agentNotFound: () => new AgentNotFoundError(),
    })
    guardVisitors(app, services.createLimiter)
    await app.register(accessRoutes(services))
    await app.register(streamCheckRoutes(services))
    await app.register(keyRoutes({ ...services, operations }))
    await app.register(accountsRoutes({ ...services, operations }))
    await app.register(userRoutes(services))
    await app.register(folderRoutes(services))
    await app.register(shareRoutes(services))
    await app.register(dataSourceRoutes(services))
    await app.register(downloadRoutes(services))
    await app.register(contentRoutes(services))
    await app.register(uploadRoutes(services))
    await app.register(searchRoutes(services))
    await app.register(textRoutes(services))
    await app.register(integrationRoutes(services))
    await app.register(agentRoutes(services))
    await app.register(mcpServerRoutes(services))
    await app.register(modelRoutes(services))
    await app.register(linkRoutes({ links: services.agentLinks, publicUrl: services.publicUrl }))
    await app.register(jobRoutes(services))
    await app.register(shortcutRoutes(services))
    await app.register(memoryRoutes(services))
    await app.register(chatRoutes(services))
    await app.register(queryRoutes(services))
    await app.register(messageRoutes(services))
    await app.register(reviewRoutes(services))
    await app.register(peopleRoutes(services))
    await app.register(webhookRoutes(services))
    await app.register(usageRoutes(services))
    await app.register(quotaRoutes(services))
    await app.register(auditRoutes(services))
    await app.register(doctorRoutes(services))
  }
