import type { Kernel } from '../kernel.ts'
import { createAuditRetention } from './audit.retention.ts'

export { auditRoutes } from './audit.routes.ts'
export type { AuditAction } from './audit-actions.ts'

/** The log of what was done: features write to it by `record-audit.ts`. */
export function createAudit(kernel: Kernel): void {
  kernel.register({ sweeps: [createAuditRetention({ ...kernel, keptMs: kernel.config.retention.auditMs })] })
}
