import { addRoutes } from '../server/src/app.ts'
import { collectRoutes, describe } from '../server/src/platform/http/openapi/openapi.ts'
import { createHttpServer } from '../server/src/platform/http/server.ts'
import { createLogger } from '../server/src/platform/telemetry/logger.ts'
import type { Services } from '../server/src/services.ts'

/** The OpenAPI document of the routes as they stand in the code; no port, no data directory. */
export async function describeApi(): Promise<Record<string, unknown>> {
  const app = createHttpServer(createLogger('silent'))
  await collectRoutes(app)
  await addRoutes(app, absent as Services)
  return { ...(await describe(app)) }
}

/** Stands for every service: routes take them when they are registered, and call them only when they serve. */
const absent: unknown = new Proxy(() => {}, { get: () => absent })
