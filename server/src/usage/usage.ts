import type { FastifyPluginAsync } from 'fastify'
import type { KeyService } from '../access/access.ts'
import type { Db } from '../db.ts'
import type { Kernel } from '../kernel.ts'
import type { UserService } from '../users/users.ts'
import { createPrices } from './prices/prices.ts'
import { quotaRoutes } from './quotas/quotas.routes.ts'
import { QuotaService } from './quotas/quotas.service.ts'
import { reportRoutes } from './usage.routes.ts'
import { createUsageService } from './usage.service.ts'

export { QuotaExceededError } from './quotas/quotas.errors.ts'
export type { QuotaService } from './quotas/quotas.service.ts'
export type { PlainUsage } from './usage.record.ts'
export { dollarsOf } from './usage.schemas.ts'
export type { UsageService } from './usage.service.ts'

interface UsageNeeds {
  keys: KeyService
  users: UserService
  findAgentNames(db: Db, organizationId: string, ids: string[]): Promise<Map<string, string>>
}

/** Usage of messages, their cost, and quotas. */
export function createUsage(kernel: Kernel, { keys, users, findAgentNames }: UsageNeeds) {
  const { db, config, logger } = kernel
  const quotas = new QuotaService({ ...kernel, keys, users })
  const usage = createUsageService({
    ...kernel,
    quotas,
    prices: createPrices({ ...config.usage.prices, logger }),
    names: {
      agents: (organizationId, ids) => findAgentNames(db, organizationId, ids),
      keys: (organizationId, ids) => keys.findNames(organizationId, ids),
      users: users.listNames,
    },
  })
  return { quotas, usage }
}

export const usageRoutes =
  (services: Parameters<typeof reportRoutes>[0] & Parameters<typeof quotaRoutes>[0]): FastifyPluginAsync =>
  async (app) => {
    await app.register(reportRoutes(services))
    await app.register(quotaRoutes(services))
  }
