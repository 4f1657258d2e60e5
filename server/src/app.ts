import type { FastifyPluginAsyncZod } from 'fastify-type-provider-zod'
import { accessRoutes } from './access/access.routes.ts'
import { requireApiKey } from './access/authentication.ts'
import { addHealth } from './platform/http/health.ts'
import { createHttpServer, type HttpServer } from './platform/http/server.ts'
import type { Services } from './services.ts'

/** The whole API on one page. */
export async function createApp(services: Services): Promise<HttpServer> {
  const app = createHttpServer(services.logger)
  addHealth(app, services)
  await app.register(api(services), { prefix: '/v1' })
  return app
}

/** What needs an API key. */
const api =
  (services: Services): FastifyPluginAsyncZod =>
  async (app) => {
    requireApiKey(app, services)
    await app.register(accessRoutes(services))
  }
