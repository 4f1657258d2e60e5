import { z } from 'zod'

export const WorkspacePath = z.object({ workspace_id: z.string() })

export const BaseUrl = z
  .string()
  .trim()
  .max(2000)
  .regex(/^https?:\/\/\S+$/, 'must be a URL that begins with https:// or http://')

const ApiKey = z
  .string()
  .trim()
  .min(1)
  .max(1000)
  .regex(/^[\x21-\x7e]+$/, 'must be ASCII without spaces')

export const KeptApiKey = ApiKey.nullable().optional().meta({
  description: 'Stored encrypted and never returned. Left out, it stays, as long as kind and address stay; null: none',
})

export const KeyHint = z
  .string()
  .nullable()
  .meta({ description: 'End of the key, such as …a1b2; null: none, or too short' })
