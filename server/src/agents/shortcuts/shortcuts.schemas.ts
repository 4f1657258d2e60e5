import { z } from 'zod'
import { listOf, Name, ObjectId, PageQuery, Timestamp } from '../../platform/http/validation/schemas.ts'
import { AgentPath } from '../agent/agents.schemas.ts'

const Field = z
  .strictObject({
    name: z
      .string()
      .regex(/^[A-Za-z_][\w-]{0,63}$/, 'must begin with a letter and hold letters, digits, _ and - only, at most 64'),
    type: z.enum(['text', 'number', 'select']).default('text'),
    required: z.boolean().default(false),
    options: z.array(z.string().min(1).max(256)).max(100).default([]),
  })
  .refine(({ type, options }) => type !== 'select' || options.length > 0, {
    path: ['options'],
    message: 'must name at least one option for a select',
  })
  .meta({ id: 'ShortcutField', description: 'A value that the person fills in' })
export type ShortcutField = z.infer<typeof Field>

const Fields = z
  .array(Field)
  .max(50)
  .refine((fields) => new Set(fields.map(({ name }) => name)).size === fields.length, 'must have different names')

const Prompt = z.string().trim().min(1, 'must not be empty').max(100_000)

export const Shortcut = z
  .object({
    id: ObjectId,
    agent_id: ObjectId,
    name: z.string(),
    prompt: z.string().meta({ description: 'With {{field_name}} where a value goes' }),
    fields: z.array(Field),
    job_id: ObjectId.nullable(),
    created_at: Timestamp,
    updated_at: Timestamp,
  })
  .meta({ id: 'Shortcut', description: 'A predefined action, also called quick action' })

export const CreateShortcut = z
  .strictObject({ name: Name, prompt: Prompt, fields: Fields.default([]), job_id: z.string().nullable().default(null) })
  .meta({ id: 'CreateShortcut' })
export type CreateShortcut = z.infer<typeof CreateShortcut>

export const UpdateShortcut = z
  .strictObject({ name: Name, prompt: Prompt, fields: Fields, job_id: z.string().nullable() })
  .partial()
  .meta({ id: 'UpdateShortcut' })
export type UpdateShortcut = z.infer<typeof UpdateShortcut>

export const ShortcutPath = AgentPath.extend({ shortcut_id: z.string() })
export type ShortcutPath = z.infer<typeof ShortcutPath>
export const ShortcutReply = z.object({ data: Shortcut })
export const ShortcutList = listOf('shortcuts', Shortcut)
export const ShortcutListQuery = z.object(PageQuery)
