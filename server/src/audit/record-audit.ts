import type { Tx } from '../db.ts'
import { createIds } from '../platform/ids.ts'
import { insertAuditEntry } from './audit.store.ts'
import type { AuditAction, AuditTarget } from './audit-actions.ts'

/** Actor of a recorded action: the caller of a request, or an operator on the command line. */
export interface Actor {
  organizationId: string
  workspaceId: string | null
  keyId: string | null
  request?: { id: string; ip: string }
}

export interface AuditRecord {
  action: AuditAction
  /** ISO time. */
  at: string
  /** `name` is left out where it would be a person's. */
  target: { type: AuditTarget; id: string; name?: string }
  /** Details as they are shown: snake_case, never a secret, never content of documents or chats. */
  details?: Record<string, unknown>
  /** The workspace that it concerns, null for all of the organization. Default: the actor's. */
  workspaceId?: string | null
}

const newId = createIds()

/** An operator, who has no key. */
export const operatorOf = <W extends string | null = null>(organizationId: string, workspaceId = null as W) => ({
  organizationId,
  workspaceId,
  keyId: null,
})

/** Puts it into the audit log, in the transaction of the change itself: neither is there without the other. */
export function recordAudit(tx: Tx, actor: Actor, record: AuditRecord): Promise<void> {
  const { action, at, target, details = {}, workspaceId = actor.workspaceId } = record
  return insertAuditEntry(tx, actor.organizationId, {
    id: newId(),
    workspaceId,
    keyId: actor.keyId,
    action,
    targetType: target.type,
    targetId: target.id,
    targetName: target.name ?? null,
    details: JSON.stringify(details),
    requestId: actor.request?.id ?? null,
    ip: actor.request?.ip ?? null,
    createdAt: at,
  })
}
