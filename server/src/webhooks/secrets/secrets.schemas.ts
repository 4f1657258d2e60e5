import { z } from 'zod'
import { Timestamp } from '../../platform/http/validation/schemas.ts'
import type { SecretRecord } from './secrets.store.ts'

const WebhookSecret = z
  .object({
    secret: z.string().meta({ description: 'whsec_ and base64, as the Standard Webhooks specification has it' }),
    created_at: Timestamp,
    previous: z
      .array(z.object({ created_at: Timestamp, expires_at: Timestamp }))
      .meta({ description: 'Earlier secrets that still sign along, newest first' }),
  })
  .meta({ id: 'WebhookSecret' })
export const WebhookSecretReply = z.object({ data: WebhookSecret })

/** @param secrets the current one first */
export function toSecret([current, ...previous]: SecretRecord[]): z.input<typeof WebhookSecret> {
  return {
    secret: current!.secret,
    created_at: current!.createdAt,
    previous: previous.map(({ createdAt, expiresAt }) => ({ created_at: createdAt, expires_at: expiresAt! })),
  }
}
