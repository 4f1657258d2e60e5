import type { FastifyPluginAsyncZod } from 'fastify-type-provider-zod'
import {
  acceptIdempotencyKeys,
  accessRoutes,
  allowListedOrigins,
  collectPreflights,
  enforceRules,
  requireApiKey,
  requireRules,
  sessionRoutes,
} from './access/access.ts'
import { accountsRoutes, directoryRoutes, openAccountRoutes } from './accounts/accounts.ts'
import { doctorRoutes } from './admin/doctor/doctor.routes.ts'
import { AgentNotFoundError, agentsRoutes } from './agents/agents.ts'
import { appProtocolRoutes, appRoutes } from './apps/apps.ts'
import { auditRoutes } from './audit/audit.ts'
import { chatsRoutes, outputRoutes } from './chats/chats.ts'
import { driveRoutes, FolderNotFoundError, readableFolderTree } from './drive/drive.ts'
import { evaluationRoutes } from './evaluation/evaluation.ts'
import { integrationsRoutes, sourceAppRoutes, sourceLoginRoutes } from './integrations/integrations.ts'
import { LENIENT_BODIES } from './lenient-bodies.ts'
import { createVisitorQueries, linksRoutes, sharedRoutes } from './links/links.ts'
import { mcpRoutes } from './mcp/mcp.ts'
import { openAiRoutes } from './openai/openai.ts'
import { requireStrictBodies } from './platform/http/bodies/strict-bodies.ts'
import { addDrain } from './platform/http/drain.ts'
import { addGuide } from './platform/http/guide/guide.ts'
import { addHealth } from './platform/http/health.ts'
import { addMetrics } from './platform/http/metrics.ts'
import { collectOperations } from './platform/http/openapi/operations.ts'
import { addReference } from './platform/http/openapi/reference/reference.ts'
import { addWebUi } from './platform/http/replies/web-ui.ts'
import { addRoom } from './platform/http/room.ts'
import { createHttpServer, type HttpServer } from './platform/http/server.ts'
import { requireStrictQueries } from './platform/http/validation/strict-queries.ts'
import { projectsRoutes } from './projects/projects.ts'
import { retrievalRoutes } from './retrieval/retrieval.ts'
import type { Services } from './services.ts'
import { usageRoutes } from './usage/usage.ts'
import { usersRoutes } from './users/users.ts'
import { VERSION } from './version.ts'
import { webhooksRoutes } from './webhooks/webhooks.ts'

export async function createApp(services: Services): Promise<HttpServer> {
  const app = createHttpServer(services.logger, services.config.http)
  if (services.config.role === 'worker') addOperatorRoutes(app, services)
  else await addRoutes(app, services)
  return app
}

/** Adds the routes for those who run a process. */
function addOperatorRoutes(app: HttpServer, services: Services): void {
  addHealth(app, { ...services, version: VERSION })
  addMetrics(app, services.metrics, services.config.metrics)
  addDrain(app, services.runs)
  addRoom(app, services.room)
}

/** The whole API on one page. */
export async function addRoutes(app: HttpServer, services: Services): Promise<void> {
  requireStrictBodies(app, LENIENT_BODIES)
  requireStrictQueries(app, LENIENT_BODIES)
  requireRules(app)
  const operations = collectOperations(app)
  const addPreflights = collectPreflights(app)
  addOperatorRoutes(app, services)
  addReference(app)
  addGuide(app)
  addWebUi(app, {
    framesOf: (token) => services.visitors.listFrames(token),
    findWidget: (token) => services.visitors.findWidget(token),
  })
  await app.register(outputRoutes(services), { prefix: '/v1' })
  await app.register(sessionRoutes(services), { prefix: '/v1' })
  await app.register(openAccountRoutes(services), { prefix: '/v1' })
  await app.register(sharedRoutes(services), { prefix: '/v1' })
  await app.register(api(services, operations), { prefix: '/v1' })
  addPreflights(services.browserOrigins)
  await app.register(appProtocolRoutes(services))
  await app.register(mcpRoutes({ ...services, version: VERSION }))
  await app.register(openAiRoutes(services), { prefix: '/openai/v1' })
  await app.register(directoryRoutes(services), { prefix: '/scim/v2' })
}

/** Routes that need an API key. */
const api =
  (services: Services, operations: ReadonlySet<string>): FastifyPluginAsyncZod =>
  async (app) => {
    allowListedOrigins(app, services)
    requireApiKey(app, services)
    enforceRules(app, {
      folderTree: async (caller, ids) =>
        (await readableFolderTree(services.db, caller, ids)).flatMap(({ folderIds }) => folderIds),
      folderNotFound: () => new FolderNotFoundError(),
      agentNotFound: () => new AgentNotFoundError(),
      countQuery: createVisitorQueries(services.createLimiter),
    })
    acceptIdempotencyKeys(app, services.idempotentRequests)
    await app.register(accessRoutes({ ...services, operations }))
    await app.register(accountsRoutes({ ...services, operations }))
    await app.register(appRoutes(services))
    await app.register(usersRoutes(services))
    await app.register(driveRoutes(services))
    await app.register(retrievalRoutes(services))
    await app.register(integrationsRoutes(services))
    await app.register(sourceAppRoutes(services))
    await app.register(sourceLoginRoutes(services))
    await app.register(agentsRoutes(services))
    await app.register(linksRoutes({ links: services.agentLinks, publicUrl: services.publicUrl }))
    await app.register(projectsRoutes(services))
    await app.register(chatsRoutes(services))
    await app.register(evaluationRoutes(services))
    await app.register(webhooksRoutes(services))
    await app.register(usageRoutes(services))
    await app.register(auditRoutes(services))
    await app.register(doctorRoutes(services))
  }
