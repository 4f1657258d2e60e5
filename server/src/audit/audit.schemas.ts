import { z } from 'zod'
import { listOf, ObjectId, PageQuery, Timestamp } from '../platform/http/validation/schemas.ts'
import type { AuditEntry } from './audit.store.ts'
import { AUDIT_ACTIONS, AUDIT_TARGETS } from './audit-actions.ts'

const AuditEntryItem = z
  .object({
    id: ObjectId,
    action: z.string().meta({ description: `One of ${AUDIT_ACTIONS.join(', ')}, or one that a later version adds` }),
    workspace_id: ObjectId.nullable().meta({ description: 'null: it concerns all workspaces of the organization' }),
    actor: z.object({
      type: z.enum(['api_key', 'member', 'operator']).meta({
        description:
          'member: somebody who is signed in, or a personal key; operator: on the command line of the server',
      }),
      api_key_id: ObjectId.nullable().meta({ description: 'For a member: of the key that stands for them' }),
      api_key_name: z.string().nullable().meta({ description: "For a member who was signed in: the person's name" }),
      member_id: ObjectId.nullable(),
    }),
    target: z.object({
      type: z.string().meta({ description: `One of ${AUDIT_TARGETS.join(', ')}, or one that a later version adds` }),
      id: z.string(),
      name: z.string().nullable().meta({ description: 'As it was called then; null for people' }),
    }),
    details: z
      .record(z.string(), z.unknown())
      .meta({ description: 'Details of the action, for instance which fields changed; never a secret' }),
    request_id: z.string().nullable().meta({ description: 'The x-request-id of the request, as in the logs' }),
    ip: z.string().nullable().meta({ description: 'Address that the request came from' }),
    created_at: Timestamp,
  })
  .meta({ id: 'AuditEntry', description: 'Something administrative that was done' })

export const AuditLog = listOf('entries', AuditEntryItem)
export const AuditPath = z.object({ workspace_id: z.string() })

const Time = z
  .union([z.iso.datetime({ offset: true }), z.iso.date()], 'must be an ISO 8601 time or date, for instance 2026-01-31')
  .transform((time) => new Date(time).toISOString())

export const AuditLogQuery = z.object({
  ...PageQuery,
  action: z.enum(AUDIT_ACTIONS).optional(),
  actor: z
    .union([z.literal('operator'), z.string().regex(/^[0-9a-f]{24}$/)], 'must be the id of an API key, or operator')
    .optional()
    .meta({ description: 'The id of an API key, or operator' }),
  member_id: z
    .string()
    .regex(/^[0-9a-f]{24}$/, 'must be the id of a member')
    .optional()
    .meta({ description: 'Entries of a member, signed in and with personal keys; also of one who was removed' }),
  target_type: z.enum(AUDIT_TARGETS).optional(),
  target_id: z.string().max(256).optional(),
  from: Time.optional().meta({ description: 'This time, or the begin of this day (UTC), and later' }),
  to: Time.optional().meta({ description: 'Before this time, or before the begin of this day (UTC)' }),
})
export type AuditLogQuery = z.infer<typeof AuditLogQuery>

export const toAuditEntry = (entry: AuditEntry): z.input<typeof AuditEntryItem> => ({
  id: entry.id,
  action: entry.action,
  workspace_id: entry.workspaceId,
  actor: {
    type: entry.keyId === null ? 'operator' : entry.memberId ? 'member' : 'api_key',
    api_key_id: entry.keyId,
    api_key_name: entry.keyName,
    member_id: entry.memberId,
  },
  target: { type: entry.targetType, id: entry.targetId, name: entry.targetName },
  details: JSON.parse(entry.details),
  request_id: entry.requestId,
  ip: entry.ip,
  created_at: entry.createdAt,
})
