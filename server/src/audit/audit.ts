import type { Kernel } from '../kernel.ts'
import { createAuditRetention } from './audit.retention.ts'

export { auditRoutes } from './audit.routes.ts'
export type { AuditAction } from './audit-actions.ts'

export const auditSweeps = (kernel: Kernel) => [
  createAuditRetention({ ...kernel, keptMs: kernel.config.retention.auditMs }),
]
