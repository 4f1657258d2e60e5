import { addRoutes } from '../../server/src/app.ts'
import type { OpenApiDocument } from '../../server/src/platform/http/openapi/openapi.tidy.ts'
import { collectRoutes, describe } from '../../server/src/platform/http/openapi/openapi.ts'
import { createHttpServer } from '../../server/src/platform/http/server.ts'
import { createLogger } from '../../server/src/platform/telemetry/logger.ts'
import type { Services } from '../../server/src/services.ts'
import { completeApi } from './complete-api.ts'
import { readRecorded } from './recorded.ts'
import { WEBHOOKS } from './webhooks.ts'

/**
 * The OpenAPI document of the routes as they are in the code, as it is and with all that completes it; no port, no data
 * directory.
 */
export async function describeApi(): Promise<{ routes: OpenApiDocument; whole: Record<string, unknown> }> {
  const app = createHttpServer(createLogger('silent'))
  await collectRoutes(app)
  await addRoutes(app, absent as Services)
  const routes = await describe(app, WEBHOOKS)
  return { routes, whole: completeApi(routes, readRecorded()) }
}

/** Stands for every service: routes take them when they are registered, and call them only when they serve. */
const absent: unknown = new Proxy(() => {}, { get: () => absent })
