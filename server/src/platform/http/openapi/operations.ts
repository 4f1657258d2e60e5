import type { FastifyInstance } from 'fastify'

/** Collects the ids of all operations that are registered from now on. */
export function collectOperations(app: FastifyInstance): ReadonlySet<string> {
  const operations = new Set<string>()
  app.addHook('onRoute', ({ schema }) => {
    const { operationId } = (schema ?? {}) as { operationId?: string }
    if (operationId) operations.add(operationId)
  })
  return operations
}
